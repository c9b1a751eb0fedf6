import {
  hasBegun,
  isAbortedRun,
  isFailedRun,
  isFineNode,
  isSuccessfulRun,
  isTerminalRun,
  isWaitingRun,
  planDag,
  waitBetweenTries,
  type RunStatus,
} from '@weir/workflow-engine';
import type { HandlerKind } from '@weir/workflow-spec';
import { nodeKey, type RunEnd } from '../dag-runs';
import type { CarryOutDependencies } from './carry-out-run';
import { checkRun } from './check-run';
import { withContainers } from './with-containers';
import { endUnbegun, refuseRun, unbegunSteps, type ReadyRun } from './open-run';
import { runFrame, type FrameEnd } from './run-frame';
import { runHandler, type HandlerFacts } from './run-handler';
import { runLost } from './run-recorder';

/**
 * The life of a run: preconditions, init, steps, what follows their end, exit. Each part that was done before a break
 * is passed over.
 */
export async function liveRun(dependencies: CarryOutDependencies, ready: ReadyRun): Promise<void> {
  await withContainers(ready, (open) => live(dependencies, open));
}

async function live(dependencies: CarryOutDependencies, open: ReadyRun): Promise<void> {
  const isBegun = open.nodes.some(({ status, retryCount, doneCount }) =>
    hasBegun({ status, retries: retryCount, turns: doneCount, continues: false }),
  );
  if (!isBegun && (await isDeclined(dependencies, open))) return;
  const init = await runHandler(dependencies, open, { kind: 'init', status: 'running', signal: open.signal });
  if (init !== undefined && !isFineNode(init.status)) {
    await endWithoutSteps(dependencies, open, init.error ?? 'the init step did not succeed');
    return;
  }
  const steps = await runSteps(dependencies, open);
  const { status, runEnd } = steps;
  if (isWaitingRun(status)) await beginToWait(dependencies, open, steps);
  else if (runEnd === undefined) await endRun(dependencies, open, { status, base: steps.outputs.all() });
  else await tellEnd(dependencies, open, runEnd);
}

/** Whether nothing runs because the preconditions of the DAG do not hold, which is no failure. */
async function isDeclined(dependencies: CarryOutDependencies, open: ReadyRun): Promise<boolean> {
  const result = await checkRun({ ...dependencies, ...open });
  if (result.kind === 'met') return false;
  if (result.kind === 'failed') {
    await refuseRun(dependencies, open, `precondition: ${result.error}`);
    return true;
  }
  const end = { run: 'aborted', steps: 'skipped', error: `precondition: ${result.reason}` } as const;
  await endUnbegun(dependencies, open, end);
  open.log.write('run ended', { status: end.run, reason: end.error });
  return true;
}

function runSteps(dependencies: CarryOutDependencies, open: ReadyRun): Promise<FrameEnd> {
  const { dag, nodes } = open;
  const hasMoreToDo = Object.keys(dag.handlers ?? {}).length > 0;
  return runFrame(dependencies, open, {
    scope: '',
    plan: planDag(dag.steps),
    rows: nodes.filter(({ scope }) => scope === ''),
    maxActiveSteps: dag.maxActiveSteps,
    delaySec: dag.delaySec,
    timeoutSec: dag.timeoutSec,
    // With nothing to do after the steps, their end and that of the run are one.
    endOf: (status) => (hasMoreToDo || !isTerminalRun(status) ? undefined : endOf(dependencies, open, { status })),
  });
}

interface Ending {
  readonly status: RunStatus;
  readonly error?: string | undefined;
  readonly base?: HandlerFacts['base'];
}

/** The handlers of an end, and the end. */
async function endRun(dependencies: CarryOutDependencies, open: ReadyRun, ending: Ending): Promise<void> {
  const { retryAt } = endOf(dependencies, open, ending);
  let { status } = ending;
  for (const kind of handlersOf(status, { isRetried: retryAt !== undefined })) {
    const handler = await runHandler(dependencies, open, { kind, status, base: ending.base });
    if (handler === undefined || isFineNode(handler.status) || kind === 'abort') continue;
    status = 'failed';
  }
  const end = endOf(dependencies, open, { ...ending, status });
  await record(dependencies, open, end);
  await tellEnd(dependencies, open, end);
}

function handlersOf(status: RunStatus, { isRetried }: { readonly isRetried: boolean }): readonly HandlerKind[] {
  if (isSuccessfulRun(status)) return ['success', 'exit'];
  if (isAbortedRun(status)) return ['abort', 'exit'];
  // It is no failure as long as it is tried again.
  return isRetried ? ['exit'] : ['failure', 'exit'];
}

async function endWithoutSteps(dependencies: CarryOutDependencies, open: ReadyRun, error: string): Promise<void> {
  const { runs, clock } = dependencies;
  const patches = unbegunSteps(open.nodes, { status: 'aborted', finishedAt: clock.now() });
  if (!(await runs.record(open.run.id, open.lease, patches))) throw runLost();
  await endRun(dependencies, open, { status: 'aborted', error });
}

/** The run gives its place away until a person has answered. */
async function beginToWait(dependencies: CarryOutDependencies, open: ReadyRun, steps: FrameEnd): Promise<void> {
  const { dag } = open;
  await wakeForEndedChildren(dependencies, open, steps.waiting);
  const waitingSteps = steps.waiting.map((index) => dag.steps[index]?.name ?? '');
  const base = steps.outputs.all();
  await runHandler(dependencies, open, { kind: 'wait', status: 'waiting', base, waitingSteps, isRepeated: true });
  await record(dependencies, open, { status: 'waiting', finishedAt: null, error: null, waiting: waitingSteps.length });
  open.log.write('run waits', { steps: waitingSteps.join(',') });
  await open.mailer.runEnded('waiting');
}

/** A run that a step waits for may have ended before it was stored that the step waits. */
async function wakeForEndedChildren(
  { runs, clock }: CarryOutDependencies,
  { run, dag }: ReadyRun,
  waiting: readonly number[],
): Promise<void> {
  for (const position of waiting) {
    const step = dag.steps[position];
    if (step?.run.kind !== 'action' || step.run.action !== 'dag.run') continue;
    // Its work is done, and a person has the last word about it.
    if (step.approval !== undefined && (await runs.outputsOf(run.id)).has(position)) continue;
    const children = await runs.childrenOf(run.id, nodeKey({ scope: '', position }));
    if (!children.every(({ status }) => isTerminalRun(status))) continue;
    await runs.settleGate(run.id, {
      step: { scope: '', position },
      at: clock.now(),
      patches: [{ position, status: 'not_started' }],
      forget: [],
      whileRunning: true,
    });
  }
}

function endOf({ clock }: CarryOutDependencies, { run, dag }: ReadyRun, { status, error }: Ending): RunEnd {
  const finishedAt = clock.now();
  const end = { status, finishedAt, error: error ?? null };
  const { retryPolicy } = dag;
  const isRetried =
    retryPolicy !== undefined && isFailedRun(status) && run.depth === 0 && run.autoRetryCount < retryPolicy.limit;
  if (!isRetried) return end;
  const afterMs = waitBetweenTries({ maxIntervalSec: 3_600, ...retryPolicy }, run.autoRetryCount);
  return { ...end, retryAt: new Date(finishedAt.getTime() + afterMs) };
}

async function record({ runs }: CarryOutDependencies, { run, lease }: ReadyRun, end: RunEnd): Promise<void> {
  if (!(await runs.record(run.id, lease, [], end))) throw runLost();
}

async function tellEnd({ logger }: CarryOutDependencies, { run, log, mailer }: ReadyRun, end: RunEnd): Promise<void> {
  const { status, error, retryAt } = end;
  log.write('run ended', { status, reason: error, retryAt: retryAt?.toISOString() });
  logger.info({ dagName: run.dagName, dagRunId: run.dagRunId, status }, 'run ended');
  await mailer.runEnded(status);
}
