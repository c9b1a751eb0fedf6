import { hasStarted } from '../scope/step-snapshot';
import {
  isAbortedRun,
  isFailedRun,
  isPassedNode,
  isSuccessfulRun,
  isTerminalRun,
  isWaitingRun,
  type RunStatus,
} from '../statuses';
import { planDag } from '../plan/plan';
import { computeDelayMs } from '../scope/attempt-delay';
import { nodeKey, type RunEnd } from '../run-model/dag-run';
import type { HandlerKind } from '@weir/workflow-spec';
import type { RunPorts } from './execute-run';
import { checkRunPreconditions } from '../conditions/run-preconditions';
import { withContainers } from '../steps/with-containers';
import { endUnstarted, refuseRun, abortUnstartedSteps, type ReadyRun } from './open-run';
import { executeScope, type ScopeEnd } from '../scope/execute-scope';
import { executeHandler, type HandlerRequest } from '../handlers/execute-handler';
import { leaseLost } from '../scope/scope-recorder';

/**
 * The life of a run: preconditions, init, steps, what follows their end, exit. Each part that was done before a break
 * is passed over.
 */
export async function executeLifecycle(dependencies: RunPorts, ready: ReadyRun): Promise<void> {
  await withContainers(ready, (open) => executePhases(dependencies, open));
}

async function executePhases(dependencies: RunPorts, open: ReadyRun): Promise<void> {
  const isResumed = open.nodes.some(({ status, retryCount, doneCount }) =>
    hasStarted({ status, retries: retryCount, iterations: doneCount, continues: false }),
  );
  if (!isResumed && (await isDeclined(dependencies, open))) return;
  const init = await executeHandler(dependencies, open, { kind: 'init', status: 'running', signal: open.signal });
  if (init !== undefined && !isPassedNode(init.status)) {
    await endWithoutSteps(dependencies, open, init.error ?? 'the init step did not succeed');
    return;
  }
  const steps = await runSteps(dependencies, open);
  const { status, runEnd } = steps;
  if (isWaitingRun(status)) await enterWaiting(dependencies, open, steps);
  else if (runEnd === undefined) await endRun(dependencies, open, { status, base: steps.outputs.all() });
  else await reportEnd(dependencies, open, runEnd);
}

/** Whether nothing runs because the preconditions of the DAG do not hold, which is no failure. */
async function isDeclined(dependencies: RunPorts, open: ReadyRun): Promise<boolean> {
  const result = await checkRunPreconditions({ ...dependencies, ...open });
  if (result.kind === 'met') return false;
  if (result.kind === 'failed') {
    await refuseRun(dependencies, open, `precondition: ${result.error}`);
    return true;
  }
  const end = { run: 'aborted', steps: 'skipped', error: `precondition: ${result.reason}` } as const;
  await endUnstarted(dependencies, open, end);
  open.log.write('run ended', { status: end.run, reason: end.error });
  return true;
}

function runSteps(dependencies: RunPorts, open: ReadyRun): Promise<ScopeEnd> {
  const { dag, nodes } = open;
  const hasMoreToDo = Object.keys(dag.handlers ?? {}).length > 0;
  return executeScope(dependencies, open, {
    scope: '',
    plan: planDag(dag.steps),
    steps: nodes.filter(({ scope }) => scope === ''),
    maxActiveSteps: dag.maxActiveSteps,
    delaySec: dag.delaySec,
    timeoutSec: dag.timeoutSec,
    // With nothing to do after the steps, their end and that of the run are one.
    toRunEnd: (status) =>
      hasMoreToDo || !isTerminalRun(status) ? undefined : toRunEnd(dependencies, open, { status }),
  });
}

interface Ending {
  readonly status: RunStatus;
  readonly error?: string | undefined;
  readonly base?: HandlerRequest['inherited'];
}

/** The handlers of an end, and the end. */
async function endRun(dependencies: RunPorts, open: ReadyRun, ending: Ending): Promise<void> {
  const { retryAt } = toRunEnd(dependencies, open, ending);
  let { status } = ending;
  for (const kind of selectHandlers(status, { isRetried: retryAt !== undefined })) {
    const handler = await executeHandler(dependencies, open, { kind, status, inherited: ending.base });
    if (handler === undefined || isPassedNode(handler.status) || kind === 'abort') continue;
    status = 'failed';
  }
  const end = toRunEnd(dependencies, open, { ...ending, status });
  await record(dependencies, open, end);
  await reportEnd(dependencies, open, end);
}

function selectHandlers(status: RunStatus, { isRetried }: { readonly isRetried: boolean }): readonly HandlerKind[] {
  if (isSuccessfulRun(status)) return ['success', 'exit'];
  if (isAbortedRun(status)) return ['abort', 'exit'];
  // It is no failure as long as it is tried again.
  return isRetried ? ['exit'] : ['failure', 'exit'];
}

async function endWithoutSteps(dependencies: RunPorts, open: ReadyRun, error: string): Promise<void> {
  const { runs, clock } = dependencies;
  const patches = abortUnstartedSteps(open.nodes, { status: 'aborted', finishedAt: clock.now() });
  if (!(await runs.record(open.run.id, open.lease, patches))) throw leaseLost();
  await endRun(dependencies, open, { status: 'aborted', error });
}

/** The run gives its place away until a person has answered. */
async function enterWaiting(dependencies: RunPorts, open: ReadyRun, steps: ScopeEnd): Promise<void> {
  const { dag } = open;
  await wakeForEndedChildren(dependencies, open, steps.waiting);
  const waitingSteps = steps.waiting.map((index) => dag.steps[index]?.name ?? '');
  const inherited = steps.outputs.all();
  await executeHandler(dependencies, open, {
    kind: 'wait',
    status: 'waiting',
    inherited,
    waitingSteps,
    isRepeated: true,
  });
  await record(dependencies, open, { status: 'waiting', finishedAt: null, error: null, waiting: waitingSteps.length });
  open.log.write('run waits', { steps: waitingSteps.join(',') });
  await open.mailer.runEnded('waiting');
}

/** A run that a step waits for may have ended before it was stored that the step waits. */
async function wakeForEndedChildren(
  { runs, clock }: RunPorts,
  { run, dag }: ReadyRun,
  waiting: readonly number[],
): Promise<void> {
  for (const position of waiting) {
    const step = dag.steps[position];
    if (step?.run.kind !== 'action' || step.run.action !== 'dag.run') continue;
    // Its work is done, and a person has the last word about it.
    if (step.approval !== undefined && (await runs.readOutputs(run.id)).has(position)) continue;
    const children = await runs.listChildren(run.id, nodeKey({ scope: '', position }));
    if (!children.every(({ status }) => isTerminalRun(status))) continue;
    await runs.apply(run.id, { kind: 'child_ended', step: { scope: '', position }, at: clock.now() });
  }
}

function toRunEnd({ clock }: RunPorts, { run, dag }: ReadyRun, { status, error }: Ending): RunEnd {
  const finishedAt = clock.now();
  const end = { status, finishedAt, error: error ?? null };
  const { retryPolicy } = dag;
  const isRetried =
    retryPolicy !== undefined && isFailedRun(status) && run.depth === 0 && run.autoRetryCount < retryPolicy.limit;
  if (!isRetried) return end;
  const afterMs = computeDelayMs({ maxIntervalSec: 3_600, ...retryPolicy }, run.autoRetryCount);
  return { ...end, retryAt: new Date(finishedAt.getTime() + afterMs) };
}

async function record({ runs }: RunPorts, { run, lease }: ReadyRun, end: RunEnd): Promise<void> {
  if (!(await runs.record(run.id, lease, [], end))) throw leaseLost();
}

async function reportEnd({ logger }: RunPorts, { run, log, mailer }: ReadyRun, end: RunEnd): Promise<void> {
  const { status, error, retryAt } = end;
  log.write('run ended', { status, reason: error, retryAt: retryAt?.toISOString() });
  logger.info({ dagName: run.dagName, dagRunId: run.dagRunId, status }, 'run ended');
  await mailer.runEnded(status);
}
