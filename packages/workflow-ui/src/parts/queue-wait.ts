import type { Schemas } from '../api/client';

/** Shorter waits are not shown. */
const leastMs = 1000;

/** Returns the time from queueing a run to its start; `undefined` for a run that did not start, or that started at once. */
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
