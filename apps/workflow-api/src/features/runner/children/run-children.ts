import type { StepEnd, StepOutcome } from '@weir/workflow-engine';
import { resolveField, type JsonObject, type JsonValue, type Scope } from '@weir/workflow-spec';
import { z } from 'zod';
import type { CarryOutDependencies } from '../carry-out-run';
import { inParallel } from '../in-parallel';
import type { ReadyRun } from '../open-run';
import { resolveItems } from '../resolve-items';
import { resolveTexts } from '../resolve-texts';
import { isStoreFailure } from '../run-recorder';
import { hiddenScope } from '../secrets/hidden-scope';
import { stepPlace } from '../step-command';
import type { ExecutedStep } from '../step-executor';
import { writeResult } from '../write-result';
import { enqueueChild, failureOfCall, runChild, type ChildCall, type ChildEnd } from './run-child';

const Json = z.custom<JsonValue>((value) => value !== undefined);
const Settings = z.object({ dag: z.string(), params: Json.optional(), queue: z.string().optional() });

/** Runs other DAGs for a step: one, or one for each item of `parallel`. */
export async function runChildren(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  executed: ExecutedStep,
): Promise<StepOutcome> {
  const { step, files, place } = executed;
  const { scope: own } = stepPlace({ values: open.values, upstream: place.upstream }, step, files);
  const scope = hiddenScope(own, open.values.masker);
  const isEnqueue = step.run.kind === 'action' && step.run.action === 'dag.enqueue';
  try {
    if (step.parallel === undefined) {
      const call = callOf(executed, scope);
      return await (isEnqueue ? enqueueOne : runOne)(dependencies, open, { executed, call });
    }
    const items = resolveItems(step.parallel.items, scope, { words: true });
    if ('problem' in items) return { status: 'failed', error: items.problem };
    const calls = distinct(items.map((item) => callOf(executed, { ...scope, item })));
    return await (isEnqueue ? enqueueAll : runAll)(dependencies, open, { executed, calls });
  } catch (error) {
    if (isStoreFailure(error)) open.giveUp(error);
    return failureOfCall(error);
  }
}

interface One {
  readonly executed: ExecutedStep;
  readonly call: ChildCall;
}

interface Many {
  readonly executed: ExecutedStep;
  readonly calls: readonly ChildCall[];
}

async function runOne(dependencies: CarryOutDependencies, open: ReadyRun, one: One): Promise<StepOutcome> {
  const end = await runChild(dependencies, open, one);
  const { executed } = one;
  if (end.status === 'waiting') return { status: 'waiting' };
  await writeResult(executed.files, end.result, open.values.masker);
  return { ...endOf([end], executed), outputs: { fields: [], declared: namedOf(end.result) } };
}

async function enqueueOne(dependencies: CarryOutDependencies, open: ReadyRun, one: One): Promise<StepOutcome> {
  const queued = await enqueueChild(dependencies, open, one);
  await writeResult(one.executed.files, queued, open.values.masker);
  return { status: 'succeeded', outputs: { fields: [], declared: namedOf(queued) } };
}

async function runAll(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  { executed, calls }: Many,
): Promise<StepOutcome> {
  const { signal, step, files } = executed;
  const atOnce = step.parallel?.maxConcurrent ?? 1;
  // Each settles: one that cannot be started must not end the step while others are at work.
  const ends = await inParallel(calls, { atOnce, signal }, (call) =>
    settledChild(dependencies, open, { executed, call }),
  );
  const lost = ends.find((end) => end !== undefined && 'lost' in end);
  if (lost !== undefined && 'lost' in lost) throw lost.lost;
  const done = ends.flatMap((end) => (end !== undefined && 'status' in end ? [end] : []));
  if (done.some(({ status }) => status === 'waiting')) return { status: 'waiting' };
  const succeeded = done.filter(({ status }) => status === 'succeeded' || status === 'partially_succeeded').length;
  const summary = { total: calls.length, succeeded, failed: calls.length - succeeded };
  const results = ends.map((end, index) => resultOrFailure(end, calls[index]));
  const outputs = done.map(({ result }) => result.outputs ?? {});
  const result = { summary, results, outputs };
  await writeResult(files, result, open.values.masker);
  return { ...allEnded(done, { executed, summary }), outputs: { fields: [], declared: namedOf(result) } };
}

type Settled = ChildEnd | { readonly failure: string } | { readonly lost: unknown };

async function settledChild(dependencies: CarryOutDependencies, open: ReadyRun, one: One): Promise<Settled> {
  try {
    return await runChild(dependencies, open, one);
  } catch (error) {
    if (!isStoreFailure(error)) return { failure: failureOfCall(error).error ?? '' };
    open.giveUp(error);
    return { lost: error };
  }
}

function resultOrFailure(end: Settled | undefined, call: ChildCall | undefined): JsonObject {
  if (end !== undefined && 'status' in end) return end.result;
  const error = end !== undefined && 'failure' in end ? end.failure : 'not started';
  return { name: call?.dag ?? '', params: call?.params ?? '', status: 'not_started', error };
}

async function enqueueAll(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  { executed, calls }: Many,
): Promise<StepOutcome> {
  const runs: JsonObject[] = [];
  for (const call of calls) {
    if (executed.signal.aborted) return { status: 'aborted', error: 'run stopped' };
    runs.push(await enqueueChild(dependencies, open, { executed, call }));
  }
  const result = { summary: { total: calls.length, queued: runs.length }, runs };
  await writeResult(executed.files, result, open.values.masker);
  return { status: 'succeeded', outputs: { fields: [], declared: namedOf(result) } };
}

function callOf({ step }: ExecutedStep, scope: Scope): ChildCall {
  const { dag, params, queue } = Settings.parse(step.run.kind === 'action' ? step.run.with : undefined);
  return {
    dag: resolveField(dag, scope),
    params: params === undefined ? '' : textOf(resolveTexts(params, scope)),
    queue: queue === undefined ? undefined : resolveField(queue, scope),
  };
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Equal items are run once. */
function distinct(calls: readonly ChildCall[]): readonly ChildCall[] {
  return [...new Map(calls.map((call) => [JSON.stringify([call.dag, call.params]), call])).values()];
}

function allEnded(
  ends: readonly ChildEnd[],
  {
    executed,
    summary,
  }: { readonly executed: ExecutedStep; readonly summary: { readonly total: number; readonly failed: number } },
): StepOutcome {
  if (executed.signal.aborted) return { status: 'aborted', error: 'run stopped' };
  if (summary.failed > 0) return { status: 'failed', error: `${summary.failed} of ${summary.total} runs failed` };
  return endOf(ends, executed);
}

function endOf(ends: readonly ChildEnd[], { signal }: ExecutedStep): StepOutcome {
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

function namedOf(result: JsonObject) {
  return Object.entries(result).map(([name, value]) => ({ name, value }));
}
