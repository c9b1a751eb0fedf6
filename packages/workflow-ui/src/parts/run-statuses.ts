import type { Schemas } from '../api/client';

export type RunStatusLabel = Schemas['StatusLabel'];

/** The labels of the statuses of a run; the index of each is its number in the API. */
export const runStatuses = [
  'not_started',
  'running',
  'failed',
  'aborted',
  'succeeded',
  'queued',
  'partially_succeeded',
  'waiting',
  'rejected',
] as const satisfies readonly RunStatusLabel[];

export function statusNumber(label: RunStatusLabel): number {
  return runStatuses.indexOf(label);
}
