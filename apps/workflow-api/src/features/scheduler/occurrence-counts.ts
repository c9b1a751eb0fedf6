import type { Logger } from '@weir/service-kit';
import type { ScheduledDag } from './scheduled-dag';
import { occurrenceOutcomes, type OccurrenceOutcome } from './occurrence-outcome';

export interface OccurrenceCounts {
  /** Outcomes since the start of the process. */
  readonly all: Readonly<Record<OccurrenceOutcome, number>>;
  add(
    outcome: OccurrenceOutcome,
    dag: ScheduledDag,
    fields: { readonly occurrence?: Date; readonly count?: number },
  ): void;
}

const done: ReadonlySet<OccurrenceOutcome> = new Set<OccurrenceOutcome>([
  'started',
  'caught_up',
  'stopped',
  'restarted',
]);

/** Counts and logs the outcomes of occurrences. */
export function createOccurrenceCounts(logger: Logger): OccurrenceCounts {
  const all = Object.fromEntries(occurrenceOutcomes.map((outcome) => [outcome, 0])) as Record<
    OccurrenceOutcome,
    number
  >;
  return {
    all,
    add: (outcome, { name }, { occurrence, count = 1 }) => {
      all[outcome] += count;
      const fields = {
        dagName: name,
        ...(occurrence !== undefined && { occurrence }),
        ...(count !== 1 && { count }),
        outcome,
      };
      if (done.has(outcome)) logger.info(fields, 'occurrence done');
      else if (outcome === 'not_ended') logger.warn(fields, 'occurrence skipped');
      else logger.debug(fields, 'occurrence skipped');
    },
  };
}
