import type { Schemas } from '../api/client';

/** Shorter waits are not worth a word. */
const leastMs = 1000;

/** From the moment at which a run was queued to its start; nothing for a run that did not start, or at once. */
export function queueWaitMs({
  queuedAt,
  createdAt,
  startedAt,
}: Pick<Schemas['DAGRunSummary'], 'queuedAt' | 'createdAt' | 'startedAt'>): number | undefined {
  const since = queuedAt ?? createdAt;
  if (since === undefined || startedAt === '') return undefined;
  const ms = Date.parse(startedAt) - Date.parse(since);
  return ms < leastMs ? undefined : ms;
}
