import type { Workbook, Worksheet } from 'exceljs';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import { cellValue, hasFormula, setCell, valueText } from './cell-values';
import { ChangedCells, copyStyle, type Changed } from './sheet-changes';
import { requireSheet, usedBox, type Box } from './sheet-rows';
import { WorkbookProblem } from './workbook-file';

/** What a column of every row gets: a field of the row, or one value. */
export type ColumnSource = { readonly field: string } | { readonly value: JsonValue };

/** Rows that are found by a key, or by their number, and get other values in some columns. */
export interface RowUpdate {
  readonly operation: 'update_rows';
  readonly sheet: string | undefined;
  readonly rows: readonly JsonObject[];
  /** The name of a column, or `_row`. */
  readonly key: string;
  /** By the names of columns. Default: every field except the key and `_row`. */
  readonly set: Readonly<Record<string, ColumnSource>> | undefined;
  readonly missing: 'fail' | 'skip' | 'append';
}

interface Table {
  readonly sheet: Worksheet;
  readonly box: Box;
  /** The numbers of the columns by their names in the header. */
  readonly columns: Map<string, number>;
}

const reading = { formulas: 'cached', isTrimmed: false } as const;
const ignore = (): void => undefined;

/** Nothing is changed before every row is found and the header is as the step expects it. */
export function updateRows(book: Workbook, request: RowUpdate): Changed {
  const sheet = requireSheet(book, request.sheet);
  const table = readTable(sheet);
  const sources = columnSources(request);
  checkColumns(table, request, Object.keys(sources));
  const cells = new ChangedCells();
  const warnings: string[] = [];
  const found = findRows(table, request, warnings);
  const added = Object.keys(sources).filter((name) => !table.columns.has(name));
  for (const name of added) addColumn(table, name, cells);
  let bottom = table.box.bottom;
  let appended = 0;
  for (const [row, number] of found) {
    if (number === undefined && request.missing === 'skip') continue;
    const at = number ?? (bottom += 1);
    if (number === undefined) {
      appended += 1;
      for (const column of table.columns.values()) copyStyle(sheet, { number: at, column });
      put(sheet, { number: at, column: table.columns.get(request.key) ?? 1, value: row[request.key] ?? null }, cells);
    }
    for (const [name, source] of Object.entries(sources)) {
      const value = 'value' in source ? source.value : row[source.field];
      if (value === undefined) continue;
      put(sheet, { number: at, column: table.columns.get(name) ?? 1, value }, cells);
    }
  }
  return { sheet: sheet.name, cells, rowsAppended: appended, columnsAdded: added.length, warnings };
}

/** By their exact names; of columns with the same name, the first one counts. */
function readTable(sheet: Worksheet): Table {
  const box = usedBox(sheet);
  if (box === undefined) throw new WorkbookProblem('The sheet has no header.');
  const columns = new Map<string, number>();
  for (let column = box.left; column <= box.right; column += 1) {
    const name = valueText(cellValue(sheet.getRow(box.top).getCell(column), reading, ignore)).trim();
    if (name !== '' && !columns.has(name)) columns.set(name, column);
  }
  return { sheet, box, columns };
}

function columnSources({ rows, key, set }: RowUpdate): Readonly<Record<string, ColumnSource>> {
  const fields = new Set(rows.flatMap((row) => Object.keys(row)));
  if (set === undefined) {
    const names = [...fields].filter((name) => name !== key && name !== '_row');
    return Object.fromEntries(names.map((name) => [name, { field: name }]));
  }
  for (const [name, source] of Object.entries(set)) {
    if (name === key) throw new WorkbookProblem('set: the key column cannot be updated.');
    if ('field' in source && !fields.has(source.field)) {
      throw new WorkbookProblem(`set.${name}: field ${JSON.stringify(source.field)} is not in any row.`);
    }
  }
  return set;
}

/** A column that differs in case or white space only is a sheet that has changed, and no new column. */
function checkColumns({ columns }: Table, { key }: RowUpdate, names: readonly string[]): void {
  const similar = (name: string): string | undefined =>
    [...columns.keys()].find((each) => each.trim().toLowerCase() === name.trim().toLowerCase());
  const present = [...columns.keys()].join(', ');
  for (const name of key === '_row' ? names : [key, ...names]) {
    if (columns.has(name)) continue;
    const other = similar(name);
    if (other !== undefined) {
      throw new WorkbookProblem(`The column ${JSON.stringify(name)} is named ${JSON.stringify(other)} in the header.`);
    }
    if (name === key) throw new WorkbookProblem(`The key column was not found; headers present: ${present}.`);
  }
}

/** The number of each row in the sheet; `undefined` for those that are missing. */
function findRows(
  { sheet, box, columns }: Table,
  { rows, key, missing }: RowUpdate,
  warnings: string[],
): readonly (readonly [JsonObject, number | undefined])[] {
  const keyColumn = columns.get(key);
  const keyAt = (number: number): string =>
    keyColumn === undefined
      ? ''
      : valueText(cellValue(sheet.getRow(number).getCell(keyColumn), reading, ignore)).trim();
  const numbers = new Map<string, number[]>();
  for (let number = box.top + 1; keyColumn !== undefined && number <= box.bottom; number += 1) {
    const text = keyAt(number);
    if (text !== '') numbers.set(text, [...(numbers.get(text) ?? []), number]);
  }
  const taken = new Map<number | string, number>();
  return rows.map((row, index) => {
    const name = valueText(row[key] ?? null).trim();
    const number = findRow(row, { key, name, box, keyAt, numbers });
    if (number === undefined && missing === 'fail') throw new WorkbookProblem(`rows[${index}]: its key was not found.`);
    if (number === undefined && missing === 'skip') {
      warnings.push(`${sheet.name}: the key of rows[${index}] was not found; row skipped`);
    }
    const place = number ?? `new ${name}`;
    const other = taken.get(place);
    if (other !== undefined) throw new WorkbookProblem(`rows[${other}] and rows[${index}] are for the same row.`);
    taken.set(place, index);
    return [row, number] as const;
  });
}

interface RowSearch {
  readonly key: string;
  readonly name: string;
  readonly box: Box;
  readonly keyAt: (number: number) => string;
  readonly numbers: ReadonlyMap<string, readonly number[]>;
}

function findRow(row: JsonObject, { key, name, box, keyAt, numbers }: RowSearch): number | undefined {
  const { _row: given } = row;
  if (given !== undefined && given !== null) {
    const number = Number(given);
    if (!Number.isInteger(number) || number <= box.top || number > box.bottom) {
      throw new WorkbookProblem(`_row ${JSON.stringify(given)} is no row below the header.`);
    }
    if (key !== '_row' && keyAt(number) !== name) throw new WorkbookProblem(`Row ${number} has another key now.`);
    return number;
  }
  if (name === '') throw new WorkbookProblem('rows must hold a key, or _row, in each row.');
  const [number, second] = numbers.get(name) ?? [];
  if (second !== undefined) throw new WorkbookProblem(`The same key is in the rows ${number} and ${second}.`);
  return number;
}

function addColumn({ sheet, box, columns }: Table, name: string, cells: ChangedCells): void {
  const header = sheet.getRow(box.top);
  const column = Math.max(box.right, ...columns.values()) + 1;
  const cell = header.getCell(column);
  cell.style = { ...header.getCell(column - 1).style };
  cell.value = name;
  columns.set(name, column);
  cells.note(cell);
}

interface CellPlace {
  readonly number: number;
  readonly column: number;
  readonly value: JsonValue;
}

/** Leaves a cell that has the value as it is. */
function put(sheet: Worksheet, { number, column, value }: CellPlace, cells: ChangedCells): void {
  const cell = sheet.getRow(number).getCell(column);
  if (!hasFormula(cell) && JSON.stringify(cellValue(cell, reading, ignore)) === JSON.stringify(value)) return;
  setCell(cell, value);
  cells.note(cell);
}
