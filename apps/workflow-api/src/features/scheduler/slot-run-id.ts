import { createHash } from 'node:crypto';
import type { StartKind } from './due-actions';

/**
 * The id of the run of a slot. It follows from the DAG and the slot, so whoever comes second, be it another scheduler
 * or this one after a restart, finds it taken.
 */
export function slotRunId(kind: StartKind | 'restart', dagName: string, slot: Date): string {
  const moment = slot.toISOString();
  const digest = createHash('sha256').update(`${dagName}\n${moment}`).digest('hex').slice(0, 12);
  return `${kind}-${digest}-${moment.replaceAll(/[-:]|\.\d+/g, '')}`;
}
