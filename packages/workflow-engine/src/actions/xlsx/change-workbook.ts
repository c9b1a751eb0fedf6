import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Workbook } from 'exceljs';
import type { JsonObject } from '@weir/workflow-spec';
import { changeSheets, type SheetChange } from './change-sheets';
import type { Changed } from './sheet-changes';
import { sheetNames } from './sheet-rows';
import { updateRows, type RowUpdate } from './update-rows';
import { newWorkbook, openWorkbook, saveWorkbook, WorkbookProblem } from './workbook-file';
import { writeCells, type CellWrite } from './write-cells';
import { writeRows, type RowWrite } from './write-rows';

/** What is to be changed in a workbook. */
export type WorkbookChange = { readonly isDryRun: boolean } & (RowWrite | RowUpdate | CellWrite | SheetChange);

/** Opens the workbook, changes it and replaces the file at once. Returns what the step publishes. */
export async function changeWorkbook(
  request: WorkbookChange & { readonly file: string },
  print: (text: string) => Promise<void>,
): Promise<JsonObject> {
  const { file, operation, isDryRun } = request;
  const target = request.operation === 'write_cells' ? (request.output ?? file) : file;
  const exists = existsSync(file);
  if (!exists && operation !== 'write') throw new WorkbookProblem('The workbook was not found.');
  const { book, lost } = exists ? await openWorkbook(file) : { book: await newWorkbook(), lost: undefined };
  if (lost !== undefined) throw new WorkbookProblem(`The workbook has ${lost}, which would be lost by writing it.`);
  const changed = change(book, request);
  const warnings = [...(changed.warnings ?? [])];
  if (existsSync(path.join(path.dirname(target), `~$${path.basename(target)}`))) {
    warnings.push('a lock file exists; the workbook may be open in another program');
  }
  if (!isDryRun && changed.isSkipped !== true) await saveWorkbook(book, target);
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const changes = toChanges(changed, operation);
  const done = `${sentence(request, changed)} ${path.basename(target)} ${changes.range}`;
  await print(`${changed.isSkipped === true ? 'Changed nothing' : done.trim()}\n`);
  return {
    path: target,
    sheet: changed.sheet,
    changes,
    dry_run: isDryRun,
    warnings,
    ...(operation === 'sheet' ? { sheets: [...sheetNames(book)] } : {}),
  };
}

function change(book: Workbook, request: WorkbookChange): Changed {
  switch (request.operation) {
    case 'write':
    case 'append':
      return writeRows(book, request);
    case 'update_rows':
      return updateRows(book, request);
    case 'write_cells':
      return writeCells(book, request);
    case 'sheet':
      return changeSheets(book, request);
  }
}

function toChanges(changed: Changed, operation: WorkbookChange['operation']) {
  const { sheet, cells, otherCells, rowsAppended = 0, columnsAdded = 0 } = changed;
  const isUpdate = operation === 'update_rows' || operation === 'write_cells';
  return {
    sheet,
    range: cells.range(sheet),
    // A new column also changes the header, which is no row.
    rows_updated: isUpdate ? cells.rows + (otherCells?.rows ?? 0) - rowsAppended - (columnsAdded > 0 ? 1 : 0) : 0,
    rows_appended: rowsAppended,
    columns_added: columnsAdded,
    cells_changed: cells.count + (otherCells?.count ?? 0),
  };
}

function sentence({ operation, isDryRun }: WorkbookChange, changed: Changed): string {
  const { cells, otherCells, rowsAppended = 0, sheet } = changed;
  if (operation === 'sheet') return `${isDryRun ? 'Would change' : 'Changed'} the sheet ${sheet} of`;
  const isRows = operation === 'write' || operation === 'append';
  const what = isRows ? `${rowsAppended} rows` : `${cells.count + (otherCells?.count ?? 0)} cells`;
  return `${isDryRun ? 'Would write' : 'Wrote'} ${what} to`;
}
