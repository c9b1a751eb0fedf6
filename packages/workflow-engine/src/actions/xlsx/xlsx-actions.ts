import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { durationMs } from '../../values/text/duration';
import { isList } from '../../values/text/is-list';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { runFileProgram } from '../call/run-file-program';
import { valueTypes } from './cell-values';
import type { CellContent } from './write-cells';
import type { ColumnSource } from './update-rows';
import type { RowReading } from './sheet-rows';
import type { XlsxRequest } from './xlsx-request';

type Reader = 'xlsx.read' | 'xlsx.convert' | 'xlsx.validate';
type RowWriter = 'xlsx.write' | 'xlsx.append';
type Writer = RowWriter | 'xlsx.update_rows' | 'xlsx.write_cells' | 'xlsx.sheet';
type Work = ActionWork<Reader | Writer | 'xlsx.info' | 'xlsx.list_sheets'>;
type WithoutSource<Request> = Request extends unknown ? Omit<Request, 'kind' | 'file'> : never;

const defaultTimeoutMs = 120_000;
const defaultMaxRows = 5_000;
const defaultMaxProblems = 1_000;
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
    maxBytes: outputBytes(most),
  });
};

function outputBytes(most: number): number {
  return Math.min(maxOutputBytes, most > 2 * spareBytes ? most - spareBytes : most / 2);
}

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

export const xlsxValidate: ActionExecutor<'xlsx.validate'> = (work) => {
  const { required = [], not_blank: notBlank = [], unique = [], types = {}, allowed = {}, ...others } = work.settings;
  const rules = { required, notBlank, unique, types, allowed };
  if (Object.values(rules).every((rule) => Object.keys(rule).length === 0)) throw actionFailed('There is no rule.');
  return execute(work, {
    operation: 'validate',
    reading: { ...toReading(work), maxRows: Number.MAX_SAFE_INTEGER, keepsEmptyRows: false, stopsAtBlank: false },
    rules,
    maxProblems: others.max_problems ?? defaultMaxProblems,
    failsOnProblem: others.on_problem === 'fail',
    maxBytes: outputBytes(work.call.maxOutputBytes),
  });
};

export const xlsxUpdateRows: ActionExecutor<'xlsx.update_rows'> = (work) => {
  const { sheet, key, set, missing = 'fail', dry_run: isDryRun } = work.settings;
  checkWritable(work.settings.path);
  if (key === '_row' && missing !== 'fail') throw actionFailed('missing: rows without a key are known by _row alone.');
  const rows = parseRows(work.settings.rows).map((row) => {
    if (!isMap(row)) throw actionFailed('rows must be a list of maps.');
    return row;
  });
  return execute(work, {
    operation: 'update_rows',
    sheet,
    rows,
    key,
    set:
      set &&
      mapValues(set, (source, name): ColumnSource => {
        if (typeof source === 'string') return { field: source };
        if (isMap(source) && source.value !== undefined) return { value: source.value };
        throw actionFailed(`set.${name}: use the name of a field, or {value: …}.`);
      }),
    missing,
    isDryRun: isDryRun === true,
  });
};

export const xlsxWriteCells: ActionExecutor<'xlsx.write_cells'> = (work) => {
  const { path, sheet, cells, output, dry_run: isDryRun } = work.settings;
  checkWritable(output ?? path);
  const target = output === undefined ? undefined : actionPath(work.call, output);
  if (target === actionPath(work.call, path)) throw actionFailed('output is the workbook itself: leave it out.');
  if (Object.keys(cells).length === 0) throw actionFailed('cells must not be empty.');
  return execute(work, {
    operation: 'write_cells',
    sheet,
    cells: mapValues(cells, toContent),
    output: target,
    isDryRun: isDryRun === true,
  });
};

export const xlsxSheet: ActionExecutor<'xlsx.sheet'> = (work) => {
  const { path, operation: kind, sheet, to, position, if_exists, missing, dry_run: isDryRun } = work.settings;
  checkWritable(path);
  const isCopied = kind === 'copy' || kind === 'rename';
  if (isCopied && to === undefined) throw actionFailed(`to is required for ${kind}.`);
  if (!isCopied && to !== undefined) throw actionFailed('to is for copy and rename.');
  if (kind === 'delete' && if_exists !== undefined) throw actionFailed('if_exists is for add, copy and rename.');
  if (kind === 'add' && missing !== undefined) throw actionFailed('missing is for copy, rename and delete.');
  if ((kind === 'rename' || kind === 'delete') && position !== undefined) {
    throw actionFailed('position is for add and copy.');
  }
  return execute(work, {
    operation: 'sheet',
    change: kind,
    sheet,
    to: to ?? sheet,
    position,
    ifExists: if_exists ?? 'fail',
    missing: missing ?? 'fail',
    isDryRun: isDryRun === true,
  });
};

function toContent(content: JsonValue, name: string): CellContent {
  if (!isMap(content)) {
    if (isList(content)) throw actionFailed(`cells.${name}: use a value, {value: …} or {formula: …}.`);
    return { value: content };
  }
  const { value, type, formula, ...others } = content;
  const [other] = Object.keys(others);
  if (other === undefined && typeof formula === 'string' && formula !== '' && value === undefined) return { formula };
  if (other !== undefined || value === undefined || formula !== undefined || isMap(value) || isList(value)) {
    throw actionFailed(`cells.${name}: use a value, {value: …} or {formula: …}.`);
  }
  if (type === undefined) return { value };
  const known = valueTypes.find((each) => each === type);
  if (known === undefined) throw actionFailed(`cells.${name}.type: use ${valueTypes.join(', ')}.`);
  return { value, type: known };
}

function mapValues<Value, Result>(
  map: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value, name)]));
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

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

/** The library would write others with the type of a workbook without macros, which spreadsheets then refuse to open. */
function checkWritable(path: string): void {
  if (!/\.xlsx$/i.test(path)) throw actionFailed('path: only .xlsx workbooks are written.');
}

function toWriting({ settings }: ActionWork<RowWriter>) {
  checkWritable(settings.path);
  const { sheet, columns, header, dry_run: isDryRun } = settings;
  return { sheet, rows: parseRows(settings.rows), columns, hasHeader: header !== false, isDryRun: isDryRun === true };
}

/** A reference to the rows of another step gives their text; of a loop, its collected outputs are the rows. */
function parseRows(rows: JsonValue): readonly JsonValue[] {
  let found = rows;
  try {
    if (typeof rows === 'string') found = JSON.parse(rows) as JsonValue;
  } catch {
    // The message of the parser would quote the value.
  }
  if (isMap(found) && isList(found.outputs ?? null)) found = found.outputs ?? null;
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
