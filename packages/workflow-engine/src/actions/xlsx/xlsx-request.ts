import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { Workbook } from 'exceljs';
import type { JsonObject } from '@weir/workflow-spec';
import { valueText } from './cell-values';
import { changeWorkbook, type WorkbookChange } from './change-workbook';
import { checkRows, type RowRules } from './check-rows';
import { boxText, readRows, sheetNames, usedBox, type RowReading, type SheetRows } from './sheet-rows';
import { openWorkbook, WorkbookProblem } from './workbook-file';

interface Source {
  readonly kind: 'xlsx';
  readonly file: string;
}

/** One operation on a workbook; paths are absolute. */
export type XlsxRequest = Source &
  (
    | { readonly operation: 'info' | 'list_sheets' }
    | { readonly operation: 'read'; readonly reading: RowReading; readonly maxBytes: number }
    | {
        readonly operation: 'convert';
        readonly reading: RowReading;
        readonly output: string;
        readonly format: 'csv' | 'json' | 'jsonl';
        readonly delimiter: string;
      }
    | {
        readonly operation: 'validate';
        readonly reading: RowReading;
        readonly rules: RowRules;
        readonly maxProblems: number;
        readonly failsOnProblem: boolean;
        readonly maxBytes: number;
      }
    | WorkbookChange
  );

type Print = (text: string) => Promise<void>;
type Request<Operation extends XlsxRequest['operation']> = Extract<XlsxRequest, { readonly operation: Operation }>;

/** Executes the operation and returns what the step publishes. */
export async function useWorkbook(request: XlsxRequest, print: Print): Promise<JsonObject> {
  if ('isDryRun' in request) return changeWorkbook(request, print);
  const { book } = await openWorkbook(request.file);
  switch (request.operation) {
    case 'list_sheets': {
      const sheets = [...sheetNames(book)];
      await print(`Found ${sheets.length} sheets in ${path.basename(request.file)}\n`);
      return { sheets, count: sheets.length };
    }
    case 'info':
      return describe(request.file, book, print);
    case 'read':
      return read(request, book, print);
    case 'convert':
      return convert(request, book, print);
    case 'validate':
      return validate(request, book, print);
  }
}

async function describe(file: string, book: Workbook, print: Print): Promise<JsonObject> {
  const sheets = book.worksheets.map((sheet) => {
    const box = usedBox(sheet);
    const { headers, rows } = readRows(book, { ...wholeSheet, sheet: sheet.name });
    return {
      name: sheet.name,
      range: box === undefined ? '' : `${sheet.name}!${boxText(box)}`,
      headers: [...headers],
      rows: rows.length,
    };
  });
  await print(`Found ${sheets.length} sheets in ${path.basename(file)}\n`);
  return { path: file, date_system: book.properties.date1904 ? 1904 : 1900, sheets };
}

const wholeSheet: RowReading = {
  sheet: undefined,
  range: undefined,
  hasHeader: true,
  columns: undefined,
  maxRows: Number.POSITIVE_INFINITY,
  keepsEmptyRows: false,
  stopsAtBlank: false,
  formulas: 'cached',
  isTrimmed: false,
};

async function read({ file, reading, maxBytes }: Request<'read'>, book: Workbook, print: Print): Promise<JsonObject> {
  const found = readRows(book, reading);
  const warnings = [...found.warnings];
  const fitting = fittingCount(found.rows, maxBytes);
  const rows = found.rows.slice(0, fitting);
  const isShortened = fitting < found.rows.length;
  if (isShortened) warnings.push(`output truncated to ${fitting} of ${found.rows.length} rows`);
  await note(warnings);
  await print(`Read ${rows.length} rows from ${path.basename(file)} ${found.range}\n`);
  const { sheet, range, headers } = found;
  const truncated = found.isCut || isShortened;
  return { rows, count: rows.length, headers: [...headers], sheet, range, warnings, truncated };
}

async function validate(request: Request<'validate'>, book: Workbook, print: Print): Promise<JsonObject> {
  const { file, reading, rules, maxProblems, failsOnProblem, maxBytes } = request;
  const found = readRows(book, reading);
  const checked = checkRows(found, rules);
  const listed = checked.problems.slice(0, maxProblems);
  const fitting = fittingCount(listed, maxBytes);
  const problems = listed.slice(0, fitting);
  const warnings = [...found.warnings];
  if (fitting < listed.length) warnings.push(`output truncated to ${fitting} of ${checked.problems.length} problems`);
  await note(warnings);
  for (const { sheet, cell, message } of problems) {
    process.stderr.write(`problem: ${cell === undefined ? sheet : `${sheet}!${cell}`}: ${message}\n`);
  }
  const count = checked.problems.length;
  const { sheet, range, headers } = found;
  const result = count === 0 ? 'no problems' : count === 1 ? '1 problem' : `${count} problems`;
  await print(`Validated ${checked.rows} rows in ${path.basename(file)} ${range}: ${result}\n`);
  if (failsOnProblem && count > 0) throw new WorkbookProblem(`${result} found in ${path.basename(file)} ${sheet}.`);
  const truncated = problems.length < count;
  return {
    ok: count === 0,
    problems: problems.map((problem) => ({ ...problem })),
    count,
    rows: checked.rows,
    headers: [...headers],
    sheet,
    range,
    warnings,
    truncated,
  };
}

/** How many of the values fit together into so many bytes as JSON. */
function fittingCount(values: readonly object[], maxBytes: number): number {
  let left = maxBytes;
  const first = values.findIndex((value) => (left -= Buffer.byteLength(JSON.stringify(value)) + 1) < 0);
  return first === -1 ? values.length : first;
}

async function convert({ output, format, delimiter, ...request }: Request<'convert'>, book: Workbook, print: Print) {
  const found = readRows(book, request.reading);
  const part = `${output}.${randomUUID()}.part`;
  try {
    writeFileSync(part, tableText(found, format, delimiter), { flag: 'wx' });
    renameSync(part, output);
  } finally {
    rmSync(part, { force: true });
  }
  await note(found.warnings);
  await print(`Converted ${found.rows.length} rows of ${path.basename(request.file)} ${found.range} to ${format}\n`);
  const { sheet, range, warnings } = found;
  return { path: output, format, count: found.rows.length, sheet, range, warnings: [...warnings] };
}

function tableText({ headers, rows }: SheetRows, format: 'csv' | 'json' | 'jsonl', delimiter: string): string {
  const values = rows.map((row) => headers.map((name) => row[name] ?? null));
  if (format === 'csv') return stringify([[...headers], ...values.map((row) => row.map(valueText))], { delimiter });
  const objects = values.map((row) =>
    JSON.stringify(Object.fromEntries(headers.map((name, index) => [name, row[index] ?? null]))),
  );
  return format === 'jsonl' ? objects.map((line) => `${line}\n`).join('') : `[\n${objects.join(',\n')}\n]\n`;
}

function note(warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  return Promise.resolve();
}
