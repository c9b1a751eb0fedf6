import { classNames, type StatusKind } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { GridCell } from './grid-cell';
import type { Cell } from './move-cell';
import { cellPx } from './use-cells';
import { useStepName } from './use-step-name';
import styles from './history.module.css';

export interface GridRowProps {
  readonly row: number;
  readonly name: string;
  /** The distance from the top; the row of the runs stays there. */
  readonly y?: number;
  readonly cells: readonly (StatusKind | undefined)[];
  readonly columnsSeen: readonly { readonly column: number; readonly x: number }[];
  readonly namePx: number;
  readonly width: number;
  readonly active: Cell;
  readonly onActivate: (cell: Cell) => void;
  readonly isChosen: (column: number) => boolean;
  readonly onPress: (cell: Cell) => void;
}

/** A step, or the runs themselves, with the visible cells. */
export function GridRow({
  row,
  name,
  y,
  cells,
  columnsSeen,
  namePx,
  width,
  isChosen,
  ...cellProps
}: GridRowProps): ReactElement {
  const isHead = row === 0;
  const shownName = useStepName()(name);
  return (
    <div
      role="row"
      aria-rowindex={row + 1}
      style={{ width, height: cellPx, ...(y === undefined ? {} : { transform: `translateY(${y}px)` }) }}
      className={isHead ? styles.head : styles.row}
    >
      <span
        role={isHead ? 'columnheader' : 'rowheader'}
        aria-colindex={1}
        title={shownName}
        style={{ width: namePx }}
        className={classNames(styles.name, isHead && styles.corner)}
      >
        {shownName}
      </span>
      {columnsSeen.map(({ column, x }) => (
        <GridCell
          key={column}
          cell={{ row, column }}
          kind={cells[column]}
          x={x}
          isChosen={isChosen(column)}
          {...cellProps}
        />
      ))}
    </div>
  );
}
