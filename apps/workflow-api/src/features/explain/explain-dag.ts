import type { DagExplanationCause } from '@weir/workflow-contract/schemas';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import type { OverlapPolicy } from '@weir/workflow-spec';
import { endedMessage, unknownMessage, type CalendarFacts } from '../calendars';
import type { OccurrencesSkipped, SkipReason } from '../scheduler';
import { presentHolder } from './explain-execution';

/** The stored facts about a DAG that explain why its schedule does not start it. */
export interface DagFacts {
  readonly errors: readonly string[];
  readonly hasSchedule: boolean;
  readonly hasTriggers: boolean;
  /** What is to be known about the calendars of the schedule. */
  readonly calendars: CalendarFacts;
  readonly overlap: OverlapPolicy;
  /** Missing for a DAG that was never suspended. */
  readonly flag: { readonly suspended: boolean; readonly updatedAt: Date } | undefined;
  readonly isSchedulerAlive: boolean;
  /** Runs of the DAG that have not ended. */
  readonly active: SeenRuns;
}

/** The stored facts about one occurrence. */
export interface OccurrenceFacts {
  readonly time: Date;
  readonly at: Date;
  /** Whether the present schedule names this moment. */
  readonly isScheduled: boolean;
  /** Why a calendar excludes the moment. */
  readonly excluded: string | undefined;
  /** The run of the occurrence. */
  readonly run: DagRunSummary | undefined;
  readonly skipped: OccurrencesSkipped | undefined;
  /** Runs of the DAG that were active at that time. */
  readonly activeThen: SeenRuns;
  /** The time up to which a scheduler has settled all occurrences; missing before the first one. */
  readonly settledUntil: Date | undefined;
}

/** Runs that are partly invisible to the caller. */
export interface SeenRuns {
  readonly visible: readonly DagRunSummary[];
  readonly others: number;
}

/** Explains why the next occurrence would not start a run; empty when no cause is known. */
export function explainDagNow(facts: DagFacts): readonly DagExplanationCause[] {
  return [
    ...explainFile(facts),
    ...explainCalendars(facts),
    ...explainSuspension(facts),
    ...explainScheduler(facts),
    ...explainActive(facts),
  ];
}

/** Explains the past or future outcome of an occurrence. */
export function explainOccurrence(facts: DagFacts, occurrence: OccurrenceFacts): readonly DagExplanationCause[] {
  const { time, at, run, skipped, isScheduled, excluded } = occurrence;
  if (run !== undefined) return [{ kind: 'has_run', message: 'The occurrence has a run.', runs: [presentHolder(run)] }];
  if (skipped !== undefined) return [explainSkip(skipped, occurrence.activeThen)];
  if (!isScheduled && excluded !== undefined)
    return [{ kind: 'calendar_excludes', message: `The schedule starts nothing then: ${excluded}.` }];
  if (!isScheduled)
    return [{ kind: 'not_scheduled', message: 'The schedule, as it is today, does not name this moment.' }];
  if (time > at)
    return [
      { kind: 'not_due', message: 'The moment has not come yet.', at: time.toISOString() },
      ...explainDagNow(facts),
    ];
  const then = explainThen(facts, occurrence);
  return then.length > 0 ? then : [nothingStored];
}

/** What was skipped for its calendar names the holiday in its message, because nothing is wrong. */
export function skipMessage({ reason, error }: Pick<OccurrencesSkipped, 'reason' | 'error'>): string {
  return reason === 'calendar' && error !== undefined ? `It was skipped: ${error}.` : skipMessages[reason];
}

const skipMessages: Readonly<Record<SkipReason, string>> = {
  active: 'It was skipped, because a run of the DAG was active (overlap_policy: skip).',
  successful: 'It was skipped, because the DAG had succeeded since the occurrence before (skip_if_successful).',
  missed:
    'It was missed: no scheduler was active in time, or a newer occurrence replaced it. catch_up starts such runs.',
  calendar: 'Its calendar excludes the day.',
  refused: 'Its run was refused.',
  gone: 'The file of the DAG was removed or held another DAG.',
};

const nothingStored: DagExplanationCause = {
  kind: 'unknown',
  message:
    'It has no run, and nothing is stored that says why: its run or the entry of the event log was deleted, or the DAG was not there, suspended or scheduled differently at the time.',
};

function explainSkip({ reason, error }: OccurrencesSkipped, activeThen: SeenRuns): DagExplanationCause {
  return {
    kind: 'skipped',
    reason,
    message: skipMessage({ reason, error }),
    ...(reason === 'active' ? presentSeen(activeThen) : {}),
    ...(error === undefined || reason === 'calendar' ? {} : { error }),
  };
}

/** Explains an outcome by the facts of the time of the occurrence. */
function explainThen(facts: DagFacts, { time, settledUntil }: OccurrenceFacts): readonly DagExplanationCause[] {
  const { flag } = facts;
  const isSettled = settledUntil !== undefined && settledUntil >= time;
  return [
    ...(flag !== undefined && flag.updatedAt >= time && !flag.suspended ? [resumedAt(flag.updatedAt)] : []),
    ...(flag !== undefined && flag.updatedAt <= time ? explainSuspension(facts) : []),
    ...(isSettled ? [] : [notSettled, ...explainScheduler(facts)]),
  ];
}

function resumedAt(at: Date): DagExplanationCause {
  const message = 'The schedule was suspended until this time; what was due before is not started.';
  return { kind: 'dag_suspended', message, at: at.toISOString() };
}

const notSettled: DagExplanationCause = {
  kind: 'not_settled',
  message: 'No scheduler has come to this moment yet.',
};

function explainFile({ errors, hasSchedule, hasTriggers, calendars }: DagFacts): readonly DagExplanationCause[] {
  const [error] = errors;
  if (error !== undefined) {
    return [{ kind: 'dag_invalid', message: 'The file has errors, so its schedule is not followed.', error }];
  }
  return hasSchedule || hasTriggers || calendars.unknown.length > 0
    ? []
    : [{ kind: 'no_schedule', message: 'The DAG has no schedule, or all of its moments have passed.' }];
}

function explainCalendars({ calendars }: DagFacts): readonly DagExplanationCause[] {
  const { unknown, ended } = calendars;
  return [
    ...unknown.map((name) => ({
      kind: 'calendar_unknown' as const,
      message: unknownMessage(name),
    })),
    ...ended.map(({ name, through }) => ({
      kind: 'calendar_ended' as const,
      message: endedMessage(name, through),
    })),
  ];
}

function explainSuspension({ flag }: DagFacts): readonly DagExplanationCause[] {
  if (flag?.suspended !== true) return [];
  const message = 'The DAG is suspended since this time: its schedule starts nothing.';
  return [{ kind: 'dag_suspended', message, at: flag.updatedAt.toISOString() }];
}

function explainScheduler({ isSchedulerAlive }: DagFacts): readonly DagExplanationCause[] {
  return isSchedulerAlive ? [] : [{ kind: 'no_scheduler', message: 'No server with the role scheduler is active.' }];
}

function explainActive({ overlap, active, hasSchedule }: DagFacts): readonly DagExplanationCause[] {
  if (!hasSchedule || overlap !== 'skip' || active.visible.length + active.others === 0) return [];
  const message = 'Occurrences are skipped while a run of the DAG is active (overlap_policy: skip).';
  return [{ kind: 'run_active', message, ...presentSeen(active) }];
}

function presentSeen({ visible, others }: SeenRuns) {
  return { runs: visible.map(presentHolder), otherRuns: others };
}
