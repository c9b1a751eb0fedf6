import { createHash } from 'node:crypto';
import type { StartKind } from './due-actions';

/**
 * The id of the run of an occurrence. It follows from the DAG and the occurrence, so whoever comes second, be it another scheduler
 * or this one after a restart, finds it taken.
 */
export function occurrenceRunId(kind: StartKind | 'restart', dagName: string, occurrence: Date): string {
  const moment = occurrence.toISOString();
  const digest = createHash('sha256').update(`${dagName}\n${moment}`).digest('hex').slice(0, 12);
  return `${kind}-${digest}-${moment.replaceAll(/[-:]|\.\d+/g, '')}`;
}
