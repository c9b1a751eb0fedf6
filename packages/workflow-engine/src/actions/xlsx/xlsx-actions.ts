import type { JsonValue } from '@weir/workflow-spec';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { durationMs } from '../../values/text/duration';
import { isList } from '../../values/text/is-list';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { runFileProgram } from '../call/run-file-program';
import type { RowReading } from './sheet-rows';
import type { XlsxRequest } from './xlsx-request';

type Reader = 'xlsx.read' | 'xlsx.convert';
type Writer = 'xlsx.write' | 'xlsx.append';
type Work = ActionWork<Reader | Writer | 'xlsx.info' | 'xlsx.list_sheets'>;
type WithoutSource<Request> = Request extends unknown ? Omit<Request, 'kind' | 'file'> : never;

const defaultTimeoutMs = 120_000;
const defaultMaxRows = 5_000;
const maxOutputBytes = 921_600;
const spareBytes = 65_536;

export const xlsxInfo: ActionExecutor<'xlsx.info'> = (work) => execute(work, { operation: 'info' });
export const xlsxListSheets: ActionExecutor<'xlsx.list_sheets'> = (work) => execute(work, { operation: 'list_sheets' });

export const xlsxRead: ActionExecutor<'xlsx.read'> = (work) => {
  const { max_rows: maxRows = defaultMaxRows, keep_empty_rows, stop_at_blank } = work.settings;
  const { maxOutputBytes: most } = work.call;
  return execute(work, {
    operation: 'read',
    reading: {
      ...toReading(work),
      maxRows,
      keepsEmptyRows: keep_empty_rows === true,
      stopsAtBlank: stop_at_blank === true,
    },
    maxBytes: Math.min(maxOutputBytes, most > 2 * spareBytes ? most - spareBytes : most / 2),
  });
};

export const xlsxConvert: ActionExecutor<'xlsx.convert'> = (work) => {
  const { output, format, delimiter = ',' } = work.settings;
  const kind = format ?? /\.(csv|jsonl?|ndjson)$/i.exec(output)?.[1]?.toLowerCase().replace('ndjson', 'jsonl');
  if (kind !== 'csv' && kind !== 'json' && kind !== 'jsonl')
    throw actionFailed('output ends with no format: set format.');
  return execute(work, {
    operation: 'convert',
    reading: { ...toReading(work), maxRows: Number.MAX_SAFE_INTEGER, keepsEmptyRows: false, stopsAtBlank: false },
    output: actionPath(work.call, output),
    format: kind,
    delimiter,
  });
};

export const xlsxWrite: ActionExecutor<'xlsx.write'> = (work) =>
  execute(work, { operation: work.settings.mode === 'append' ? 'append' : 'write', ...toWriting(work) });
export const xlsxAppend: ActionExecutor<'xlsx.append'> = (work) =>
  execute(work, { operation: 'append', ...toWriting(work) });

function toReading({
  settings,
}: ActionWork<Reader>): Pick<RowReading, 'sheet' | 'range' | 'hasHeader' | 'columns' | 'formulas' | 'isTrimmed'> {
  const { sheet, range, header, columns, formulas = 'cached', trim } = settings;
  return {
    sheet,
    range,
    hasHeader: header !== false,
    columns: columns?.map(toColumn),
    formulas,
    isTrimmed: trim === true,
  };
}

/** `Invoice No: invoice_no` renames a column. */
function toColumn(text: string): readonly [string, string] {
  const [, name = text, as = name] = /^(.*\S):\s+(\S.*)$/.exec(text) ?? [];
  return [name, as];
}

function toWriting({ settings }: ActionWork<Writer>) {
  // The library would write it with the type of a workbook without macros, which spreadsheets then refuse to open.
  if (/\.xlsm$/i.test(settings.path)) throw actionFailed('path: only .xlsx workbooks are written.');
  const { sheet, columns, header, dry_run: isDryRun } = settings;
  return { sheet, rows: parseRows(settings.rows), columns, hasHeader: header !== false, isDryRun: isDryRun === true };
}

/** A reference to the rows of another step gives their text. */
function parseRows(rows: JsonValue): readonly JsonValue[] {
  let found = rows;
  try {
    if (typeof rows === 'string') found = JSON.parse(rows) as JsonValue;
  } catch {
    // The message of the parser would quote the value.
  }
  if (!isList(found)) throw actionFailed('rows must be a list of maps or lists.');
  return found;
}

function execute(work: Work, operation: WithoutSource<XlsxRequest>): Promise<StepOutcome> {
  const { path, timeout } = work.settings;
  if (!/\.xls[xm]$/i.test(path))
    throw actionFailed('path: only .xlsx and .xlsm workbooks are supported; save as .xlsx.');
  const request = { kind: 'xlsx', file: actionPath(work.call, path), ...operation } as XlsxRequest;
  return runFileProgram(work, request, durationMs('timeout', timeout, defaultTimeoutMs));
}
