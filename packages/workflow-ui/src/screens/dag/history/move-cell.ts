/** Row 0 is the row of the runs. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

const pageRows = 10;

/** Returns where a key leads within a grid; `undefined` for other keys. */
export function moveCell({ row, column }: Cell, key: string, { rows, columns }: GridSize): Cell | undefined {
  const targets: Readonly<Record<string, Cell>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
  };
  const target = targets[key];
  if (target === undefined) return undefined;
  return { row: clamp(target.row, rows), column: clamp(target.column, columns) };
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, value));
}
