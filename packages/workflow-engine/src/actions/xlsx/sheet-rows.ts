import type { Row, Workbook, Worksheet } from 'exceljs';
import type { JsonValue } from '@weir/workflow-spec';
import { cellValue, valueText, type CellReading } from './cell-values';
import { WorkbookProblem } from './workbook-file';

export interface RowReading extends CellReading {
  readonly sheet: string | undefined;
  readonly range: string | undefined;
  /** `false` names the columns by their letters. */
  readonly hasHeader: boolean;
  /** Names of the columns to keep in this order, each with the name that it gets. */
  readonly columns: readonly (readonly [name: string, as: string])[] | undefined;
  readonly maxRows: number;
  readonly keepsEmptyRows: boolean;
  readonly stopsAtBlank: boolean;
}

type SheetRow = Readonly<Record<string, JsonValue>> & { readonly _row: number };

const maxWarnings = 100;

export interface SheetRows {
  readonly sheet: string;
  readonly range: string;
  readonly headers: readonly string[];
  /** Of the columns in the sheet, from 1. */
  readonly columnNumbers: readonly number[];
  readonly rows: readonly SheetRow[];
  readonly isCut: boolean;
  readonly warnings: readonly string[];
}

export const sheetNames = (book: Workbook): readonly string[] => book.worksheets.map(({ name }) => name);

/** By its exact name, else by one that differs in case only; the first one by default. */
export function findSheet(book: Workbook, name: string | undefined): Worksheet | undefined {
  if (name === undefined) return book.worksheets[0];
  const similar = book.worksheets.filter((each) => each.name.toLowerCase() === name.toLowerCase());
  return book.worksheets.find((each) => each.name === name) ?? (similar.length === 1 ? similar[0] : undefined);
}

/** Throws for a name that no sheet has. */
export function requireSheet(book: Workbook, name: string | undefined): Worksheet {
  const sheet = findSheet(book, name);
  if (sheet !== undefined) return sheet;
  throw new WorkbookProblem(`The sheet was not found; sheets present: ${sheetNames(book).join(', ')}.`);
}

export interface Box {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

const rangeForm = /^\$?([A-Z]{1,3})\$?(\d{1,7})?(?::\$?([A-Z]{1,3})\$?(\d{1,7})?)?$/i;

export function readRows(book: Workbook, reading: RowReading): SheetRows {
  const [sheetOfRange, range] = splitRange(reading.range);
  const sheet = requireSheet(book, sheetOfRange ?? reading.sheet);
  const warnings: string[] = [];
  const used = usedBox(sheet);
  const box = range === undefined ? used : parseRange(range, used);
  if (box === undefined) {
    return { sheet: sheet.name, range: '', headers: [], columnNumbers: [], rows: [], isCut: false, warnings };
  }
  const headers = readHeaders(sheet, box, reading.hasHeader, warnings);
  const chosen = chooseColumns(headers, reading.columns);
  const warn = (text: string): void => void (warnings.length < maxWarnings && warnings.push(text));
  const read = (number: number): SheetRow => {
    const row = sheet.getRow(number);
    const values = chosen.map(([index, as]) => [as, cellValue(row.getCell(box.left + index), reading, warn)] as const);
    return { _row: number, ...Object.fromEntries(values) };
  };
  const { rows, isCut } = collectRows(
    { first: box.top + (reading.hasHeader ? 1 : 0), last: box.bottom, read },
    reading,
  );
  if (isCut) warnings.push(`stopped after ${reading.maxRows} rows; set max_rows to read more`);
  return {
    sheet: sheet.name,
    range: `${sheet.name}!${boxText(box)}`,
    headers: chosen.map(([, as]) => as),
    columnNumbers: chosen.map(([index]) => box.left + index),
    rows,
    isCut,
    warnings,
  };
}

interface RowSource {
  readonly first: number;
  readonly last: number;
  readonly read: (number: number) => SheetRow;
}

function collectRows({ first, last, read }: RowSource, reading: RowReading): Pick<SheetRows, 'rows' | 'isCut'> {
  const rows: SheetRow[] = [];
  let [kept, counted] = [0, 0];
  for (let number = first; number <= last; number += 1) {
    const row = read(number);
    const isBlank = Object.entries(row).every(([name, value]) => name === '_row' || value === null);
    if (isBlank && reading.stopsAtBlank) break;
    // Blank rows are kept when a row with a value follows them, but not counted.
    const isCounted = !isBlank || reading.keepsEmptyRows;
    if (isCounted && counted === reading.maxRows) return { rows: rows.slice(0, kept), isCut: true };
    rows.push(row);
    if (!isCounted) continue;
    counted += 1;
    kept = rows.length;
  }
  return { rows: rows.slice(0, kept), isCut: false };
}

/** The sheet that a range names, and the rest of it. */
export function splitRange(range: string | undefined): readonly [string | undefined, string | undefined] {
  const at = range?.lastIndexOf('!') ?? -1;
  if (range === undefined || at === -1) return [undefined, range];
  return [
    range
      .slice(0, at)
      .replace(/^'(.*)'$/, '$1')
      .replaceAll("''", "'"),
    range.slice(at + 1),
  ];
}

function parseRange(range: string, used: Box | undefined): Box {
  const found = rangeForm.exec(range.trim());
  if (found === null) throw new WorkbookProblem('range is no range of cells such as A2:F200, A2:F or A:F.');
  const [, first = '', top = '1', last = first, bottom] = found;
  const end = found[3] === undefined ? top : (bottom ?? String(used?.bottom ?? 1));
  const box = { top: Number(top), left: columnNumber(first), bottom: Number(end), right: columnNumber(last) };
  if (box.top < 1 || box.bottom > 1_048_576 || box.right > 16_384 || box.right < box.left) {
    throw new WorkbookProblem('range is outside of a sheet.');
  }
  // Beyond the last row with a value there is nothing to read.
  return { ...box, bottom: Math.min(box.bottom, Math.max(used?.bottom ?? 0, box.top)) };
}

/** The cells with values, from the first row that has two of them if there is one: titles above are skipped. */
export function usedBox(sheet: Worksheet): Box | undefined {
  let [left, right, first, bottom, table] = [Number.POSITIVE_INFINITY, 0, 0, 0, 0];
  sheet.eachRow((row, number) => {
    const columns = filledColumns(row);
    if (columns.length === 0) return;
    first ||= number;
    if (columns.length > 1) table ||= number;
    bottom = number;
    left = Math.min(left, ...columns.slice(0, 1));
    right = Math.max(right, ...columns.slice(-1));
  });
  return bottom === 0 ? undefined : { top: table || first, left, bottom, right };
}

function filledColumns(row: Row): readonly number[] {
  const columns: number[] = [];
  row.eachCell((cell, number) => {
    if (cell.value !== null && cell.value !== undefined) columns.push(number);
  });
  return columns;
}

function readHeaders(
  sheet: Worksheet,
  { top, left, right }: Box,
  hasHeader: boolean,
  warnings: string[],
): readonly string[] {
  const names: string[] = [];
  for (let column = left; column <= right; column += 1) {
    const letter = columnLetters(column);
    const cell = sheet.getRow(top).getCell(column);
    const value = hasHeader ? cellValue(cell, { formulas: 'cached', isTrimmed: true }, () => undefined) : letter;
    const text = valueText(value)
      .replace(/\s*[\r\n]+\s*/g, ' ')
      .trim();
    if (text === '') warnings.push(`${sheet.name}!${cell.address}: header is empty; column named ${letter}`);
    const name = text === '' ? letter : text;
    let unique = name;
    for (let count = 2; names.includes(unique); count += 1) unique = `${name}_${count}`;
    if (unique !== name) warnings.push(`${sheet.name}: duplicate header ${JSON.stringify(name)} renamed ${unique}`);
    names.push(unique);
  }
  return names;
}

function chooseColumns(
  headers: readonly string[],
  columns: RowReading['columns'],
): readonly (readonly [number, string])[] {
  if (columns === undefined) return headers.map((name, index) => [index, name]);
  return columns.map(([name, as]) => {
    const index = headers.indexOf(name);
    if (index === -1)
      throw new WorkbookProblem(`columns: a column was not found; headers present: ${headers.join(', ')}.`);
    return [index, as];
  });
}

export function boxText({ top, left, bottom, right }: Box): string {
  return `${columnLetters(left)}${top}:${columnLetters(right)}${bottom}`;
}

function columnNumber(letters: string): number {
  return Array.from(letters.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

export function columnLetters(number: number): string {
  const before = Math.floor((number - 1) / 26);
  return `${before > 0 ? columnLetters(before) : ''}${String.fromCharCode(65 + ((number - 1) % 26))}`;
}
