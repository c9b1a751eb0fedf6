import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';

const maxSlots = 10_000;
const queuePattern = /^([A-Za-z0-9_.-]{1,64})=([1-9]\d{0,4})$/;

/** Parses `reports=2,etl=4`, the number of slots of each named queue. */
const QueueLimits = z.string().transform((text, context): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>();
  for (const entry of text.split(',').flatMap((part) => part.trim() || [])) {
    const [, name = '', slots = ''] = queuePattern.exec(entry) ?? [];
    if (name === '' || Number(slots) > maxSlots) {
      context.addIssue({ code: 'custom', message: 'must be comma-separated entries such as reports=2' });
    } else if (limits.has(name)) {
      context.addIssue({ code: 'custom', message: `names the queue ${name} twice` });
    }
    limits.set(name, Number(slots));
  }
  return limits;
});

/** Limits how many runs are executed at the same time. */
export const queueVariables = {
  WEIR_QUEUES: {
    schema: QueueLimits.default(new Map()),
    defaultText: 'none',
    description:
      'Queues that DAGs may share, each with its number of slots: `reports=2,etl=4`. Every other queue has one slot.',
  },
  WEIR_QUEUE_MAX_FAILURES: {
    schema: z.coerce.number().int().min(1).max(1_000).default(10),
    defaultText: '`10`',
    description:
      'How often workers may be lost with a run, or be unable to execute it, before it is given up, from 1 to 1,000. A step that passes in between starts the count again.',
  },
} as const satisfies Variables;

export interface QueueConfig {
  /** The number of slots of each named queue. */
  readonly queues: ReadonlyMap<string, number>;
  /** After this many failures of workers, a run is given up. */
  readonly maxFailures: number;
}

export function readQueueConfig(values: VariableValues<typeof queueVariables>): QueueConfig {
  return { queues: values.WEIR_QUEUES, maxFailures: values.WEIR_QUEUE_MAX_FAILURES };
}
