import { createHash } from 'node:crypto';
import type { StartKind } from './due-actions';

/**
 * The id of the run of an occurrence. It is derived from the DAG and the occurrence, so a second scheduler, or this one
 * after a restart, finds that the run exists.
 */
export function occurrenceRunId(kind: StartKind | 'restart', dagName: string, occurrence: Date): string {
  const moment = occurrence.toISOString();
  const digest = createHash('sha256').update(`${dagName}\n${moment}`).digest('hex').slice(0, 12);
  return `${kind}-${digest}-${moment.replaceAll(/[-:]|\.\d+/g, '')}`;
}
