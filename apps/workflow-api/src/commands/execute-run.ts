import { AppError, isAppError } from '@weir/errors';
import { startService } from '@weir/service-kit';
import { createWorkflow } from '../composition';
import { createControlClient, createRemoteControl, readRunSnapshot } from '../features/local-control';
import type { ControlClient, RunControl, RunSnapshot } from '../features/local-control';
import { controlSocket, type WorkflowFeatures } from '../features/workflow-features';
import { openStore } from '../store';
import { followRun } from './follow-run';
import type { StoreCommand } from './program-host';
import { quietLogger } from './quiet-logger';

/** How a run begins that is then followed to its end, here or in the server that has the database. */
export interface RunStart {
  /** What is said first. */
  readonly word: string;
  /** Begins the run in this process; returns its key. */
  here(workflow: WorkflowFeatures): Promise<string>;
  there(client: ControlClient, control: RunControl): Promise<RunSnapshot>;
}

/** Where a run is carried out: in this process, or in the server that has the database. */
interface FollowedRun {
  readonly started: RunSnapshot;
  read(): Promise<RunSnapshot>;
  stop(): Promise<unknown>;
}

/**
 * Carries out one run and shows it; returns the exit code: 0 when it succeeded, when its precondition did not hold, and
 * when it waits for a person.
 */
export async function executeRunCommand(command: StoreCommand, beginning: RunStart): Promise<number> {
  try {
    return await executeInProcess(command, beginning);
  } catch (error) {
    if (!isAppError(error) || error.reason !== 'database_in_use') throw error;
    return await executeOnServer(command, beginning, error);
  }
}

async function executeInProcess(command: StoreCommand, beginning: RunStart): Promise<number> {
  const logger = quietLogger(command);
  let workflow: WorkflowFeatures | undefined;
  const service = await startService({
    logger,
    start: async (add) => {
      const database = await openStore({ ...command, logger }, add);
      workflow = add(await createWorkflow({ ...command, logger }, database));
      await workflow.startForSingleRuns();
    },
  });
  try {
    if (workflow === undefined) throw new AppError('internal', 'The workflow features did not start.');
    const id = await beginning.here(workflow);
    return await follow(command, beginning, await followInProcess(workflow, id));
  } finally {
    await service.stop();
  }
}

async function followInProcess({ runs, worker, runControl }: WorkflowFeatures, id: string): Promise<FollowedRun> {
  const read = async (): Promise<RunSnapshot> => {
    const snapshot = await readRunSnapshot(runs, id);
    if (snapshot === undefined) throw new AppError('internal', 'The run is not stored any more.');
    return snapshot;
  };
  const started = await read();
  const { dagName, dagRunId } = started;
  const rootId = (await runs.findById(id))?.rootId ?? id;
  worker.claimWithin(rootId);
  return { started, read, stop: () => runControl.stop({ dagName, dagRunId }) };
}

async function executeOnServer(command: StoreCommand, beginning: RunStart, inUse: AppError): Promise<number> {
  const socket = controlSocket(command.config.data.folder);
  const client = createControlClient(socket);
  const started = await beginning.there(client, createRemoteControl(socket)).catch((error: unknown) => {
    // Then the refusal that names the process is of more use.
    throw isAppError(error) && isServerUnreachable(error) ? inUse : error;
  });
  return follow(command, beginning, {
    started,
    read: () => client.read(started.id),
    stop: () => client.stop(started.id),
  });
}

function isServerUnreachable({ reason }: AppError): boolean {
  return reason === 'control_unavailable' || reason === 'runner_busy';
}

async function follow(
  { signals, print, printError }: StoreCommand,
  { word }: RunStart,
  place: FollowedRun,
): Promise<number> {
  const onSignal = (): void => {
    place.stop().catch((error: unknown) => {
      // Otherwise it has ended by itself meanwhile, and says so.
      if (!isAppError(error) || error.reason !== 'not_running') printError('weir: the run could not be asked to stop');
    });
  };
  signals.on('SIGINT', onSignal);
  signals.on('SIGTERM', onSignal);
  print(`${place.started.dagName} ${place.started.dagRunId}: ${word}`);
  const { isSuccess, isWaiting } = await followRun({ read: () => place.read(), print });
  return isSuccess || isWaiting ? 0 : 1;
}
