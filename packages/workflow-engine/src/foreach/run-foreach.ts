import path from 'node:path';
import { AppError } from '@weir/errors';
import { isRunningNode, isSuccessfulRun, type RunStatus } from '../statuses';
import { planDag, type Plan } from '../plan/plan';
import { stepLogLayout } from '../logs/log-layout';
import type { StepOutcome } from '../scope/step-ports';
import { newStep } from '../run-model/new-step';
import { nodeKey, type DagRunStep, type StepScope } from '../run-model/dag-run';
import { resolveField, type JsonValue, type Scope, type Step, type StepRun } from '@weir/workflow-spec';
import type { RunPorts } from '../run/execute-run';
import { mapConcurrently } from '../concurrency/map-concurrently';
import type { ReadyRun } from '../run/open-run';
import { resolveItems } from '../values/resolve-items';
import { executeScope } from '../scope/execute-scope';
import type { Upstream } from '../outputs/scope-outputs';
import { isStoreFailure, leaseLost } from '../scope/scope-recorder';
import { maskScope } from '../secrets/mask-scope';
import { resolveStep } from '../steps/step-command';
import type { StepExecution } from '../steps/step-executor';
import { writeResult } from '../steps/write-result';
import { resetFailedSteps } from './reset-failed-steps';

type Loop = Extract<StepRun, { kind: 'foreach' }>;

interface Iteration {
  readonly index: number;
  readonly item: JsonValue;
}

interface IterationEnd {
  readonly status: RunStatus;
  readonly collected: Readonly<Record<string, JsonValue>>;
}

/** Carries the body of a loop out once for each item. Turns that ended well before a break are not done again. */
export async function runForeach(
  dependencies: RunPorts,
  open: ReadyRun,
  executed: StepExecution,
): Promise<StepOutcome> {
  const { step, files, commandOptions, signal } = executed;
  const loop = getLoop(step);
  const { scope, env, cwd } = resolveStep({ values: open.values, upstream: commandOptions.upstream }, step, files);
  const maskedScope = maskScope(scope, open.values.masker);
  const items = await resolveLoopItems(dependencies, open, { executed, scope: maskedScope });
  if ('problem' in items) return { status: 'failed', error: items.problem };
  const keys = items.map((item, index) => resolveKey(loop, item, index, maskedScope));
  if (new Set(keys).size < keys.length) return { status: 'failed', error: 'two items of the loop have the same key' };
  const stored = await loadIterations(dependencies, open, executed);
  const plan = planDag(loop.steps);
  const values = { ...open.values, env, folder: cwd, isFolderKnown: true };
  const ends = await mapConcurrently(items, { concurrency: loop.maxConcurrent, signal }, async (item, index) => {
    const foreach = new Map([...(scope.foreach ?? []), [loop.as, item] as const]);
    const iterationValues = { ...values, scope: { ...open.values.scope, env: scope.env, foreach } };
    const iterationRun = { ...open, signal, values: iterationValues };
    try {
      return await executeIteration(dependencies, iterationRun, {
        executed,
        plan,
        stored,
        iteration: { index, item },
        inherited: commandOptions.upstream,
      });
    } catch (error) {
      // The other turns are left to the next owner of the run, too.
      if (isStoreFailure(error)) open.abandon(error);
      throw error;
    }
  });
  return finish(open, executed, { loop, items, keys, ends });
}

interface IterationOptions {
  readonly executed: StepExecution;
  readonly plan: Plan;
  readonly stored: ReadonlyMap<string, readonly DagRunStep[]>;
  readonly iteration: Iteration;
  readonly inherited: Upstream | undefined;
}

async function executeIteration(
  dependencies: RunPorts,
  open: ReadyRun,
  { executed, plan, stored, iteration: iterations, inherited }: IterationOptions,
): Promise<IterationEnd> {
  const loop = getLoop(executed.step);
  const scope = iterationScope(executed, iterations.index);
  const steps = stored.get(scope) ?? (await addIteration(dependencies, open, { scope, loop }));
  const { status, outputs } = await executeScope(dependencies, open, {
    scope,
    plan,
    steps: isSameAttempt(executed) ? steps : resetFailedSteps(plan, steps),
    inherited,
    maxActiveSteps: 0,
    toRunEnd: () => undefined,
  });
  const all = outputs.all();
  const scopeAfter = {
    ...open.values.scope,
    env: new Map(Object.entries({ ...open.values.env, ...all.env })),
    steps: all.steps,
  };
  const collected = loop.collect.map(
    ({ name, value }) => [name, parseCollected(resolveField(value, scopeAfter))] as const,
  );
  return { status, collected: Object.fromEntries(collected) };
}

/** Each iterations of a repeated loop is work of its own, and so is that of a loop whose work was begun anew. */
function iterationScope({ files, iterations }: StepExecution, index: number): StepScope {
  const suffix = files.iteration === 0 && iterations === 0 ? '' : `.${files.iteration}.${iterations}`;
  return `${nodeKey(files)}/${index}${suffix}`;
}

/** Whether it goes on with the attempt that was cut off: then what failed in it has failed. */
function isSameAttempt({ files, attempt }: StepExecution): boolean {
  return isRunningNode(files.status) && attempt === files.retryCount + files.doneCount + 1;
}

async function addIteration(
  { runs }: RunPorts,
  { run, lease, dag }: ReadyRun,
  { scope, loop }: { readonly scope: string; readonly loop: Loop },
): Promise<readonly DagRunStep[]> {
  const logs = stepLogLayout({
    folder: path.join(path.dirname(run.logFile), scope.replaceAll('/', '-')),
    stepNames: loop.steps.map(({ name }) => name),
    isMerged: (index) => (loop.steps[index]?.logOutput ?? dag.logOutput) === 'merged',
  });
  const steps = logs.map((log, position) =>
    newStep({ scope, position, name: loop.steps[position]?.name ?? '', ...log }),
  );
  if (!(await runs.addSteps(run.id, lease, steps))) throw leaseLost();
  return steps;
}

interface Finished {
  readonly loop: Loop;
  readonly items: readonly JsonValue[];
  readonly keys: readonly string[];
  readonly ends: readonly (IterationEnd | undefined)[];
}

async function finish(
  { values }: ReadyRun,
  { files, signal }: StepExecution,
  { loop, items, keys, ends }: Finished,
): Promise<StepOutcome> {
  const succeeded = ends.filter((end) => end !== undefined && isSuccessfulRun(end.status)).length;
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
  const printed = { summary, results, outputs: Object.fromEntries(outputs.map(({ name, value }) => [name, value])) };
  await writeResult(files, printed, values.masker);
  const published = { outputs: { fields: [], declared: outputs } };
  if (signal.aborted) return { status: 'aborted', error: 'run stopped' };
  if (summary.failed > 0) return { status: 'failed', error: `${summary.failed} of ${summary.total} iterations failed` };
  return { status: 'succeeded', ...published };
}

/** Worked out once: a run that goes on after a break has the items that it began with. */
async function resolveLoopItems(
  { runs }: RunPorts,
  { run, lease }: ReadyRun,
  { executed, scope }: { readonly executed: StepExecution; readonly scope: Scope },
): Promise<readonly JsonValue[] | { readonly problem: string }> {
  const { step, files } = executed;
  const memo = executed.scope.memos.get(files.position);
  if (memo !== null && typeof memo === 'object' && 'items' in memo) return memo.items as readonly JsonValue[];
  const items = resolveItems(getLoop(step).items, scope, { words: false });
  if ('problem' in items) return items;
  const patch = { scope: files.scope, position: files.position, memo: { items } };
  if (!(await runs.record(run.id, lease, [patch]))) throw leaseLost();
  return items;
}

function resolveKey({ key, as }: Loop, item: JsonValue, index: number, scope: Scope): string {
  if (key === undefined) return String(index);
  return resolveField(key, { ...scope, foreach: new Map([...(scope.foreach ?? []), [as, item]]) });
}

/** The turns that were begun before; none of a step that is new. */
async function loadIterations(
  { runs }: RunPorts,
  { run, lease }: ReadyRun,
  { files, attempt }: StepExecution,
): Promise<ReadonlyMap<string, readonly DagRunStep[]>> {
  // A loop inside another one may have begun in an earlier attempt of that one.
  const isUntouched = files.iteration === 0 && files.startedAt === null;
  const isNew = attempt === 1 && lease.token === 1 && run.attempt === 1 && isUntouched;
  if (isNew) return new Map();
  const prefix = `${nodeKey(files)}/`;
  const iterations = new Map<string, DagRunStep[]>();
  for (const node of await runs.listAllSteps(run.id)) {
    // Of this loop itself, and not of one inside it.
    if (!node.scope.startsWith(prefix) || node.scope.slice(prefix.length).includes('/')) continue;
    const scopeAfter = iterations.get(node.scope);
    if (scopeAfter === undefined) iterations.set(node.scope, [node]);
    else scopeAfter.push(node);
  }
  return iterations;
}

function getLoop({ run }: Step): Loop {
  if (run.kind !== 'foreach') throw new AppError('internal', `A step of kind ${run.kind} is no loop.`);
  return run;
}

/** What a step published as JSON stays JSON. */
function parseCollected(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Only looks like JSON.
    return text;
  }
}
