import { setTimeout as delay } from 'node:timers/promises';
import { AppError, isAppError } from '@weir/errors';
import {
  isAbortedRun,
  isDeclinedRun,
  isSuccessfulRun,
  isTerminalRun,
  isUnstartedNode,
  isWaitingRun,
  type RunStatus,
  type StepEnd,
  type StepOutcome,
} from '@weir/workflow-engine';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import { nodeKey, type DagRun, type DagRunStep, type RunSource } from '../../dag-runs';
import type { CarryOutDependencies } from '../carry-out-run';
import type { ReadyRun } from '../open-run';
import type { ExecutedStep } from '../step-executor';
import { childRunId } from './child-id';
import { dagOfOtherWorkspace, mayCall } from './call-rule';
import { localSource } from './child-port';
import { collectedOutputs } from './collected-outputs';

/** One call of a DAG, with everything worked out. */
export interface ChildCall {
  readonly dag: string;
  readonly params: string;
  /** The queue that was asked for; only of a run that nobody waits for. */
  readonly queue?: string | undefined;
}

export interface ChildEnd {
  readonly run: DagRun;
  readonly status: StepEnd;
  /** What the step publishes of it. */
  readonly result: JsonObject;
}

/** Deep enough for any real nesting, and an end to a DAG that calls itself. */
const maxDepth = 32;
const pollMs = 250;

/** Starts the run, or finds the one that was started before, and waits until it has ended or waits for a person. */
export async function runChild(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  { executed, call }: { readonly executed: ExecutedStep; readonly call: ChildCall },
): Promise<ChildEnd> {
  const { children, runs } = dependencies;
  const { signal } = executed;
  const { child, carried } = await startOrFind(dependencies, open, { executed, call });
  const stop = (): void => {
    // What is left goes on with its next owner: nobody asked for its end.
    if (!open.leave.aborted) void children.stop(child.id).catch(open.giveUp);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await carried;
    const run = await settled(dependencies, open, { id: child.id, step: executed.files });
    const outputs = await collectedOutputs(runs, run.id);
    return { run, status: await stepEndOf(dependencies, run), result: resultOf(run, outputs) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Puts the run on its queue; it is there already when the step is carried out again. */
export async function enqueueChild(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  { executed, call }: { readonly executed: ExecutedStep; readonly call: ChildCall },
): Promise<JsonObject> {
  const { children, runs } = dependencies;
  const source = await sourceOf(dependencies, open, call.dag);
  const dagRunId = idOf(open, executed, { dagName: source.dag.name, params: call.params });
  const found = await runs.find(source.dag.name, dagRunId);
  const run =
    found ??
    (await children
      .start(source, {
        params: call.params,
        dagRunId,
        triggerType: 'subdag',
        ...(call.queue === undefined ? {} : { queueName: call.queue }),
      })
      .catch((error: unknown) => startedMeanwhile(dependencies, error, { dagName: source.dag.name, dagRunId })));
  return { name: run.dagName, dagRunId: run.dagRunId };
}

async function startOrFind(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  { executed, call }: { readonly executed: ExecutedStep; readonly call: ChildCall },
): Promise<{ readonly child: DagRun; readonly carried?: Promise<void> }> {
  const { children, runs } = dependencies;
  const { run, root, lease } = open;
  const source = await sourceOf(dependencies, open, call.dag);
  const dagRunId = idOf(open, executed, { dagName: source.dag.name, params: call.params });
  const attempt = run.attempt + executed.attempt - 1 - executed.turn;
  const found = await runs.find(source.dag.name, dagRunId);
  if (found !== undefined) {
    const isSpoiled = isTerminalRun(found.status) && !isSuccessfulRun(found.status);
    // Its end is what made this attempt necessary, so it has to be tried again, too.
    if (!isSpoiled || (found.attempt >= attempt && !isAnew(executed))) return { child: found };
    return { child: found, ...(await retried(dependencies, found, lease.ownerId)) };
  }
  if (run.depth >= maxDepth) {
    throw new AppError('invalid_request', `DAGs call each other more than ${maxDepth} deep.`, {
      reason: 'dags_too_deep',
    });
  }
  const parent = { id: run.id, node: nodeKey(executed.files), rootId: root.id, depth: run.depth + 1, attempt };
  const options = { params: call.params, dagRunId, triggerType: 'subdag', ownerId: lease.ownerId, parent } as const;
  try {
    const child = await children.start(source, options);
    return { child, carried: children.carryOut(child) };
  } catch (error) {
    return { child: await startedMeanwhile(dependencies, error, { dagName: source.dag.name, dagRunId }) };
  }
}

/**
 * Whether the attempt begins and does not go on with one that was cut off or waited: whatever spoiled run is found is
 * from before, even one that counts more attempts, because it was tried again otherwise, too.
 */
function isAnew({ files, attempt }: ExecutedStep): boolean {
  if (attempt > files.retryCount + files.doneCount + 1) return true;
  // Only a step of the DAG itself may have begun before, and be unstarted because it waited.
  return isUnstartedNode(files.status) && (files.scope !== '' || files.startedAt === null);
}

/** Nothing is carried out here when somebody else has made it begin again, or when all that it had to do is done. */
async function retried(
  { children }: CarryOutDependencies,
  run: DagRun,
  ownerId: string,
): Promise<{ readonly carried?: Promise<void> }> {
  try {
    return { carried: (await children.retry(run, ownerId)).ended };
  } catch (error) {
    if (isAppError(error) && (error.reason === 'dag_run_active' || error.reason === 'nothing_to_retry')) return {};
    throw error;
  }
}

/** An earlier owner of the run may have started it since it was looked for. */
async function startedMeanwhile(
  { runs }: CarryOutDependencies,
  error: unknown,
  { dagName, dagRunId }: Pick<DagRun, 'dagName' | 'dagRunId'>,
): Promise<DagRun> {
  const found = isAppError(error) && error.reason === 'dag_run_exists' ? await runs.find(dagName, dagRunId) : undefined;
  if (found === undefined) throw error;
  return found;
}

function idOf(
  { run }: ReadyRun,
  { files, turn }: ExecutedStep,
  child: { readonly dagName: string; readonly params: string },
): string {
  return childRunId({ parentId: run.id, node: nodeKey(files), iteration: files.iteration, turn, ...child });
}

async function sourceOf(
  { children, dagsDir }: CarryOutDependencies,
  { localDags, run, root, values }: ReadyRun,
  name: string,
): Promise<RunSource> {
  const local = localDags.find((dag) => dag.name === name);
  const source =
    local === undefined
      ? await children.findDag(name, values.isFolderKnown ? values.folder : dagsDir)
      : localSource(local, run);
  if (!mayCall([run, root], source.dag)) throw dagOfOtherWorkspace(name);
  return source;
}

interface Awaited {
  readonly id: string;
  readonly step: Pick<DagRunStep, 'scope'>;
}

/** A run may be carried out by another process, or by this one after a break: the store tells. */
async function settled({ runs }: CarryOutDependencies, { leave }: ReadyRun, { id, step }: Awaited): Promise<DagRun> {
  // Only the steps of the DAG itself can give their place away until a person has answered.
  const isAnEnd =
    step.scope === '' ? (status: RunStatus) => isTerminalRun(status) || isWaitingRun(status) : isTerminalRun;
  for (;;) {
    const run = await runs.findById(id);
    if (run === undefined) throw new AppError('not_found', 'The run that was started is not there any more.');
    if (isAnEnd(run.status)) return run;
    leave.throwIfAborted();
    await delay(pollMs, undefined, { signal: leave });
  }
}

async function stepEndOf({ runs }: CarryOutDependencies, { id, status }: DagRun): Promise<StepEnd> {
  if (isWaitingRun(status)) return 'waiting';
  if (isSuccessfulRun(status)) return status as StepEnd;
  if (!isAbortedRun(status)) return 'failed';
  // That it had nothing to do is no failure.
  const nodes = (await runs.stepsOf(id)).map((step) => step.status);
  return isDeclinedRun(status, nodes) ? 'succeeded' : 'aborted';
}

function resultOf(run: DagRun, outputs: Readonly<Record<string, JsonValue>>): JsonObject {
  return {
    name: run.dagName,
    dagRunId: run.dagRunId,
    params: run.params,
    outputs,
    status: run.status,
  };
}

/** What went wrong with a call, as the end of its step. */
export function failureOfCall(error: unknown): StepOutcome {
  if (isAppError(error)) return { status: 'failed', error: error.message };
  throw error;
}
