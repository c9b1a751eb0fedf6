import type { Cell, Workbook } from 'exceljs';
import type { JsonValue } from '@weir/workflow-spec';
import { cellValue, convertValue, hasFormula, setCell, type ValueType } from './cell-values';
import { ChangedCells, type Changed } from './sheet-changes';
import { requireSheet, splitRange } from './sheet-rows';
import { WorkbookProblem } from './workbook-file';

/** What a cell gets: a value, by its type or as the type says, or a formula. */
export type CellContent =
  { readonly value: JsonValue; readonly type?: ValueType | undefined } | { readonly formula: string };

/** Single cells of a workbook, or of a copy of it. */
export interface CellWrite {
  readonly operation: 'write_cells';
  readonly sheet: string | undefined;
  /** By addresses such as `B2`, `Sheet1!B2`, or a name that stands for one cell. */
  readonly cells: Readonly<Record<string, CellContent>>;
  /** The file that is written instead of the workbook. */
  readonly output: string | undefined;
}

const address = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i;
const reading = { formulas: 'cached', isTrimmed: false } as const;

export function writeCells(book: Workbook, request: CellWrite): Changed {
  const sheet = requireSheet(book, request.sheet);
  const places = new Map<string, string>();
  const found = Object.entries(request.cells).map(([name, content]) => {
    const cell = findCell(book, name, request.sheet);
    const place = `${cell.worksheet.name}!${cell.address}`;
    const other = places.get(place);
    if (other !== undefined) {
      throw new WorkbookProblem(`${JSON.stringify(other)} and ${JSON.stringify(name)} name the same cell ${place}.`);
    }
    places.set(place, name);
    return { name, cell, content };
  });
  const cells = new ChangedCells();
  // Those of other sheets count, but the range is that of one sheet.
  const elsewhere = new ChangedCells();
  for (const { name, cell, content } of found) {
    if (fill(cell, content, name)) (cell.worksheet === sheet ? cells : elsewhere).note(cell);
  }
  return { sheet: sheet.name, cells, otherCells: elsewhere };
}

function findCell(book: Workbook, name: string, defaultSheet: string | undefined): Cell {
  const [sheetName, range = ''] = splitRange(name);
  if (address.test(range)) return requireSheet(book, sheetName ?? defaultSheet).getCell(range.replaceAll('$', ''));
  const { ranges } = book.definedNames.getRanges(name);
  const [only, second] = ranges;
  const [ofName, place = ''] = splitRange(only);
  if (second !== undefined || !address.test(place)) {
    throw new WorkbookProblem(`cells: ${JSON.stringify(name)} is not a single cell.`);
  }
  return requireSheet(book, ofName).getCell(place.replaceAll('$', ''));
}

/** Returns whether the cell has another content now; it keeps its style. */
function fill(cell: Cell, content: CellContent, name: string): boolean {
  if ('formula' in content) {
    const formula = content.formula.replace(/^=/, '');
    if (cell.formula === formula) return false;
    cell.value = { formula };
    return true;
  }
  const value = content.type === undefined ? content.value : convertValue(content.value, content.type);
  if (value === undefined) throw new WorkbookProblem(`cells.${name}: the value is no ${content.type}.`);
  const { value: previous } = cell;
  const isSameText =
    !hasFormula(cell) && JSON.stringify(cellValue(cell, reading, () => undefined)) === JSON.stringify(value);
  if (content.type === 'string') cell.value = typeof value === 'object' ? null : value;
  else setCell(cell, value);
  // A date and a text that reads like it are different contents.
  const isSame = isSameText && typeof previous === typeof cell.value;
  if (isSame) cell.value = previous;
  return !isSame;
}
