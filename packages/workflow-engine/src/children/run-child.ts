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
} from '../statuses';
import type { StepOutcome } from '../scope/step-ports';
import { nodeKey, type DagRun, type DagRunStep } from '../run-model/dag-run';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import type { ChildSource } from './child-runs';
import type { RunPorts } from '../run/execute-run';
import type { ReadyRun } from '../run/open-run';
import type { StepExecution } from '../steps/step-executor';
import { childRunId } from './child-id';
import { dagInOtherWorkspace, mayCall } from './call-rule';
import { toLocalSource } from './child-runs';
import { readRunOutputs } from './run-outputs';

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

/** Starts the run, or finds the one that was started before, and waits until it has ended or waits for a person. */
export async function runChild(
  dependencies: RunPorts,
  open: ReadyRun,
  { executed, call }: { readonly executed: StepExecution; readonly call: ChildCall },
): Promise<ChildEnd> {
  const { children, runs } = dependencies;
  const { signal } = executed;
  const { child, execution } = await startOrFind(dependencies, open, { executed, call });
  const stop = (): void => {
    // What is left goes on with its next owner: nobody asked for its end.
    if (!open.release.aborted) void children.stop(child.id).catch(open.abandon);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await execution;
    const run = await waitForEnd(dependencies, open, { id: child.id, step: executed.files });
    const outputs = await readRunOutputs(runs, run.id);
    return { run, status: await toStepEnd(dependencies, run), result: toResult(run, outputs) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Puts the run on its queue; it is there already when the step is execution out again. */
export async function enqueueChild(
  dependencies: RunPorts,
  open: ReadyRun,
  { executed, call }: { readonly executed: StepExecution; readonly call: ChildCall },
): Promise<JsonObject> {
  const { children, runs } = dependencies;
  const source = await findSource(dependencies, open, call.dag);
  const dagRunId = toChildRunId(open, executed, { dagName: source.dag.name, params: call.params });
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
      .catch((error: unknown) => findStartedMeanwhile(dependencies, error, { dagName: source.dag.name, dagRunId })));
  return { name: run.dagName, dagRunId: run.dagRunId };
}

async function startOrFind(
  dependencies: RunPorts,
  open: ReadyRun,
  { executed, call }: { readonly executed: StepExecution; readonly call: ChildCall },
): Promise<{ readonly child: DagRun; readonly execution?: Promise<void> }> {
  const { children, runs } = dependencies;
  const { run, root, lease } = open;
  const source = await findSource(dependencies, open, call.dag);
  const dagRunId = toChildRunId(open, executed, { dagName: source.dag.name, params: call.params });
  const attempt = run.attempt + executed.attempt - 1 - executed.iterations;
  const found = await runs.find(source.dag.name, dagRunId);
  if (found !== undefined) {
    const isUnsuccessful = isTerminalRun(found.status) && !isSuccessfulRun(found.status);
    // Its end is what made this attempt necessary, so it has to be tried again, too.
    if (!isUnsuccessful || (found.attempt >= attempt && !isNewAttempt(executed))) return { child: found };
    return { child: found, ...(await retryChild(dependencies, found, lease.ownerId)) };
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
    return { child, execution: children.execute(child) };
  } catch (error) {
    return { child: await findStartedMeanwhile(dependencies, error, { dagName: source.dag.name, dagRunId }) };
  }
}

/**
 * Whether the attempt begins and does not go on with one that was cut off or waited: whatever spoiled run is found is
 * from before, even one that counts more attempts, because it was tried again otherwise, too.
 */
function isNewAttempt({ files, attempt }: StepExecution): boolean {
  if (attempt > files.retryCount + files.doneCount + 1) return true;
  // Only a step of the DAG itself may have begun before, and be unstarted because it waited.
  return isUnstartedNode(files.status) && (files.scope !== '' || files.startedAt === null);
}

/** Nothing is execution out here when somebody else has made it begin again, or when all that it had to do is done. */
async function retryChild(
  { children }: RunPorts,
  run: DagRun,
  ownerId: string,
): Promise<{ readonly execution?: Promise<void> }> {
  try {
    return { execution: (await children.retry(run, ownerId)).ended };
  } catch (error) {
    if (isAppError(error) && (error.reason === 'dag_run_active' || error.reason === 'nothing_to_retry')) return {};
    throw error;
  }
}

/** An earlier owner of the run may have started it since it was looked for. */
async function findStartedMeanwhile(
  { runs }: RunPorts,
  error: unknown,
  { dagName, dagRunId }: Pick<DagRun, 'dagName' | 'dagRunId'>,
): Promise<DagRun> {
  const found = isAppError(error) && error.reason === 'dag_run_exists' ? await runs.find(dagName, dagRunId) : undefined;
  if (found === undefined) throw error;
  return found;
}

function toChildRunId(
  { run }: ReadyRun,
  { files, iterations }: StepExecution,
  child: { readonly dagName: string; readonly params: string },
): string {
  return childRunId({ parentId: run.id, node: nodeKey(files), iteration: files.iteration, iterations, ...child });
}

async function findSource(
  { children, dagsDir }: RunPorts,
  { localDags, run, root, values }: ReadyRun,
  name: string,
): Promise<ChildSource> {
  const local = localDags.find((dag) => dag.name === name);
  const source =
    local === undefined
      ? await children.findDag(name, values.isFolderKnown ? values.folder : dagsDir)
      : toLocalSource(local, run);
  if (!mayCall([run, root], source.dag)) throw dagInOtherWorkspace(name);
  return source;
}

interface AwaitedChild {
  readonly id: string;
  readonly step: Pick<DagRunStep, 'scope'>;
}

function waitForEnd({ children }: RunPorts, { release }: ReadyRun, { id, step }: AwaitedChild): Promise<DagRun> {
  // Only the steps of the DAG itself can release the slot of their run until a person has answered.
  const isEnd =
    step.scope === '' ? (status: RunStatus) => isTerminalRun(status) || isWaitingRun(status) : isTerminalRun;
  return children.waitFor(id, isEnd, release);
}

async function toStepEnd({ runs }: RunPorts, { id, status }: DagRun): Promise<StepEnd> {
  if (isWaitingRun(status)) return 'waiting';
  if (isSuccessfulRun(status)) return status as StepEnd;
  if (!isAbortedRun(status)) return 'failed';
  // That it had nothing to do is no failure.
  const nodes = (await runs.listSteps(id)).map((step) => step.status);
  return isDeclinedRun(status, nodes) ? 'succeeded' : 'aborted';
}

function toResult(run: DagRun, outputs: Readonly<Record<string, JsonValue>>): JsonObject {
  return {
    name: run.dagName,
    dagRunId: run.dagRunId,
    params: run.params,
    outputs,
    status: run.status,
  };
}

/** What went wrong with a call, as the end of its step. */
export function toFailedOutcome(error: unknown): StepOutcome {
  if (isAppError(error)) return { status: 'failed', error: error.message };
  throw error;
}
