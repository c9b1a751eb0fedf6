import { useTimeFormat } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { toRunDays } from './run-days';
import type { History } from './to-history';
import { cellPx } from './use-cells';
import styles from './history.module.css';

export interface DayRowProps {
  readonly runs: History['runs'];
  readonly namePx: number;
  readonly width: number;
}

/** The name of a day is as wide as this many cells. */
const cellsOfName = 2;

/** The days above their runs. The note of a cell has the time for people who do not see them. */
export function DayRow({ runs, namePx, width }: DayRowProps): ReactElement {
  const { day: dayOf } = useTimeFormat();
  const days = toRunDays(
    runs.map(({ startedAt }) => startedAt),
    (time) => dayOf(new Date(time)),
  );
  return (
    <div aria-hidden style={{ width, height: cellPx }} className={styles.days}>
      {days.map(({ column, count, day }, index) => (
        <span
          key={column}
          title={day}
          style={{ left: namePx + column * cellPx, width: count * cellPx }}
          className={styles.day}
        >
          {count >= cellsOfName || index === days.length - 1 ? day : null}
        </span>
      ))}
    </div>
  );
}
