import type { Logger } from '@weir/service-kit';
import type { ScheduledDag } from './scheduled-dag';
import { occurrenceOutcomes, type OccurrenceOutcome } from './occurrence-outcome';

/** The reasons why an occurrence of a start has no run. */
export const skipReasons = [
  'active',
  'successful',
  'missed',
  'calendar',
  'refused',
  'gone',
] as const satisfies OccurrenceOutcome[];
export type SkipReason = (typeof skipReasons)[number];

/** Consecutive occurrences of starts that get no run for the same reason. */
export interface OccurrencesSkipped {
  readonly dagName: string;
  readonly workspace: string | null;
  readonly reason: SkipReason;
  readonly first: Date;
  readonly last: Date;
  readonly count: number;
  /** The reason why the run was refused, or why the calendar excludes the day. */
  readonly error?: string | undefined;
}

export interface OccurrenceCounts {
  /** Outcomes since the start of the process. */
  readonly all: Readonly<Record<OccurrenceOutcome, number>>;
  add(outcome: OccurrenceOutcome, dag: ScheduledDag, settled: SettledOccurrences): void;
}

export interface SettledOccurrences {
  /** At least one occurrence, in the order of time. */
  readonly occurrences: readonly Date[];
  /** The number of runs, where it differs from that of the occurrences. */
  readonly count?: number;
  readonly error?: string | undefined;
}

const done: ReadonlySet<OccurrenceOutcome> = new Set<OccurrenceOutcome>([
  'started',
  'caught_up',
  'stopped',
  'restarted',
]);

/** Counts and logs the outcomes of occurrences, and announces the skipped ones. */
export function createOccurrenceCounts(
  logger: Logger,
  announce: (skipped: OccurrencesSkipped, occurrences: readonly Date[]) => void,
): OccurrenceCounts {
  const all = Object.fromEntries(occurrenceOutcomes.map((outcome) => [outcome, 0])) as Record<
    OccurrenceOutcome,
    number
  >;
  return {
    all,
    add: (outcome, { name, workspace }, { occurrences, count = occurrences.length, error }) => {
      const [first] = occurrences;
      const last = occurrences.at(-1);
      if (first === undefined || last === undefined) return;
      all[outcome] += count;
      const fields = { dagName: name, occurrence: last, ...(count !== 1 && { count }), outcome };
      if (done.has(outcome)) logger.info(fields, 'occurrence done');
      else if (outcome === 'not_ended') logger.warn(fields, 'occurrence skipped');
      else logger.debug(fields, 'occurrence skipped');
      if (!isSkipReason(outcome)) return;
      announce({ dagName: name, workspace, reason: outcome, first, last, count, error }, occurrences);
    },
  };
}

function isSkipReason(outcome: OccurrenceOutcome): outcome is SkipReason {
  return (skipReasons as readonly OccurrenceOutcome[]).includes(outcome);
}
