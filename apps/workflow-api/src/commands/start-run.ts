import { AppError, isAppError } from '@weir/errors';
import { startService } from '@weir/service-kit';
import { createWorkflow } from '../composition';
import { createControlClient, readRunSnapshot, type RunSnapshot } from '../features/local-control';
import { controlSocket, type WorkflowFeatures } from '../features/workflow-features';
import { openStore } from '../store';
import { followRun } from './follow-run';
import type { StoreCommand } from './program-host';
import { quietLogger } from './quiet-logger';
import { runOptionsOf, type RunFlags } from './run-flags';
import type { RunTarget } from './run-target';
import { runnableTarget } from './runnable-target';

export interface StartRunOptions extends StoreCommand, RunFlags {
  /** A path, or the name of a DAG in the DAGs folder. */
  readonly target: string;
}

/** Where a run is carried out: in this process, or in the server that has the database. */
interface RunPlace {
  readonly started: RunSnapshot;
  read(): Promise<RunSnapshot>;
  stop(): Promise<void>;
}

/** Carries out one run and shows it; returns the exit code, 0 when it succeeded. */
export async function startRun(options: StartRunOptions): Promise<number> {
  const target = await runnableTarget(options, options.target);
  if (target === undefined) return 1;
  try {
    return await runHere(options, target);
  } catch (error) {
    if (!isAppError(error) || error.reason !== 'database_in_use') throw error;
    return await runInServer(options, target, error);
  }
}

async function runHere(options: StartRunOptions, target: RunTarget): Promise<number> {
  const logger = quietLogger(options);
  let workflow: WorkflowFeatures | undefined;
  const service = await startService({
    logger,
    start: async (add) => {
      const database = await openStore({ ...options, logger }, add);
      workflow = add(await createWorkflow({ ...options, logger }, database));
      await workflow.startForSingleRuns();
    },
  });
  try {
    if (workflow === undefined) throw new AppError('internal', 'The workflow features did not start.');
    return await follow(options, await startHere(workflow, options, target));
  } finally {
    await service.stop();
  }
}

async function startHere(
  { runs, runner, startRun: start }: WorkflowFeatures,
  options: StartRunOptions,
  target: RunTarget,
): Promise<RunPlace> {
  const { id } = await start(target, { ...runOptionsOf(options), ownerId: runner.id });
  const read = async (): Promise<RunSnapshot> => {
    const snapshot = await readRunSnapshot(runs, id);
    if (snapshot === undefined) throw new AppError('internal', 'The run is not stored any more.');
    return snapshot;
  };
  void runner.carryOut(id);
  return { started: await read(), read, stop: () => Promise.resolve(void runner.stopRun(id)) };
}

async function runInServer(options: StartRunOptions, target: RunTarget, inUse: AppError): Promise<number> {
  const { config } = options;
  const client = createControlClient(controlSocket(config.data.folder));
  const { specText, name, fileName } = target;
  const started = await client.start({ specText, name, fileName, ...runOptionsOf(options) }).catch((error: unknown) => {
    // Then the refusal that names the process is of more use.
    throw isAppError(error) && isNobodyThere(error) ? inUse : error;
  });
  return follow(options, { started, read: () => client.read(started.id), stop: () => client.stop(started.id) });
}

function isNobodyThere({ reason }: AppError): boolean {
  return reason === 'control_unavailable' || reason === 'runner_busy';
}

async function follow({ signals, print, printError }: StartRunOptions, place: RunPlace): Promise<number> {
  const onSignal = (): void => {
    place.stop().catch(() => printError('weir: the run could not be asked to stop'));
  };
  signals.on('SIGINT', onSignal);
  signals.on('SIGTERM', onSignal);
  print(`${place.started.dagName} ${place.started.dagRunId}: started`);
  const { isSuccess } = await followRun({ read: () => place.read(), print });
  return isSuccess ? 0 : 1;
}
