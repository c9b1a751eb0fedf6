import { createHash } from 'node:crypto';
import type { StartKind } from './due-actions';

/**
 * Returns the id of the run of an occurrence. It is derived from the DAG and the occurrence, so a second scheduler,
 * or this one after a restart, finds that the run exists. Catch-up does not affect the id: an occurrence may be late
 * by the clock of one scheduler and on time by another's.
 */
export function occurrenceRunId(kind: StartKind | 'restart', dagName: string, occurrence: Date): string {
  return formatRunId(kind === 'catchup' ? 'scheduled' : kind, dagName, occurrence);
}

/** Lists the possible ids of the run of an occurrence; an earlier version named caught-up runs `catchup-…`. */
export function listOccurrenceRunIds(dagName: string, occurrence: Date): readonly string[] {
  return ['scheduled', 'oneoff', 'catchup'].map((prefix) => formatRunId(prefix, dagName, occurrence));
}

function formatRunId(prefix: string, dagName: string, occurrence: Date): string {
  const moment = occurrence.toISOString();
  const digest = createHash('sha256').update(`${dagName}\n${moment}`).digest('hex').slice(0, 12);
  return `${prefix}-${digest}-${moment.replaceAll(/[-:]|\.\d+/g, '')}`;
}
