import path from 'node:path';
import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { isSystemError } from '@weir/foundation';
import { makeArtifactsFolder } from '../host/artifacts/artifacts-folder';
import { withDependencies } from './prepare/copy-dependencies';
import { createLogLimit } from '../host/logs/log-limit';
import { openRunLog } from '../host/logs/run-log';
import { createRunMailer } from '../host/mail/run-mailer';
import type { DagRun, Lease, StoredRun } from '../model/run-model/dag-run';
import { createRunContainers, removeStaleContainers } from './steps/run-containers';
import { executeStep } from './steps/execute-step';
import { withTools } from './prepare/install-run-tools';
import { prepareValues } from './prepare/prepare-values';
import type { RunValues } from '../values/run-values/run-values';
import { encloseRun } from './enclose-run';
import { isLeaseLost } from '../model/ports/lease-lost';
import { commitOwned, loadRun } from '../model/ports/run-store';
import { loadDefinition } from './load-definition';
import { endUnstartedSteps, refuseRun } from './refuse-run';
import type { LoadedRun, OpenRun, RunContext } from './context/run-context';
import type { RunPorts } from './context/run-ports';
import { ownFolderOf, ownTreesFolder } from '../model/run-model/log-layout';
import type { Logger } from '../model/ports/logger';
import { checkRunPreconditions } from '../scope/conditions/run-preconditions';
import { executeHandler } from './handlers/execute-handler';
import { planDag } from '../model/plan/plan';
import { executeScope } from '../scope/execute-scope';
import type { ScopeEnd } from '../scope/loop/active-scope';
import { hasStarted } from '../scope/loop/step-snapshot';
import { runStatus } from '../model/statuses/run-status';
import { nodeStatus } from '../model/statuses/node-status';
import { endRun, reportEnd, toRunEnd } from './end-run';
import { waitForPeople } from './wait-for-people';

/** A run that a worker has claimed. */
export interface ClaimedRun {
  readonly id: string;
  readonly lease: Lease;
  /** The stored state of the run, when the caller has it; it is read otherwise. */
  readonly stored?: StoredRun | undefined;
  /** Why it is given up: it ends as failed with this error, and nothing of it executes. */
  readonly refusal?: string | undefined;
  /** Aborted when the end of the run is requested. */
  readonly stop: AbortSignal;
  /** Aborted when the run is to be released for its next owner. */
  readonly release: AbortSignal;
}

/** `stored`: its end, or that it waits for people. `lost`: the lease expired, and another worker has claimed the run. */
export type RunExecution = 'stored' | 'released' | 'lost';

/**
 * Executes a claimed run from the text and the snapshots that are stored with it. Rejects when its end cannot be stored,
 * so that its next owner resumes it. No process of the run is left when it settles.
 */
export async function executeRun(claimed: ClaimedRun, ports: RunPorts): Promise<RunExecution> {
  const { lease } = claimed;
  const { clock, logger } = ports;
  const { run, nodes: steps } = claimed.stored ?? (await loadRun(ports.runs, claimed.id));
  const fields = { dagName: run.dagName, dagRunId: run.dagRunId };
  const log = openRunLog({ file: run.logFile, clock, logger });
  const message = lease.token === 1 ? 'run started' : 'run resumed';
  log.write(message, { ...fields, fencingToken: lease.token });
  logger.info(fields, message);
  const broken = new AbortController();
  try {
    await loadAndExecute({ ports, run, lease, steps, log }, claimed, broken);
    return 'stored';
  } catch (error) {
    if (claimed.release.aborted) return 'released';
    // The reason why the run was abandoned says more than what followed from it.
    const cause: unknown = broken.signal.aborted ? broken.signal.reason : error;
    if (isLeaseLost(cause)) return 'lost';
    throw cause;
  } finally {
    await log.close();
    await removeEmptyFolders(run, logger);
  }
}

async function loadAndExecute(open: OpenRun, claimed: ClaimedRun, broken: AbortController): Promise<void> {
  if (claimed.refusal !== undefined) {
    await refuseRun(open, claimed.refusal);
    return;
  }
  const { dag, localDags, problem } = await loadDefinition(open);
  if (dag === undefined) {
    await refuseRun(open, `The stored spec cannot be executed: ${problem}`);
    return;
  }
  const enclosure = await encloseRun(open);
  const { logLimits } = open.ports;
  const loaded: LoadedRun = {
    ...open,
    enclosure,
    logLimit: logLimits && createLogLimit(logLimits, path.dirname(open.run.logFile)),
    dag,
    localDags,
    root: await findRoot(open),
    // A stop that was requested of an earlier owner is requested of this one.
    stop: open.run.stopRequestedAt === null ? claimed.stop : AbortSignal.any([claimed.stop, AbortSignal.abort()]),
    release: AbortSignal.any([claimed.release, broken.signal]),
    abandon: (error) => broken.abort(error),
  };
  try {
    const prepared = await prepare(loaded);
    if ('problem' in prepared) await refuseRun(open, prepared.problem);
    else await executeWithContainers(createContext(loaded, prepared.values));
  } finally {
    await enclosure?.close();
  }
}

async function findRoot({ ports: { runs }, run }: OpenRun): Promise<LoadedRun['root']> {
  const root: DagRun | undefined = run.rootId === null ? run : await runs.findById(run.rootId);
  return root ?? run;
}

async function prepare(loaded: LoadedRun): Promise<{ readonly values: RunValues } | { readonly problem: string }> {
  const problem = await makeArtifactsFolder(loaded.run);
  if (problem !== undefined) return { problem };
  return withTools(loaded, await withDependencies(loaded, await prepareValues(loaded)));
}

function createContext(loaded: LoadedRun, values: RunValues): RunContext {
  const { ports, run, dag, log } = loaded;
  const steps = loaded.steps.filter(({ scope }) => scope === '');
  const context: RunContext = {
    ...loaded,
    values,
    mailer: createRunMailer({ ...ports, run, dag, steps, scope: values.scope, log }),
    executeStep: (execution) => executeStep(context, execution),
    containers: createRunContainers({ dag, values, clock: ports.clock }),
  };
  return context;
}

async function executeWithContainers(context: RunContext): Promise<void> {
  await removeStaleContainers(context);
  try {
    await executePhases(context);
  } finally {
    await context.containers.close();
  }
}

/**
 * Executes the phases of a run: preconditions, init, steps, the handlers of their end, exit. What was done before an
 * interruption is not repeated.
 */
async function executePhases(context: RunContext): Promise<void> {
  const isResumed = context.steps.some(({ status, retryCount, doneCount }) =>
    hasStarted({ status, retries: retryCount, iterations: doneCount, continues: false }),
  );
  const statuses = context.steps.filter(({ scope }) => scope === '').map(({ status }) => status);
  // Interrupted while the handlers of a declined run were executing.
  if (runStatus.isDeclined('aborted', statuses)) {
    await endRun(context, { status: 'aborted', error: 'precondition: not met' });
    return;
  }
  if (!isResumed && (await isDeclined(context))) return;
  const init = await executeHandler(context, { kind: 'init', status: 'running', stop: context.stop });
  if (init !== undefined && !nodeStatus.isPassed(init.status)) {
    await endWithoutSteps(context, { steps: 'aborted', error: init.error ?? 'the init step did not succeed' });
    return;
  }
  const end = await executeDagSteps(context);
  if (runStatus.isWaiting(end.status)) await waitForPeople(context, end);
  else if (end.runEnd === undefined) await endRun(context, { status: end.status, inherited: end.outputs.all() });
  else await reportEnd(context, end.runEnd);
}

/** Whether no step executes because the preconditions of the DAG do not hold, which is no failure. */
async function isDeclined(context: RunContext): Promise<boolean> {
  const result = await checkRunPreconditions(context);
  if (result.kind === 'met') return false;
  if (result.kind === 'failed') {
    await refuseRun(context, `precondition: ${result.error}`);
    return true;
  }
  await endWithoutSteps(context, { steps: 'skipped', error: `precondition: ${result.reason}` });
  return true;
}

function executeDagSteps(context: RunContext): Promise<ScopeEnd> {
  const { dag, steps, values, stop } = context;
  const hasHandlers = Object.keys(dag.handlers ?? {}).length > 0;
  const ownTrees = ownTreesFolder(context.run);
  return executeScope(context, {
    scope: '',
    plan: planDag(dag.steps),
    steps: steps.filter(({ scope }) => scope === ''),
    values,
    stop,
    maxActiveSteps: dag.maxActiveSteps,
    delaySec: dag.delaySec,
    timeoutSec: dag.timeoutSec,
    // When nothing follows the steps, their end and that of the run are one.
    toRunEnd: (status) => {
      const isFollowed = hasHandlers || (ownTrees !== undefined && existsSync(ownTrees));
      return isFollowed || !runStatus.isTerminal(status) ? undefined : toRunEnd(context, { status });
    },
  });
}

async function endWithoutSteps(
  context: RunContext,
  end: { readonly steps: 'aborted' | 'skipped'; readonly error: string },
): Promise<void> {
  const { ports, lease, steps } = context;
  const patches = endUnstartedSteps(steps, { status: end.steps, finishedAt: ports.clock.now() });
  await commitOwned(context, { kind: 'steps_changed', lease, patches });
  await endRun(context, { status: 'aborted', error: end.error });
}

/** Folders of the run without a file go; those with files stay. A failure is only logged. */
async function removeEmptyFolders(run: DagRun, logger: Logger): Promise<void> {
  const own = ownFolderOf(run);
  for (const folder of own === undefined ? [run.workDir] : [run.workDir, own]) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST')) continue;
      logger.warn({ folder, error }, 'empty folder of the run could not be removed');
    }
  }
}
