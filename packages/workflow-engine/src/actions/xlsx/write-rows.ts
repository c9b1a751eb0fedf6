import type { Workbook, Worksheet } from 'exceljs';
import type { JsonValue } from '@weir/workflow-spec';
import { setCell } from './cell-values';
import { addSheet, ChangedCells, clearSheet, copyStyle, isRecord, type Changed } from './sheet-changes';
import { findSheet, usedBox } from './sheet-rows';
import { WorkbookProblem } from './workbook-file';

/** Rows that replace those of a sheet, or are added below them. */
export interface RowWrite {
  readonly operation: 'write' | 'append';
  readonly sheet: string | undefined;
  readonly rows: readonly JsonValue[];
  readonly columns: readonly string[] | undefined;
  readonly hasHeader: boolean;
}

export function writeRows(book: Workbook, request: RowWrite): Changed {
  const sheet = findSheet(book, request.sheet) ?? addSheet(book, request.sheet);
  if (request.operation === 'write' && sheet.rowCount > 0) clearSheet(sheet);
  return addRows(sheet, request);
}

function addRows(sheet: Worksheet, { rows, columns, hasHeader }: RowWrite): Changed {
  const isEmpty = usedBox(sheet) === undefined;
  const names =
    columns ??
    [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))].filter((name) => name !== '_row');
  const top = isEmpty ? 1 : (usedBox(sheet)?.bottom ?? 0) + 1;
  const isHeaderWritten = isEmpty && hasHeader && names.length > 0;
  const cells = new ChangedCells();
  let number = top;
  const put = (values: readonly (JsonValue | undefined)[], style: (column: number) => void): void => {
    values.forEach((value, index) => {
      style(index + 1);
      const cell = sheet.getRow(number).getCell(index + 1);
      setCell(cell, value);
      cells.note(cell);
    });
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
      if (number > top || !isEmpty) copyStyle(sheet, { number, column });
      if (isHeaderWritten && number === top + 1) sheet.getRow(number).getCell(column).style = {};
    });
  }
  return { sheet: sheet.name, cells, rowsAppended: rows.length };
}
