import type { StepEnd } from '../statuses';
import type { StepOutcome } from '../scope/step-ports';
import { resolveField, type JsonObject, type JsonValue, type Scope } from '@weir/workflow-spec';
import type { RunPorts } from '../run/execute-run';
import { mapConcurrently } from '../concurrency/map-concurrently';
import type { ReadyRun } from '../run/open-run';
import { resolveItems } from '../values/resolve-items';
import { resolveTexts } from '../values/resolve-texts';
import { isStoreFailure } from '../scope/scope-recorder';
import { maskScope } from '../secrets/mask-scope';
import { resolveStep } from '../steps/step-command';
import type { StepExecution } from '../steps/step-executor';
import { writeResult } from '../steps/write-result';
import { enqueueChild, toFailedOutcome, runChild, type ChildCall, type ChildEnd } from './run-child';

/** Runs other DAGs for a step: one, or one for each item of `parallel`. */
export async function runChildren(
  dependencies: RunPorts,
  open: ReadyRun,
  executed: StepExecution,
): Promise<StepOutcome> {
  const { step, files, commandOptions } = executed;
  const { scope: own } = resolveStep({ values: open.values, upstream: commandOptions.upstream }, step, files);
  const scope = maskScope(own, open.values.masker);
  const isEnqueue = step.run.kind === 'action' && step.run.action === 'dag.enqueue';
  try {
    if (step.parallel === undefined) {
      const call = toCall(executed, scope);
      return await (isEnqueue ? enqueueSingle : runSingle)(dependencies, open, { executed, call });
    }
    const items = resolveItems(step.parallel.items, scope, { words: true });
    if ('problem' in items) return { status: 'failed', error: items.problem };
    const calls = distinct(items.map((item) => toCall(executed, { ...scope, item })));
    return await (isEnqueue ? enqueueAll : runAll)(dependencies, open, { executed, calls });
  } catch (error) {
    if (isStoreFailure(error)) open.abandon(error);
    return toFailedOutcome(error);
  }
}

interface SingleCall {
  readonly executed: StepExecution;
  readonly call: ChildCall;
}

interface ParallelCalls {
  readonly executed: StepExecution;
  readonly calls: readonly ChildCall[];
}

async function runSingle(dependencies: RunPorts, open: ReadyRun, one: SingleCall): Promise<StepOutcome> {
  const end = await runChild(dependencies, open, one);
  const { executed } = one;
  if (end.status === 'waiting') return { status: 'waiting' };
  await writeResult(executed.files, end.result, open.values.masker);
  return { ...toOutcome([end], executed), outputs: { fields: [], declared: toNamedOutputs(end.result) } };
}

async function enqueueSingle(dependencies: RunPorts, open: ReadyRun, one: SingleCall): Promise<StepOutcome> {
  const queued = await enqueueChild(dependencies, open, one);
  await writeResult(one.executed.files, queued, open.values.masker);
  return { status: 'succeeded', outputs: { fields: [], declared: toNamedOutputs(queued) } };
}

async function runAll(
  dependencies: RunPorts,
  open: ReadyRun,
  { executed, calls }: ParallelCalls,
): Promise<StepOutcome> {
  const { signal, step, files } = executed;
  const concurrency = step.parallel?.maxConcurrent ?? 1;
  // Each settles: one that cannot be started must not end the step while others are at work.
  const ends = await mapConcurrently(calls, { concurrency, signal }, (call) =>
    settleChild(dependencies, open, { executed, call }),
  );
  const lost = ends.find((end) => end !== undefined && 'lost' in end);
  if (lost !== undefined && 'lost' in lost) throw lost.lost;
  const ended = ends.flatMap((end) => (end !== undefined && 'status' in end ? [end] : []));
  if (ended.some(({ status }) => status === 'waiting')) return { status: 'waiting' };
  const succeeded = ended.filter(({ status }) => status === 'succeeded' || status === 'partially_succeeded').length;
  const summary = { total: calls.length, succeeded, failed: calls.length - succeeded };
  const results = ends.map((end, index) => resultOrFailure(end, calls[index]));
  const outputs = ended.map(({ result }) => result.outputs ?? {});
  const result = { summary, results, outputs };
  await writeResult(files, result, open.values.masker);
  return {
    ...toParallelOutcome(ended, { executed, summary }),
    outputs: { fields: [], declared: toNamedOutputs(result) },
  };
}

type Settled = ChildEnd | { readonly failure: string } | { readonly lost: unknown };

async function settleChild(dependencies: RunPorts, open: ReadyRun, one: SingleCall): Promise<Settled> {
  try {
    return await runChild(dependencies, open, one);
  } catch (error) {
    if (!isStoreFailure(error)) return { failure: toFailedOutcome(error).error ?? '' };
    open.abandon(error);
    return { lost: error };
  }
}

function resultOrFailure(end: Settled | undefined, call: ChildCall | undefined): JsonObject {
  if (end !== undefined && 'status' in end) return end.result;
  const error = end !== undefined && 'failure' in end ? end.failure : 'not started';
  return { name: call?.dag ?? '', params: call?.params ?? '', status: 'not_started', error };
}

async function enqueueAll(
  dependencies: RunPorts,
  open: ReadyRun,
  { executed, calls }: ParallelCalls,
): Promise<StepOutcome> {
  const runs: JsonObject[] = [];
  for (const call of calls) {
    if (executed.signal.aborted) return { status: 'aborted', error: 'run stopped' };
    runs.push(await enqueueChild(dependencies, open, { executed, call }));
  }
  const result = { summary: { total: calls.length, queued: runs.length }, runs };
  await writeResult(executed.files, result, open.values.masker);
  return { status: 'succeeded', outputs: { fields: [], declared: toNamedOutputs(result) } };
}

function toCall({ step }: StepExecution, scope: Scope): ChildCall {
  const { dag, params, queue } = step.run.kind === 'action' ? step.run.with : {};
  return {
    dag: resolveField(typeof dag === 'string' ? dag : '', scope),
    params: params === undefined ? '' : toText(resolveTexts(params, scope)),
    queue: typeof queue === 'string' ? resolveField(queue, scope) : undefined,
  };
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Equal items are run once. */
function distinct(calls: readonly ChildCall[]): readonly ChildCall[] {
  return [...new Map(calls.map((call) => [JSON.stringify([call.dag, call.params]), call])).values()];
}

function toParallelOutcome(
  ends: readonly ChildEnd[],
  {
    executed,
    summary,
  }: { readonly executed: StepExecution; readonly summary: { readonly total: number; readonly failed: number } },
): StepOutcome {
  if (executed.signal.aborted) return { status: 'aborted', error: 'run stopped' };
  if (summary.failed > 0) return { status: 'failed', error: `${summary.failed} of ${summary.total} runs failed` };
  return toOutcome(ends, executed);
}

function toOutcome(ends: readonly ChildEnd[], { signal }: StepExecution): StepOutcome {
  if (signal.aborted) return { status: 'aborted', error: 'run stopped' };
  const bad = ends.find(({ status }) => status === 'failed' || status === 'aborted');
  if (bad !== undefined) {
    return {
      status: 'failed',
      error: `the run ${bad.run.dagRunId} of the DAG "${bad.run.dagName}" is ${bad.run.status}`,
    };
  }
  const status: StepEnd = ends.some((end) => end.status === 'partially_succeeded')
    ? 'partially_succeeded'
    : 'succeeded';
  return { status };
}

function toNamedOutputs(result: JsonObject) {
  return Object.entries(result).map(([name, value]) => ({ name, value }));
}
