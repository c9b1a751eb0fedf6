import { createHash } from 'node:crypto';
import type { StartKind } from './due-actions';

/**
 * The id of the run of an occurrence. It is derived from the DAG and the occurrence, so a second scheduler, or this one
 * after a restart, finds that the run exists. Whether it is caught up is no part of it: by the clock of one scheduler it
 * may be, and by that of another one still be on time.
 */
export function occurrenceRunId(kind: StartKind | 'restart', dagName: string, occurrence: Date): string {
  return formatRunId(kind === 'catchup' ? 'scheduled' : kind, dagName, occurrence);
}

/** The ids of which the run of an occurrence has one; `catchup-…` is of runs that an earlier version caught up. */
export function listOccurrenceRunIds(dagName: string, occurrence: Date): readonly string[] {
  return ['scheduled', 'oneoff', 'catchup'].map((prefix) => formatRunId(prefix, dagName, occurrence));
}

function formatRunId(prefix: string, dagName: string, occurrence: Date): string {
  const moment = occurrence.toISOString();
  const digest = createHash('sha256').update(`${dagName}\n${moment}`).digest('hex').slice(0, 12);
  return `${prefix}-${digest}-${moment.replaceAll(/[-:]|\.\d+/g, '')}`;
}
