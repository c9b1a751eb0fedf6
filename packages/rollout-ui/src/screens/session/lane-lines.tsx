import type { ReactElement } from 'react';
import type { LanePlace } from './lanes';
import styles from './session.module.css';

/** As in the style sheet. */
const rowHeight = 76;
const step = 16;
const maxLanes = 8;

const toX = (lane: number): number => 16 + Math.min(lane, maxLanes) * step;
const toY = (row: number): number => row * rowHeight + rowHeight / 2;

/** The space that the lanes take, in pixels. */
export function laneWidth(places: readonly LanePlace[]): number {
  return toX(Math.max(0, ...places.map(({ lane }) => lane))) + 14;
}

export interface LaneLinesProps {
  readonly places: readonly LanePlace[];
  readonly selected: number;
}

/** The lines between interactions and what they continue. The list beside them says the same in words. */
export function LaneLines({ places, selected }: LaneLinesProps): ReactElement {
  return (
    <svg aria-hidden width={laneWidth(places)} height={places.length * rowHeight} className={styles.lanes}>
      {places.map(({ lane, parent }, row) =>
        parent === undefined ? null : <path key={row} d={line(parent, { row, lane })} />,
      )}
      {places.map(({ lane }, row) => (
        <circle key={row} cx={toX(lane)} cy={toY(row)} r="5" {...(row === selected ? { 'data-selected': true } : {})} />
      ))}
    </svg>
  );
}

interface Point {
  readonly row: number;
  readonly lane: number;
}

/** Down in the lane of the child, after a bend below the parent. */
function line(from: Point, to: Point): string {
  const [x1, y1, x2, y2] = [toX(from.lane), toY(from.row), toX(to.lane), toY(to.row)];
  if (x1 === x2) return `M${x1} ${y1}V${y2}`;
  const bend = y1 + 28;
  return `M${x1} ${y1}C${x1} ${bend} ${x2} ${y1 + 8} ${x2} ${bend + 8}V${y2}`;
}
