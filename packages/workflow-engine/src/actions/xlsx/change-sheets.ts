import type { Workbook, Worksheet } from 'exceljs';
import { addSheet, ChangedCells, checkSheetName, clearSheet, type Changed } from './sheet-changes';
import { findSheet, sheetNames } from './sheet-rows';
import { WorkbookProblem } from './workbook-file';

declare module 'exceljs' {
  interface Worksheet {
    /** Sheets are written in the order of these numbers; the types of the library leave them out. */
    orderNo: number;
  }
}

/** Adds, copies, renames or deletes a sheet. */
export interface SheetChange {
  readonly operation: 'sheet';
  readonly change: 'add' | 'copy' | 'rename' | 'delete';
  readonly sheet: string;
  /** The name of the copy, or the new one. */
  readonly to: string;
  /** The place among the sheets, from 1, of one that is added or copied. */
  readonly position: number | undefined;
  readonly ifExists: 'fail' | 'skip' | 'replace';
  readonly missing: 'fail' | 'skip';
}

const done = { add: 'added', copy: 'copied', rename: 'renamed', delete: 'deleted' } as const;

export function changeSheets(book: Workbook, request: SheetChange): Changed {
  const { change: kind, to, ifExists, missing } = request;
  if (kind === 'add') return add(book, request);
  const source = findSheet(book, request.sheet);
  if (source === undefined) {
    if (missing === 'fail') {
      throw new WorkbookProblem(`The sheet was not found; sheets present: ${sheetNames(book).join(', ')}.`);
    }
    return skipped(request.sheet, `sheet ${JSON.stringify(request.sheet)} not found; nothing ${done[kind]}`);
  }
  if (kind === 'delete') return remove(book, source);
  checkSheetName(to);
  if (kind === 'rename' && source.name === to) {
    return skipped(to, `sheet ${JSON.stringify(to)} already has that name; nothing renamed`);
  }
  const existing = findSheet(book, to);
  const isOther = existing !== undefined && existing !== source;
  if (existing !== undefined && (isOther || kind === 'copy')) {
    if (ifExists === 'fail' || existing === source)
      throw new WorkbookProblem('A sheet with the new name already exists.');
    if (ifExists === 'skip') return skipped(to, `sheet ${JSON.stringify(to)} already exists; nothing ${done[kind]}`);
  }
  if (kind === 'rename') {
    if (isOther) book.removeWorksheet(existing.id);
    renameInNames(book, source.name, to);
    source.name = to;
    return changed(to);
  }
  return copy(book, { source, existing, request });
}

function add(book: Workbook, { sheet: name, position, ifExists }: SheetChange): Changed {
  const existing = findSheet(book, name);
  if (existing !== undefined && ifExists === 'fail')
    throw new WorkbookProblem('A sheet with this name already exists.');
  if (existing !== undefined && ifExists === 'skip') {
    return skipped(existing.name, `sheet ${JSON.stringify(name)} already exists; nothing added`);
  }
  if (existing !== undefined) clearSheet(existing);
  else place(book, addSheet(book, name), position);
  return changed(existing?.name ?? name);
}

function remove(book: Workbook, { id, name }: Worksheet): Changed {
  if (book.worksheets.length === 1) throw new WorkbookProblem('The only sheet of a workbook cannot be deleted.');
  book.removeWorksheet(id);
  return changed(name);
}

interface Copy {
  readonly source: Worksheet;
  readonly existing: Worksheet | undefined;
  readonly request: SheetChange;
}

/** Cells, styles, widths and merged cells; tables and pictures stay with the source. */
function copy(book: Workbook, { source, existing, request: { to, position } }: Copy): Changed {
  const cells = new ChangedCells();
  const target = existing ?? addSheet(book, to);
  if (existing === undefined) place(book, target, position ?? book.worksheets.indexOf(source) + 2);
  else clearSheet(existing);
  for (let number = 1; number <= source.columnCount; number += 1) {
    const { width, hidden } = source.getColumn(number);
    Object.assign(target.getColumn(number), { width, hidden });
  }
  source.eachRow({ includeEmpty: true }, (row, number) => {
    if (row.height) target.getRow(number).height = row.height;
    row.eachCell({ includeEmpty: true }, (from, column) => {
      const cell = target.getRow(number).getCell(column);
      cell.style = { ...from.style };
      // Of merged cells, the first one has the value.
      if (from.isMerged && from.master !== from) return;
      cell.value = from.value;
      if (from.value !== null && from.value !== undefined) cells.note(cell);
    });
  });
  for (const range of source.model.merges) target.mergeCells(range);
  return { sheet: target.name, cells };
}

/** The library sorts sheets by this number when it writes them. */
function place(book: Workbook, sheet: Worksheet, position: number | undefined): void {
  const others = book.worksheets.filter((each) => each !== sheet);
  const at = position === undefined ? others.length : Math.min(position - 1, others.length);
  [...others.slice(0, at), sheet, ...others.slice(at)].forEach((each, index) => (each.orderNo = index));
}

/** Names of cells follow a sheet that is renamed; formulas do not. */
function renameInNames(book: Workbook, from: string, to: string): void {
  const quote = (name: string): string => `'${name.replaceAll("'", "''")}'`;
  book.definedNames.model = book.definedNames.model.map(({ name, ranges }) => ({
    name,
    ranges: ranges.map((range) => {
      const at = range.lastIndexOf('!');
      const sheet = range
        .slice(0, at)
        .replace(/^'(.*)'$/, '$1')
        .replaceAll("''", "'");
      return sheet === from ? `${quote(to)}${range.slice(at)}` : range;
    }),
  }));
}

const changed = (sheet: string): Changed => ({ sheet, cells: new ChangedCells() });
const skipped = (sheet: string, warning: string): Changed => ({
  ...changed(sheet),
  warnings: [warning],
  isSkipped: true,
});
