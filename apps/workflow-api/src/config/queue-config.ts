import type { Variables, VariableValues } from '@weir/service-kit';
import { QueueLimits } from '../features/queue/queue-limits';

/** How many runs are executed at the same time. */
export const queueVariables = {
  WEIR_QUEUES: {
    schema: QueueLimits.default(new Map()),
    defaultText: 'none',
    description:
      'Queues that DAGs may share, each with its number of slots: `reports=2,etl=4`. Every other queue has one slot.',
  },
} as const satisfies Variables;

export interface QueueConfig {
  /** Capacity of the named queues. */
  readonly queues: ReadonlyMap<string, number>;
}

export function readQueueConfig(values: VariableValues<typeof queueVariables>): QueueConfig {
  return { queues: values.WEIR_QUEUES };
}
