import type { StepExecution } from '../../scope/loop/step-execution';
import type { JsonObject } from '@weir/workflow-spec';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { ChildCall } from './child-call';
import type { ChildEnd } from './run-child';

/** `lost`: the end of the run could not be read or stored. */
export type SettledChild = ChildEnd | { readonly failure: string } | { readonly lost: unknown };

interface ParallelSummary {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** Returns what a step publishes of the runs of all its items. */
export function toParallelResult(calls: readonly ChildCall[], ends: readonly (SettledChild | undefined)[]) {
  const ended = ends.flatMap((end) => (end !== undefined && 'status' in end ? [end] : []));
  const good = ended.filter(({ status }) => status === 'succeeded' || status === 'partially_succeeded');
  const succeeded = good.length;
  const summary: ParallelSummary = { total: calls.length, succeeded, failed: calls.length - succeeded };
  const results = ends.map((end, index) => toResultOrFailure(end, calls[index]));
  return { summary: { ...summary }, results, outputs: good.map(({ result }) => result.outputs ?? {}) };
}

export function toParallelOutcome(
  ends: readonly (SettledChild | undefined)[],
  { total, failed }: ParallelSummary,
  execution: StepExecution,
): StepOutcome {
  if (execution.signal.aborted) return { status: 'aborted', error: 'run stopped' };
  if (failed > 0) {
    const [why] = ends.flatMap((end) => describeFailure(end) ?? []);
    return { status: 'failed', error: `${failed} of ${total} runs failed${why === undefined ? '' : `; ${why}`}` };
  }
  return toOutcome(
    ends.flatMap((end) => (end !== undefined && 'status' in end ? [end] : [])),
    execution,
  );
}

function describeFailure(end: SettledChild | undefined): string | undefined {
  if (end === undefined || 'lost' in end) return undefined;
  if ('failure' in end) return end.failure;
  return isBad(end) ? describeEnd(end) : undefined;
}

function isBad({ status }: ChildEnd): boolean {
  return status === 'failed' || status === 'aborted';
}

export function toOutcome(ends: readonly ChildEnd[], { signal }: StepExecution): StepOutcome {
  if (signal.aborted) return { status: 'aborted', error: 'run stopped' };
  const bad = ends.find(isBad);
  if (bad !== undefined) return { status: 'failed', error: describeEnd(bad) };
  return { status: ends.some(({ status }) => status === 'partially_succeeded') ? 'partially_succeeded' : 'succeeded' };
}

function describeEnd({ run: { dagRunId, dagName, status }, cause }: ChildEnd): string {
  return `the run ${dagRunId} of the DAG "${dagName}" is ${status}${cause === undefined ? '' : `: ${cause}`}`;
}

function toResultOrFailure(end: SettledChild | undefined, call: ChildCall | undefined): JsonObject {
  if (end !== undefined && 'status' in end) return end.result;
  const error = end !== undefined && 'failure' in end ? end.failure : 'not started';
  return { name: call?.dag ?? '', params: call?.params ?? '', status: 'not_started', error };
}
