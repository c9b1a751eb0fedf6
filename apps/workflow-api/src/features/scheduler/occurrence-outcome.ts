import { isAppError } from '@weir/errors';

/**
 * What became of an occurrence. `exists`: it has its run already. `active`: a run of the DAG is under way, and its overlap
 * policy is to skip. `successful`: the DAG succeeded since the occurrence before. `missed`: too late, or in favour of a newer
 * occurrence. `refused`: the DAG cannot be started as it is. `gone`: its file is not there any more, or is another DAG's.
 */
export const occurrenceOutcomes = [
  'started',
  'caught_up',
  'stopped',
  'restarted',
  'exists',
  'active',
  'successful',
  'missed',
  'refused',
  'gone',
  'not_ended',
] as const;
export type OccurrenceOutcome = (typeof occurrenceOutcomes)[number];

/** Whether the same may work a moment later, as when the database is not there. */
export function isTransient(error: unknown): boolean {
  return !isAppError(error) || error.code === 'unavailable' || error.code === 'internal';
}
