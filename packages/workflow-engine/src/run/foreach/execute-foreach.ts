import type { JsonValue } from '@weir/workflow-spec';
import { resolveField, type Scope } from '@weir/workflow-spec/values';
import { mapConcurrently } from '../../host/concurrency/map-concurrently';
import { planDag, type Plan } from '../../model/plan/plan';
import { isStoreFailure } from '../../model/ports/lease-lost';
import type { RunContext } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { DagRunStep } from '../../model/run-model/dag-run';
import { executeScope } from '../../scope/execute-scope';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { maskScope } from '../../values/masking/mask-scope';
import { runStatus, type RunStatus } from '../../model/statuses/run-status';
import { resolveStep } from '../../values/run-values/resolve-step';
import { writeResult } from '../../scope/steps/write-result';
import type { RunValues } from '../../values/run-values/run-values';
import { addIteration, iterationScope, loadIterations } from './iterations';
import { getLoop, itemValues, resolveItemKey, resolveLoopItems, type Loop } from './loop-items';
import { stepsToRetry } from '../../model/plan/retry-steps';
import { nodeStatus } from '../../model/statuses/node-status';

interface LoopExecution {
  readonly execution: StepExecution;
  readonly loop: Loop;
  readonly plan: Plan;
  readonly items: readonly JsonValue[];
  readonly keys: readonly string[];
  /** The steps of the iterations that started before the run was interrupted, by scope. */
  readonly stored: ReadonlyMap<string, readonly DagRunStep[]>;
  /** Returns the values of an iteration over the item at this index. */
  readonly toValues: (index: number) => RunValues;
}

interface IterationEnd {
  readonly status: RunStatus;
  readonly collected: Readonly<Record<string, JsonValue>>;
  /** Of the first step that failed. */
  readonly error?: string | undefined;
}

/** Executes the body of a loop for each item. Iterations that succeeded before an interruption are not repeated. */
export async function executeForeach(context: RunContext, execution: StepExecution): Promise<StepOutcome> {
  const { step, values } = execution;
  const loop = getLoop(step);
  const { scope, env, cwd } = resolveStep(execution);
  const maskedScope = maskScope(scope, values.masker);
  const items = await resolveLoopItems(context, execution, maskedScope);
  if ('problem' in items) return { status: 'failed', error: items.problem };
  const keys = items.map((item, index) => resolveItemKey(loop, { item, index }, maskedScope));
  if (new Set(keys).size < keys.length) return { status: 'failed', error: 'two items of the loop have the same key' };
  const stored = await loadIterations(context, execution);
  const toValues = (index: number): RunValues => {
    const key = keys[index] ?? '';
    const foreach = new Map([
      ...(scope.foreach ?? []),
      ...itemValues(loop, { item: items[index] ?? null, index, key }),
    ]);
    return { ...values, env, folder: cwd, isFolderKnown: true, scope: { ...values.scope, env: scope.env, foreach } };
  };
  const looped = { execution, loop, plan: planDag(loop.steps), items, keys, stored, toValues };
  return finish(context, looped, await executeIterations(context, looped));
}

function executeIterations(context: RunContext, looped: LoopExecution): Promise<readonly (IterationEnd | undefined)[]> {
  const { loop, items, execution } = looped;
  return mapConcurrently(items, { concurrency: loop.maxConcurrent, signal: execution.signal }, async (_, index) => {
    try {
      return await executeIteration(context, looped, index);
    } catch (error) {
      // The other iterations are released for the next owner of the run, too.
      if (isStoreFailure(error)) context.abandon(error);
      throw error;
    }
  });
}

async function executeIteration(
  context: RunContext,
  { execution, loop, plan, stored, toValues }: LoopExecution,
  index: number,
): Promise<IterationEnd> {
  const scope = iterationScope(execution, index);
  const steps = stored.get(scope) ?? (await addIteration(context, loop.steps, scope));
  const values = toValues(index);
  const { status, outputs } = await executeScope(context, {
    scope,
    plan,
    steps: isSameAttempt(execution) ? steps : resetFailedSteps(plan, steps),
    values,
    stop: execution.signal,
    inherited: execution.upstream,
    maxActiveSteps: 0,
  });
  const published = outputs.all();
  const scopeAfter = {
    ...values.scope,
    env: new Map(Object.entries({ ...values.env, ...published.env })),
    steps: published.steps,
  };
  const collected = loop.collect.map(({ name, value }) => [name, collectValue(value, scopeAfter)] as const);
  const error = runStatus.isSuccessful(status) ? undefined : await findError(context, scope);
  return { status, error, collected: Object.fromEntries(collected) };
}

async function findError({ ports, run }: RunContext, scope: string): Promise<string | undefined> {
  const steps = await ports.runs.listSteps(run.id, scope);
  const failed = steps.find(({ status, error }) => nodeStatus.isFailed(status) && error !== null);
  return failed && `${failed.name}: ${failed.error ?? ''}`;
}

/** What a step of the iteration did not publish is nothing, and not the text of the reference. */
function collectValue(text: string, scope: Scope): JsonValue {
  const unresolved: string[] = [];
  const value = resolveField(text, { ...scope, unresolved: (reference) => unresolved.push(reference) });
  return unresolved.length === 0 ? parseCollected(value) : null;
}

async function finish(
  { values }: RunContext,
  { execution, loop, items, keys }: LoopExecution,
  ends: readonly (IterationEnd | undefined)[],
): Promise<StepOutcome> {
  const succeeded = ends.filter((end) => end !== undefined && runStatus.isSuccessful(end.status)).length;
  const summary = { total: items.length, succeeded, failed: items.length - succeeded };
  const results = items.map((item, index) => ({
    index,
    ...(loop.key === undefined ? {} : { key: keys[index] ?? '' }),
    item,
    status: ends[index]?.status ?? 'not_started',
  }));
  const outputs = loop.collect.map(({ name }) => ({
    name,
    value: ends.map((end) => end?.collected[name] ?? null),
  }));
  const iterations = items.map((_, index) => ({
    index,
    key: keys[index] ?? '',
    status: ends[index]?.status ?? 'not_started',
    ...(ends[index]?.error === undefined ? {} : { error: ends[index].error }),
    outputs: ends[index]?.collected ?? {},
  }));
  const printed = {
    summary,
    results,
    items: iterations,
    outputs: Object.fromEntries(outputs.map(({ name, value }) => [name, value])),
  };
  await writeResult(execution.stored, printed, values.masker);
  if (execution.signal.aborted) return { status: 'aborted', error: 'run stopped' };
  if (summary.failed > 0) return { status: 'failed', error: `${summary.failed} of ${summary.total} iterations failed` };
  return { status: 'succeeded', outputs: { fields: [], declared: outputs } };
}

/** A value that a step published as JSON stays JSON. */
function parseCollected(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Only looks like JSON.
    return text;
  }
}

/** Whether the execution resumes the attempt that was interrupted: what failed in it has failed. */
function isSameAttempt({ stored, attempt }: StepExecution): boolean {
  return nodeStatus.isRunning(stored.status) && attempt === stored.retryCount + stored.doneCount + 1;
}

/**
 * The steps of an iteration as the next attempt finds them: those that succeeded keep their end, those that failed
 * execute again. An iteration that was interrupted is resumed.
 */
function resetFailedSteps(plan: Plan, steps: readonly DagRunStep[]): readonly DagRunStep[] {
  const statuses = steps.map(({ status }) => status);
  if (statuses.some((status) => nodeStatus.isBusy(status))) return steps;
  const retried = new Set(stepsToRetry(plan, statuses));
  return steps.map((step, index) =>
    retried.has(index) ? { ...step, status: 'not_started', retryCount: 0, doneCount: 0 } : step,
  );
}
