import type { Schemas } from '../../api/client';

type Run = Pick<Schemas['DAGRunDetails'], 'startedAt' | 'finishedAt' | 'statusLabel'>;

export interface RunStatistics {
  /** The number of runs that ended without being stopped. */
  readonly ended: number;
  /** The part of them that succeeded, at least partially; `undefined` without any. */
  readonly successRate: number | undefined;
  /** The median of successful runs. */
  readonly medianMs: number | undefined;
  readonly slowMs: number | undefined;
}

const succeeded: ReadonlySet<string> = new Set(['succeeded', 'partially_succeeded']);
const failed: ReadonlySet<string> = new Set(['failed', 'rejected']);

/** Summarises runs: aborted ones say nothing about the DAG, and failed ones nothing about its duration. */
export function summariseRuns(runs: readonly Run[]): RunStatistics {
  const good = runs.filter(({ statusLabel }) => succeeded.has(statusLabel));
  const ended = good.length + runs.filter(({ statusLabel }) => failed.has(statusLabel)).length;
  const durations = good.flatMap((run) => durationOf(run) ?? []).sort((one, other) => one - other);
  return {
    ended,
    successRate: ended === 0 ? undefined : good.length / ended,
    medianMs: percentile(durations, 0.5),
    slowMs: percentile(durations, 0.95),
  };
}

/** Returns `undefined` for a run that has not ended. */
export function durationOf({ startedAt, finishedAt }: Pick<Run, 'startedAt' | 'finishedAt'>): number | undefined {
  return startedAt === '' || finishedAt === '' ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
}

/** Returns the smallest value that at least the given part of the sorted values does not exceed. */
function percentile(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
}
