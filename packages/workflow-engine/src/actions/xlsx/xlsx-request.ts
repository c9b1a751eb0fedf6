import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { Workbook, Worksheet } from 'exceljs';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import { setCell, valueText } from './cell-values';
import { boxText, findSheet, readRows, sheetNames, usedBox, type RowReading, type SheetRows } from './sheet-rows';
import { newWorkbook, openWorkbook, saveWorkbook, WorkbookProblem } from './workbook-file';

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
        readonly operation: 'write' | 'append';
        readonly sheet: string | undefined;
        readonly rows: readonly JsonValue[];
        readonly columns: readonly string[] | undefined;
        readonly hasHeader: boolean;
        readonly isDryRun: boolean;
      }
  );

type Print = (text: string) => Promise<void>;
type Request<Operation extends XlsxRequest['operation']> = Extract<XlsxRequest, { readonly operation: Operation }>;

/** Executes the operation and returns what the step publishes. */
export async function useWorkbook(request: XlsxRequest, print: Print): Promise<JsonObject> {
  if (request.operation === 'write' || request.operation === 'append') return write(request, print);
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
  let left = maxBytes;
  const fitting = found.rows.findIndex((row) => (left -= Buffer.byteLength(JSON.stringify(row)) + 1) < 0);
  const rows = fitting === -1 ? [...found.rows] : found.rows.slice(0, fitting);
  if (fitting !== -1) warnings.push(`output truncated to ${fitting} of ${found.rows.length} rows`);
  await note(warnings);
  await print(`Read ${rows.length} rows from ${path.basename(file)} ${found.range}\n`);
  const { sheet, range, headers } = found;
  const truncated = found.isCut || fitting !== -1;
  return { rows, count: rows.length, headers: [...headers], sheet, range, warnings, truncated };
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

async function write(request: Request<'write' | 'append'>, print: Print): Promise<JsonObject> {
  const { file, operation, isDryRun } = request;
  const exists = existsSync(file);
  if (!exists && operation === 'append') throw new WorkbookProblem('The workbook was not found.');
  const { book, lost } = exists ? await openWorkbook(file) : { book: await newWorkbook(), lost: undefined };
  if (lost !== undefined) throw new WorkbookProblem(`The workbook has ${lost}, which would be lost by writing it.`);
  const warnings: string[] = [];
  if (existsSync(path.join(path.dirname(file), `~$${path.basename(file)}`))) {
    warnings.push('a lock file exists; the workbook may be open in another program');
  }
  const sheet = findSheet(book, request.sheet) ?? addSheet(book, request.sheet);
  if (operation === 'write' && sheet.rowCount > 0) clear(sheet);
  const changes = addRows(sheet, request);
  if (!isDryRun) await saveWorkbook(book, file);
  await note(warnings);
  await print(
    `${isDryRun ? 'Would write' : 'Wrote'} ${changes.rows_appended} rows to ${path.basename(file)} ${changes.range}\n`,
  );
  return { path: file, sheet: sheet.name, changes, dry_run: isDryRun, warnings };
}

function addSheet(book: Workbook, name = 'Sheet1'): Worksheet {
  if (name.length > 31 || /[\\/*?:[\]]/.test(name)) throw new WorkbookProblem('sheet is no name of a sheet.');
  return book.addWorksheet(name);
}

/** In place, so that formulas of other sheets still lead to it. */
function clear(sheet: Worksheet): void {
  for (const range of sheet.model.merges) sheet.unMergeCells(range);
  for (const [table] of sheet.getTables()) sheet.removeTable(table.name);
  // The library cannot delete all rows of a sheet.
  sheet.eachRow({ includeEmpty: true }, (row) =>
    row.eachCell({ includeEmpty: true }, (cell) => {
      cell.value = null;
      cell.style = {};
    }),
  );
}

function addRows(sheet: Worksheet, { rows, columns, hasHeader }: Request<'write' | 'append'>) {
  const isEmpty = usedBox(sheet) === undefined;
  const names =
    columns ??
    [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))].filter((name) => name !== '_row');
  const top = isEmpty ? 1 : lastRow(sheet) + 1;
  const isHeaderWritten = isEmpty && hasHeader && names.length > 0;
  let number = top;
  let width = 0;
  let cells = 0;
  const put = (values: readonly (JsonValue | undefined)[], style: (column: number) => void): void => {
    values.forEach((value, index) => {
      style(index + 1);
      setCell(sheet.getRow(number).getCell(index + 1), value);
      cells += 1;
    });
    width = Math.max(width, values.length);
    number += 1;
  };
  if (isHeaderWritten) put(names, (column) => (sheet.getRow(number).getCell(column).font = { bold: true }));
  for (const row of rows) {
    const values = isRecord(row)
      ? names.map((name) => row[name])
      : Array.isArray(row)
        ? (row as readonly JsonValue[])
        : undefined;
    if (values === undefined) throw new WorkbookProblem('rows must hold lists or maps.');
    // A column of dates stays one.
    put(values, (column) => {
      if (number > top || !isEmpty)
        sheet.getRow(number).getCell(column).style = { ...sheet.getRow(number - 1).getCell(column).style };
      if (isHeaderWritten && number === top + 1) sheet.getRow(number).getCell(column).style = {};
    });
  }
  const box = { top, left: 1, bottom: Math.max(top, number - 1), right: Math.max(1, width) };
  const range = cells === 0 ? '' : `${sheet.name}!${boxText(box)}`;
  return {
    sheet: sheet.name,
    range,
    rows_updated: 0,
    rows_appended: rows.length,
    columns_added: 0,
    cells_changed: cells,
  };
}

function lastRow(sheet: Worksheet): number {
  return usedBox(sheet)?.bottom ?? 0;
}

function isRecord(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function note(warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  return Promise.resolve();
}
