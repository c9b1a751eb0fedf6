import { classNames, StatusShape, statusTones, type StatusKind } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useAppMessages } from '../../../parts/text/app-messages';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import type { Cell } from './move-cell';
import { cellPx } from './use-cells';
import styles from './history.module.css';

export interface GridCellProps {
  readonly cell: Cell;
  /** Undefined where the step did not start. */
  readonly kind: StatusKind | undefined;
  readonly x: number;
  readonly active: Cell;
  readonly onActivate: (cell: Cell) => void;
  /** Whether its run is chosen for a comparison. */
  readonly isChosen: boolean;
  readonly onPress: (cell: Cell) => void;
}

/** The status of a step in a run, or of the run itself. A press on a step opens it, a press on a run chooses it. */
export function GridCell({ cell, kind, x, active, isChosen, onActivate, onPress }: GridCellProps): ReactElement {
  const t = useDagMessages();
  const app = useAppMessages();
  const isActive = cell.row === active.row && cell.column === active.column;
  return (
    <span
      id={cellId(cell)}
      role={cell.row === 0 ? 'columnheader' : 'gridcell'}
      aria-colindex={cell.column + 2}
      aria-selected={isChosen}
      {...(kind === undefined ? { 'aria-label': t('dag.history.notRun') } : {})}
      style={{ width: cellPx, height: cellPx, transform: `translateX(${x}px)` }}
      className={classNames(styles.cell, isActive && styles.active, isChosen && styles.chosen)}
      data-tone-of-cell={kind === undefined ? undefined : statusTones[kind]}
      onPointerEnter={() => onActivate(cell)}
      onClick={() => onPress(cell)}
    >
      {kind === undefined ? null : <StatusShape kind={kind} label={app(`app.status.${kind}`)} size={14} />}
    </span>
  );
}

export const cellId = ({ row, column }: Cell): string => `history-${row}-${column}`;
