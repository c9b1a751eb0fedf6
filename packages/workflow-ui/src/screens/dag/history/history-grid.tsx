import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { statusKindOf } from '../../../api/status';
import { useIsNarrow } from '../../../parts/use-is-narrow';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { CellNote } from './cell-note';
import { CompareBar, type ChosenPair } from './compare-bar';
import { DayRow } from './day-row';
import { cellId } from './grid-cell';
import { GridRow, type GridRowProps } from './grid-row';
import { moveCell, type Cell } from './move-cell';
import { toHistory, type History } from './to-history';
import { useCells } from './use-cells';
import styles from './history.module.css';

const narrowNamePx = 128;
const wideNamePx = 240;

export interface HistoryGridProps {
  readonly history: Schemas['GetDAGRunHistoryResponse'];
  readonly onCompare: (pair: ChosenPair) => void;
}

/** Steps by runs, with the newest run at the end. Only visible cells are in the page. */
export function HistoryGrid({ history: answer, onCompare }: HistoryGridProps): ReactElement {
  const t = useDagMessages();
  const history = useMemo(() => toHistory(answer), [answer]);
  const { runs, steps } = history;
  const namePx = useIsNarrow() ? narrowNamePx : wideNamePx;
  const box = useRef<HTMLDivElement>(null);
  const { rows, columns, show } = useCells(box, history, namePx);
  const open = useOpenCell(history);
  const { chosen, isChosen, choose } = useChosenRuns(history);
  const [active, setActive] = useState<Cell>({ row: 0, column: runs.length - 1 });
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = moveCell(active, event.key, { rows: steps.length + 1, columns: runs.length });
    if (next === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (event.key === 'Enter') open(active);
    else if (next === undefined) choose(active);
    else {
      setActive(next);
      show(next);
    }
  };
  const shared = {
    columnsSeen: columns.getVirtualItems().map(({ index, start }) => ({ column: index, x: namePx + start })),
    namePx,
    width: namePx + columns.getTotalSize(),
    active,
    onActivate: setActive,
    isChosen,
    onPress: (cell: Cell) => (cell.row === 0 ? choose(cell) : open(cell)),
  };
  return (
    <div className={styles.tab}>
      <div
        ref={box}
        role="grid"
        tabIndex={0}
        aria-label={t('dag.history.grid')}
        {...{ 'aria-rowcount': steps.length + 1, 'aria-colcount': runs.length + 1 }}
        aria-activedescendant={cellId(active)}
        className={styles.box}
        onKeyDown={onKeyDown}
      >
        <TopRows {...shared} runs={runs} />
        <div role="rowgroup" style={{ width: shared.width, height: rows.getTotalSize() }} className={styles.rows}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const step = steps[index];
            return step === undefined ? null : <GridRow key={index} {...shared} {...step} row={index + 1} y={start} />;
          })}
        </div>
      </div>
      <footer className={styles.foot}>
        <CellNote history={history} cell={active} />
        <CompareBar chosen={chosen} onCompare={onCompare} />
      </footer>
    </div>
  );
}

type TopRowsProps = Omit<GridRowProps, 'row' | 'name' | 'cells'> & Pick<History, 'runs'>;

/** The days and the runs, which stay in view. */
function TopRows({ runs, ...shared }: TopRowsProps): ReactElement {
  const t = useDagMessages();
  const cells = runs.map((run) => statusKindOf(run.statusLabel));
  return (
    <div role="rowgroup" className={styles.top}>
      <DayRow runs={runs} namePx={shared.namePx} width={shared.width} />
      <GridRow {...shared} row={0} name={t('dag.history.run')} cells={cells} />
    </div>
  );
}

/** Opens the run of a cell, with its step selected. */
function useOpenCell({ runs, steps }: History): (cell: Cell) => void {
  const navigate = useNavigate();
  return ({ row, column }) => {
    const run = runs[column];
    const step = steps[row - 1];
    if (run === undefined) return;
    void navigate({
      to: '/dag-runs/$name/$runId',
      params: { name: run.name, runId: run.dagRunId },
      search: step === undefined ? {} : { step: step.name },
    });
  };
}

const mostChosen = 2;

/** The ids of the runs that are chosen for a comparison; the newest in the grid comes last. */
function useChosenRuns({ runs }: History) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const chosen = runs.map(({ dagRunId }) => dagRunId).filter((id) => ids.includes(id));
  const isChosen = (column: number): boolean => ids.includes(runs[column]?.dagRunId ?? '');
  /** A third run replaces the first one. */
  const choose = ({ column }: Cell): void => {
    const id = runs[column]?.dagRunId;
    if (id === undefined) return;
    setIds(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id].slice(-mostChosen));
  };
  return { chosen, isChosen, choose };
}
