import { isAppError } from '@weir/foundation';

/**
 * The outcome of an occurrence. `exists`: it already has a run. `active`: a run of the DAG is active and the overlap
 * policy is to skip. `successful`: the DAG succeeded since the previous occurrence. `missed`: too late, or superseded
 * by a newer occurrence. `calendar`: the calendar of the schedule excludes the day. `refused`: the DAG cannot be started. `gone`: its file was removed or holds another DAG.
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
  'calendar',
  'refused',
  'gone',
  'not_ended',
] as const;
export type OccurrenceOutcome = (typeof occurrenceOutcomes)[number];

/** Whether the same call may succeed a moment later, such as after the database was unreachable. */
export function isTransient(error: unknown): boolean {
  return !isAppError(error) || error.code === 'unavailable' || error.code === 'internal';
}
