/** The shape and the colour of a run or a step; either alone distinguishes the kinds. */
export type StatusKind =
  | 'succeeded'
  | 'partially_succeeded'
  | 'failed'
  | 'rejected'
  | 'running'
  | 'retrying'
  | 'waiting'
  | 'queued'
  | 'skipped'
  | 'aborted'
  | 'not_started';

export type StatusTone = 'success' | 'failed' | 'running' | 'waiting' | 'queued' | 'none';

/** Every kind with its colour. */
export const statusTones: Readonly<Record<StatusKind, StatusTone>> = {
  succeeded: 'success',
  partially_succeeded: 'success',
  failed: 'failed',
  rejected: 'failed',
  running: 'running',
  retrying: 'running',
  waiting: 'waiting',
  queued: 'queued',
  skipped: 'none',
  aborted: 'none',
  not_started: 'none',
};

/** Every kind, in the order in which lists and legends have them. */
export const statusKinds = Object.keys(statusTones) as readonly StatusKind[];
