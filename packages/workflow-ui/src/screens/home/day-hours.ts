import type { StatusTone } from '@weir/ui-kit';
import type { Schemas } from '../../api/client';

export const hoursMs = 3_600_000;
export const shownHours = 24;

type StatusCount = Schemas['DAGRunStatusCount'];

export interface DayHour {
  readonly start: Date;
  readonly total: number;
  readonly statuses: readonly StatusCount[];
  /** The counts by colour; failures are first, so that all bars have them at the bottom. */
  readonly tones: readonly { readonly tone: StatusTone; readonly count: number }[];
}

const toneOrder: readonly StatusTone[] = ['failed', 'waiting', 'running', 'queued', 'none', 'success'];

/** Returns the beginning of the hour of a time. */
export function startOfHour(time: number): number {
  return time - (time % hoursMs);
}

/** Returns all hours up to `lastHour`, even those without a run, the earliest first. */
export function toDayHours(
  hours: readonly Schemas['DAGRunHourCounts'][],
  lastHour: number,
  toneOf: (status: StatusCount['statusLabel']) => StatusTone,
): readonly DayHour[] {
  const known = new Map(hours.map(({ start, statuses }) => [Date.parse(start), statuses]));
  return Array.from({ length: shownHours }, (_, index) => {
    const start = lastHour - (shownHours - 1 - index) * hoursMs;
    const statuses = known.get(start) ?? [];
    const tones = toneOrder.flatMap((tone) => {
      const count = sum(statuses.filter(({ statusLabel }) => toneOf(statusLabel) === tone));
      return count === 0 ? [] : [{ tone, count }];
    });
    return { start: new Date(start), total: sum(statuses), statuses, tones };
  });
}

function sum(statuses: readonly StatusCount[]): number {
  return statuses.reduce((total, { count }) => total + count, 0);
}
