import type { Cell, Workbook, Worksheet } from 'exceljs';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import { boxText, type Box } from './sheet-rows';
import { WorkbookProblem } from './workbook-file';

/** What an operation has changed in the open workbook. */
export interface Changed {
  readonly sheet: string;
  readonly cells: ChangedCells;
  /** Those of other sheets. */
  readonly otherCells?: ChangedCells;
  readonly rowsAppended?: number;
  readonly columnsAdded?: number;
  readonly warnings?: readonly string[];
  /** Whether there is nothing to save. */
  readonly isSkipped?: boolean;
}

/** Counts the cells that were changed, and the box around them. */
export class ChangedCells {
  readonly #rows = new Set<number>();
  #box: Box | undefined;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get rows(): number {
    return this.#rows.size;
  }

  note({ row: text, col: column }: Pick<Cell, 'row' | 'col'>): void {
    const [row, left] = [Number(text), Number(column)];
    const { top, left: first, bottom, right } = this.#box ?? { top: row, left, bottom: row, right: left };
    this.#box = {
      top: Math.min(top, row),
      left: Math.min(first, left),
      bottom: Math.max(bottom, row),
      right: Math.max(right, left),
    };
    this.#rows.add(row);
    this.#count += 1;
  }

  range(sheet: string): string {
    return this.#box === undefined ? '' : `${sheet}!${boxText(this.#box)}`;
  }
}

/** Throws for a name that no sheet may have. */
export function addSheet(book: Workbook, name = 'Sheet1'): Worksheet {
  checkSheetName(name);
  return book.addWorksheet(name);
}

/** By the rules of spreadsheets. */
export function checkSheetName(name: string): void {
  if (name === '' || name.length > 31 || /[\\/*?:[\]]/.test(name)) {
    throw new WorkbookProblem('sheet is no name of a sheet.');
  }
}

/** In place, so that formulas of other sheets still lead to it. */
export function clearSheet(sheet: Worksheet): void {
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

/** A cell gets the style of the one above it. */
export function copyStyle(sheet: Worksheet, at: { readonly number: number; readonly column: number }): void {
  const { number, column } = at;
  sheet.getRow(number).getCell(column).style = { ...sheet.getRow(number - 1).getCell(column).style };
}

export function isRecord(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
