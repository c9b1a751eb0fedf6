import type { ExcludedTime, ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { Schedule } from '@weir/workflow-spec';
import type { ScheduledDag } from './scheduled-dag';

/** A span of time that excludes its start and includes its end. */
export interface DueSpan {
  readonly after: Date;
  readonly to: Date;
  /** An occurrence that is at most this long before `to` counts as current and not as missed. */
  readonly lateMs: number;
}

export type StartKind = 'scheduled' | 'catchup' | 'oneoff';

export interface DueStart {
  readonly occurrence: Date;
  /** The profile that its entry names. */
  readonly profile: string | undefined;
  readonly kind: StartKind;
}

export interface DueActions {
  readonly stop: Date | undefined;
  readonly restart: Date | undefined;
  /** The starts in the order of time. */
  readonly starts: readonly DueStart[];
  /** The skipped start occurrences in the order of time, at most the last 1,000. */
  readonly missed: readonly Date[];
  /** The start occurrences that a calendar excludes, as many at most. */
  readonly excluded: readonly ExcludedTime[];
}

export const maxCatchupOccurrences = 1000;

/**
 * Returns the actions that are due for a DAG. Without a catch-up window only the newest start counts, unless it is
 * too late. Stops and restarts are never caught up. A restart replaces a start at the same time.
 */
export function dueActions(dag: ScheduledDag, span: DueSpan, times: ScheduleTimes): DueActions {
  const now = { after: later(span.after, before(span.to, span.lateMs)), to: span.to };
  const [stop] = times.last(dag.stop, now, 1);
  const [restart] = times.last(dag.restart, now, 1);
  const due = times.last(dag.start, span, maxCatchupOccurrences);
  const isRestart = (occurrence: Date): boolean => occurrence.getTime() === restart?.getTime();
  const selected = selectStarts(dag, due, span);
  const occurrences = selected.filter((occurrence) => !isRestart(occurrence));
  const starts = occurrences.map((occurrence) => ({
    occurrence,
    profile: profileAt(dag.start, occurrence, times),
    kind: classifyStart(dag, occurrence, now.after),
  }));
  const missed = due.filter((occurrence) => !selected.includes(occurrence) && !isRestart(occurrence));
  const excluded = times
    .excluded(dag.start, span, maxCatchupOccurrences)
    .filter(({ at }) => !isRestart(at))
    .slice(-maxCatchupOccurrences);
  return { stop, restart, starts, missed, excluded };
}

/** Also finds what calendars exclude, which is recorded when it would have been due. */
export function nextDue({ start, stop, restart }: ScheduledDag, after: Date, times: ScheduleTimes): Date | undefined {
  return times.nextNamed([...start, ...stop, ...restart], after);
}

/** Where several entries name a time, the first one with a profile counts. */
export function profileAt(schedule: readonly Schedule[], occurrence: Date, times: ScheduleTimes): string | undefined {
  const moment = { after: before(occurrence, 1), to: occurrence };
  const entries = schedule.filter(({ profile }) => profile !== undefined);
  return entries.find((entry) => times.last([entry], moment, 1).length > 0)?.profile;
}

function selectStarts(dag: ScheduledDag, due: readonly Date[], { to, lateMs }: DueSpan): readonly Date[] {
  const reached = before(to, Math.max(dag.catchupMs, lateMs));
  const occurrences = due.filter((occurrence) => occurrence > reached);
  return dag.catchupMs > 0 && dag.overlap !== 'latest' ? occurrences : occurrences.slice(-1);
}

function classifyStart({ start }: ScheduledDag, occurrence: Date, newerThan: Date): StartKind {
  if (start.some((entry) => entry.kind === 'at' && new Date(entry.at).getTime() === occurrence.getTime()))
    return 'oneoff';
  return occurrence > newerThan ? 'scheduled' : 'catchup';
}

export function later(left: Date, right: Date): Date {
  return left > right ? left : right;
}

export function before(moment: Date, byMs: number): Date {
  return new Date(moment.getTime() - byMs);
}

const minuteMs = 60_000;

export function startOfMinute(moment: Date): Date {
  return before(moment, moment.getTime() % minuteMs);
}

export function untilNextMinuteMs(moment: Date): number {
  return minuteMs - (moment.getTime() % minuteMs);
}
