import { AppError } from '@weir/foundation';

export const schedulers = ['local', 'slurm'] as const;
export type Scheduler = (typeof schedulers)[number];

/** Throws `invalid_request`, reason `scheduler_unsupported`, for a scheduler under which agents cannot reach the proxy. */
export function checkScheduler(name: string): Scheduler {
  const scheduler = schedulers.find((known) => known === name);
  if (scheduler !== undefined) return scheduler;
  const why =
    name === 'ray'
      ? 'it moves actors between hosts and restarts them, while a session belongs to one proxy at a fixed address'
      : 'it is not known';
  throw new AppError(
    'invalid_request',
    `Agents need the scheduler ${schedulers.join(' or ')}; "${name.slice(0, 40)}" cannot be used: ${why}.`,
    { reason: 'scheduler_unsupported' },
  );
}
