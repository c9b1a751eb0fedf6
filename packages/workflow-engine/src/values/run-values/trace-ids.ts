import { createHash } from 'node:crypto';
import type { DagRun } from '../../model/run-model/dag-run';

/** An execution of a run: a retry of the whole run has spans of its own. */
export type TracedRun = Pick<DagRun, 'id' | 'attempt'>;

/**
 * The ids of W3C Trace Context follow from the run, so that its steps, its child runs and a later owner of the run know
 * them without being told.
 */
export function traceIdOf(root: TracedRun): string {
  return digest(['trace', root.id, root.attempt], 32);
}

export function runSpanId(run: TracedRun): string {
  return digest(['run', run.id, run.attempt], 16);
}

/** @param node See `nodeKey`. */
export function stepSpanId(run: TracedRun, node: string): string {
  return digest(['step', run.id, run.attempt, node], 16);
}

/** The value of the header `traceparent` and of the variable `TRACEPARENT`, for a span that is recorded. */
export function traceParent(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`;
}

function digest(parts: readonly (string | number)[], length: number): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length);
}
