import path from 'node:path';
import { AppError } from '@weir/errors';
import {
  isRunningNode,
  isSuccessfulRun,
  planDag,
  stepLogLayout,
  type Plan,
  type RunStatus,
  type StepOutcome,
} from '@weir/workflow-engine';
import { resolveField, type JsonValue, type Scope, type Step, type StepRun } from '@weir/workflow-spec';
import { newStep, nodeKey, type DagRunStep, type StepScope } from '../../dag-runs';
import type { CarryOutDependencies } from '../carry-out-run';
import { inParallel } from '../in-parallel';
import type { ReadyRun } from '../open-run';
import { resolveItems } from '../resolve-items';
import { runFrame } from '../run-frame';
import type { Upstream } from '../run-outputs';
import { isStoreFailure, runLost } from '../run-recorder';
import { hiddenScope } from '../secrets/hidden-scope';
import { stepPlace } from '../step-command';
import type { ExecutedStep } from '../step-executor';
import { writeResult } from '../write-result';
import { turnsToAgain } from './turns-again';

type Loop = Extract<StepRun, { kind: 'foreach' }>;

interface Turn {
  readonly index: number;
  readonly item: JsonValue;
}

interface TurnEnd {
  readonly status: RunStatus;
  readonly collected: Readonly<Record<string, JsonValue>>;
}

/** Carries the body of a loop out once for each item. Turns that ended well before a break are not done again. */
export async function runForeach(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  executed: ExecutedStep,
): Promise<StepOutcome> {
  const { step, files, place, signal } = executed;
  const loop = loopOf(step);
  const { scope, env, cwd } = stepPlace({ values: open.values, upstream: place.upstream }, step, files);
  const shown = hiddenScope(scope, open.values.masker);
  const items = await itemsOf(dependencies, open, { executed, scope: shown });
  if ('problem' in items) return { status: 'failed', error: items.problem };
  const keys = items.map((item, index) => keyOf(loop, item, index, shown));
  if (new Set(keys).size < keys.length) return { status: 'failed', error: 'two items of the loop have the same key' };
  const stored = await storedTurns(dependencies, open, executed);
  const plan = planDag(loop.steps);
  const values = { ...open.values, env, folder: cwd, isFolderKnown: true };
  const ends = await inParallel(items, { atOnce: loop.maxConcurrent, signal }, async (item, index) => {
    const foreach = new Map([...(scope.foreach ?? []), [loop.as, item] as const]);
    const turnValues = { ...values, scope: { ...open.values.scope, env: scope.env, foreach } };
    const turnOpen = { ...open, signal, values: turnValues };
    try {
      return await runTurn(dependencies, turnOpen, {
        executed,
        plan,
        stored,
        turn: { index, item },
        base: place.upstream,
      });
    } catch (error) {
      // The other turns are left to the next owner of the run, too.
      if (isStoreFailure(error)) open.giveUp(error);
      throw error;
    }
  });
  return finish(open, executed, { loop, items, keys, ends });
}

interface TurnOptions {
  readonly executed: ExecutedStep;
  readonly plan: Plan;
  readonly stored: ReadonlyMap<string, readonly DagRunStep[]>;
  readonly turn: Turn;
  readonly base: Upstream | undefined;
}

async function runTurn(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  { executed, plan, stored, turn, base }: TurnOptions,
): Promise<TurnEnd> {
  const loop = loopOf(executed.step);
  const scope = turnScope(executed, turn.index);
  const rows = stored.get(scope) ?? (await addTurn(dependencies, open, { scope, loop }));
  const { status, outputs } = await runFrame(dependencies, open, {
    scope,
    plan,
    rows: isSameAttempt(executed) ? rows : turnsToAgain(plan, rows),
    base,
    maxActiveSteps: 0,
    endOf: () => undefined,
  });
  const all = outputs.all();
  const known = {
    ...open.values.scope,
    env: new Map(Object.entries({ ...open.values.env, ...all.env })),
    steps: all.steps,
  };
  const collected = loop.collect.map(({ name, value }) => [name, fromText(resolveField(value, known))] as const);
  return { status, collected: Object.fromEntries(collected) };
}

/** Each turn of a repeated loop is work of its own, and so is that of a loop whose work was begun anew. */
function turnScope({ files, turn }: ExecutedStep, index: number): StepScope {
  const times = files.iteration === 0 && turn === 0 ? '' : `.${files.iteration}.${turn}`;
  return `${nodeKey(files)}/${index}${times}`;
}

/** Whether it goes on with the attempt that was cut off: then what failed in it has failed. */
function isSameAttempt({ files, attempt }: ExecutedStep): boolean {
  return isRunningNode(files.status) && attempt === files.retryCount + files.doneCount + 1;
}

async function addTurn(
  { runs }: CarryOutDependencies,
  { run, lease, dag }: ReadyRun,
  { scope, loop }: { readonly scope: string; readonly loop: Loop },
): Promise<readonly DagRunStep[]> {
  const logs = stepLogLayout({
    folder: path.join(path.dirname(run.logFile), scope.replaceAll('/', '-')),
    stepNames: loop.steps.map(({ name }) => name),
    isMerged: (index) => (loop.steps[index]?.logOutput ?? dag.logOutput) === 'merged',
  });
  const rows = logs.map((log, position) =>
    newStep({ scope, position, name: loop.steps[position]?.name ?? '', ...log }),
  );
  if (!(await runs.addSteps(run.id, lease, rows))) throw runLost();
  return rows;
}

interface Finished {
  readonly loop: Loop;
  readonly items: readonly JsonValue[];
  readonly keys: readonly string[];
  readonly ends: readonly (TurnEnd | undefined)[];
}

async function finish(
  { values }: ReadyRun,
  { files, signal }: ExecutedStep,
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
  if (summary.failed > 0) return { status: 'failed', error: `${summary.failed} of ${summary.total} turns failed` };
  return { status: 'succeeded', ...published };
}

/** Worked out once: a run that goes on after a break has the items that it began with. */
async function itemsOf(
  { runs }: CarryOutDependencies,
  { run, lease }: ReadyRun,
  { executed, scope }: { readonly executed: ExecutedStep; readonly scope: Scope },
): Promise<readonly JsonValue[] | { readonly problem: string }> {
  const { step, files, frame } = executed;
  const memo = frame.memos.get(files.position);
  if (memo !== null && typeof memo === 'object' && 'items' in memo) return memo.items as readonly JsonValue[];
  const items = resolveItems(loopOf(step).items, scope, { words: false });
  if ('problem' in items) return items;
  const patch = { scope: files.scope, position: files.position, memo: { items } };
  if (!(await runs.record(run.id, lease, [patch]))) throw runLost();
  return items;
}

function keyOf({ key, as }: Loop, item: JsonValue, index: number, scope: Scope): string {
  if (key === undefined) return String(index);
  return resolveField(key, { ...scope, foreach: new Map([...(scope.foreach ?? []), [as, item]]) });
}

/** The turns that were begun before; none of a step that is new. */
async function storedTurns(
  { runs }: CarryOutDependencies,
  { run, lease }: ReadyRun,
  { files, attempt }: ExecutedStep,
): Promise<ReadonlyMap<string, readonly DagRunStep[]>> {
  // A loop inside another one may have begun in an earlier attempt of that one.
  const isUntouched = files.iteration === 0 && files.startedAt === null;
  const isNew = attempt === 1 && lease.token === 1 && run.attempt === 1 && isUntouched;
  if (isNew) return new Map();
  const below = `${nodeKey(files)}/`;
  const turns = new Map<string, DagRunStep[]>();
  for (const node of await runs.nodesOf(run.id)) {
    // Of this loop itself, and not of one inside it.
    if (!node.scope.startsWith(below) || node.scope.slice(below.length).includes('/')) continue;
    const known = turns.get(node.scope);
    if (known === undefined) turns.set(node.scope, [node]);
    else known.push(node);
  }
  return turns;
}

function loopOf({ run }: Step): Loop {
  if (run.kind !== 'foreach') throw new AppError('internal', `A step of kind ${run.kind} is no loop.`);
  return run;
}

/** What a step published as JSON stays JSON. */
function fromText(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Only looks like JSON.
    return text;
  }
}
