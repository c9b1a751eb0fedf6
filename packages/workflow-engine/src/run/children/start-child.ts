import { createHash } from 'node:crypto';
import { AppError, isAppError } from '@weir/foundation';
import type { Dag } from '@weir/workflow-spec';
import type { RunContext } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import { maxRunDepth, nodeKey, type DagRun } from '../../model/run-model/dag-run';
import { runStatus } from '../../model/statuses/run-status';
import { nodeStatus } from '../../model/statuses/node-status';
import { inheritedProfile, type ChildCall } from './child-call';
import { findChildSource } from './child-source';
import { anyWorker } from '../../model/run-model/worker-selector';
import type { RunSource } from '../../model/run-model/create-run';

export interface StartedChild {
  readonly child: DagRun;
  /** The handlers of its DAG. */
  readonly handlers: Dag['handlers'];
  /** Settles when the execution of the run in this process has ended; missing when it executes elsewhere, or not at all. */
  readonly execution?: Promise<void>;
}

/** Starts the run of a call, or finds the one that an earlier attempt started, which is retried when it has failed. */
export async function startChild(
  context: RunContext,
  execution: StepExecution,
  call: ChildCall,
): Promise<StartedChild> {
  const source = call.source ?? (await findChildSource(context, execution.values, call.dag));
  return { ...(await startFrom(context, execution, { call, source })), handlers: source.dag.handlers };
}

async function startFrom(
  context: RunContext,
  execution: StepExecution,
  { call, source }: { readonly call: ChildCall; readonly source: RunSource },
): Promise<Omit<StartedChild, 'handlers'>> {
  const { ports, run, root, lease } = context;
  const { children, runs } = ports;
  const identity = { dagName: source.dag.name, dagRunId: toRunId(context, execution, source.dag.name, call) };
  const attempt = run.attempt + execution.attempt - 1 - execution.iterations;
  const found = await runs.find(identity.dagName, identity.dagRunId);
  if (found !== undefined) {
    const isUnsuccessful = runStatus.isTerminal(found.status) && !runStatus.isSuccessful(found.status);
    // Its end is why this attempt takes place, so it has to be retried, too.
    if (!isUnsuccessful || (found.attempt >= attempt && !isNewAttempt(execution))) return { child: found };
    return { child: found, ...(await retryChild(context, found)) };
  }
  if (run.depth >= maxRunDepth) throw dagsTooDeep();
  const node = nodeKey(execution.stored);
  const parent = { id: run.id, node, rootId: root.id, depth: run.depth + 1, attempt };
  const { ownerId } = lease;
  const { dagRunId } = identity;
  const start = { ...toOrigin(run, call), dagRunId, parent, ...toPlacement(call) };
  try {
    if (!isPlacedHere(context, execution, source, call)) return { child: await children.start(source, start) };
    const child = await children.start(source, { ...start, ownerId });
    return { child, execution: children.execute(child) };
  } catch (error) {
    return { child: await findStartedMeanwhile(context, error, identity) };
  }
}

function toOrigin(run: DagRun, call: ChildCall) {
  const { dagName: name, dagRunId: id } = run;
  const inherited = inheritedProfile(run, call);
  return { params: call.params, triggerType: 'subdag', startedBy: { kind: 'run', name, id }, inherited } as const;
}

function toPlacement({ selector }: ChildCall) {
  return selector === undefined ? {} : { workerSelector: selector };
}

/** A step with `worker_selector: local` keeps the run on the worker of its own run. */
function isPlacedHere(
  { ports }: RunContext,
  { step }: StepExecution,
  { dag }: RunSource,
  { selector, isOneOfMany, source }: ChildCall,
): boolean {
  // The files of a packaged action are on this host.
  if (step.workerSelector === 'local' || source !== undefined) return true;
  // Its references are resolved when the run is stored, with its parameters.
  const isAnywhere = selector === undefined && (dag.workerSelector === undefined || dag.workerSelector === 'local');
  if (selector === undefined && !isAnywhere) return false;
  return ports.children.isPlacedHere(selector ?? anyWorker, { isOneOfMany });
}

export interface QueuedChild {
  readonly run: DagRun;
  /** An earlier attempt has put it into the queue. */
  readonly wasThere: boolean;
}

/** Puts a run in its queue, where it is already when an earlier attempt did so. */
export async function enqueueChild(
  context: RunContext,
  execution: StepExecution,
  call: ChildCall,
): Promise<QueuedChild> {
  const { children, runs } = context.ports;
  const source = await findChildSource(context, execution.values, call.dag);
  const identity = { dagName: source.dag.name, dagRunId: toRunId(context, execution, source.dag.name, call) };
  const found = await runs.find(identity.dagName, identity.dagRunId);
  if (found !== undefined) return { run: found, wasThere: true };
  const { dagRunId } = identity;
  const queue = call.queue === undefined ? {} : { queueName: call.queue };
  try {
    const start = { ...toOrigin(context.run, call), dagRunId, ...queue, ...toPlacement(call) };
    return { run: await children.start(source, start), wasThere: false };
  } catch (error) {
    return { run: await findStartedMeanwhile(context, error, identity), wasThere: true };
  }
}

function toRunId(
  { run }: RunContext,
  { stored, iterations }: StepExecution,
  dagName: string,
  { params, repetition }: ChildCall,
): string {
  const { iteration } = stored;
  return childRunId({ parentId: run.id, node: nodeKey(stored), iteration, iterations, dagName, params, repetition });
}

/**
 * Whether the attempt starts the work from the beginning and does not resume one that was interrupted or waited. An
 * unsuccessful run is then from before, even one that counts more attempts, because it was retried by itself, too.
 */
function isNewAttempt({ stored, attempt }: StepExecution): boolean {
  if (attempt > stored.retryCount + stored.doneCount + 1) return true;
  // Only a step of the DAG itself may have started before and be unstarted, because it waited.
  return nodeStatus.isUnstarted(stored.status) && (stored.scope !== '' || stored.startedAt === null);
}

/** Nothing executes here when the run was retried by others, or when all its steps have succeeded. */
async function retryChild({ ports, lease }: RunContext, run: DagRun): Promise<Pick<StartedChild, 'execution'>> {
  try {
    return { execution: (await ports.children.retry(run, lease.ownerId)).ended };
  } catch (error) {
    if (isAppError(error) && (error.reason === 'dag_run_active' || error.reason === 'nothing_to_retry')) return {};
    throw error;
  }
}

/** An earlier owner of the run may have started it since it was looked for. */
async function findStartedMeanwhile(
  { ports }: RunContext,
  error: unknown,
  { dagName, dagRunId }: Pick<DagRun, 'dagName' | 'dagRunId'>,
): Promise<DagRun> {
  const isStarted = isAppError(error) && error.reason === 'dag_run_exists';
  const found = isStarted ? await ports.runs.find(dagName, dagRunId) : undefined;
  if (found === undefined) throw error;
  return found;
}

function dagsTooDeep(): AppError {
  return new AppError('invalid_request', `DAGs call each other more than ${maxRunDepth} deep.`, {
    reason: 'dags_too_deep',
  });
}

/** These fields identify a child run. */
interface ChildIdentity {
  readonly parentId: string;
  readonly node: string;
  readonly dagName: string;
  readonly params: string;
  readonly iteration: number;
  readonly iterations: number;
  readonly repetition?: number | undefined;
}

/** The same for the same work, so that a step which executes again finds the run that it started before. */
function childRunId(identity: ChildIdentity): string {
  const { parentId, node, dagName, params, iteration, iterations, repetition = 0 } = identity;
  const parts = [parentId, node, dagName, params, iteration, iterations, ...(repetition === 0 ? [] : [repetition])];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
