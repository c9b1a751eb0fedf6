import type { Logger } from '@weir/service-kit';
import type { ScheduledDag } from './scheduled-dag';
import { slotOutcomes, type SlotOutcome } from './slot-outcome';

export interface SlotCounts {
  /** What became of slots since the start of the process. */
  readonly all: Readonly<Record<SlotOutcome, number>>;
  add(outcome: SlotOutcome, dag: ScheduledDag, fields: { readonly slot?: Date; readonly count?: number }): void;
}

const done: ReadonlySet<SlotOutcome> = new Set<SlotOutcome>(['started', 'caught_up', 'stopped', 'restarted']);

/** Counts what becomes of slots, and logs it. */
export function createSlotCounts(logger: Logger): SlotCounts {
  const all = Object.fromEntries(slotOutcomes.map((outcome) => [outcome, 0])) as Record<SlotOutcome, number>;
  return {
    all,
    add: (outcome, { name }, { slot, count = 1 }) => {
      all[outcome] += count;
      const fields = { dagName: name, ...(slot !== undefined && { slot }), ...(count !== 1 && { count }), outcome };
      if (done.has(outcome)) logger.info(fields, 'slot done');
      else if (outcome === 'not_ended') logger.warn(fields, 'slot skipped');
      else logger.debug(fields, 'slot skipped');
    },
  };
}
