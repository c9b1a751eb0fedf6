import { AppError } from '@weir/foundation';
import { isApiError, type WorkflowClient } from '@weir/workflow-client';
import { runStatus } from '@weir/workflow-engine/model';
import { readWaitingRuns } from './child-runs';
import { followRun, isSuccess } from './follow-run';
import type { OwnApplication, StoreCommand } from '../shared/program-host';
import { readRun, type RunAddress } from '../shared/run-queries';
import { findServer } from '../shared/with-api';
import { waitingCommands } from './waiting-commands';

/** Starts a run that is then followed to its end, here or in the server of the installation. */
export interface RunStart {
  /** The word that is printed first. */
  readonly word: string;
  here(own: OwnApplication): Promise<RunAddress>;
  onServer(client: WorkflowClient): Promise<RunAddress>;
}

/**
 * Executes one run and shows it. Returns the exit code: 0 when all of it succeeded, when its precondition did not
 * hold, and when it waits for a person.
 */
export async function executeRun(command: StoreCommand, start: RunStart): Promise<number> {
  const server = await findServer(command);
  if (!server?.roles.includes('worker')) return executeHere(command, start);
  const { client } = server;
  return follow(command, start, { client, address: await start.onServer(client) });
}

async function executeHere(command: StoreCommand, start: RunStart): Promise<number> {
  const { withOwnWorker } = await command.loadOwnStore();
  return withOwnWorker(command, async (own) => {
    const address = await start.here(own);
    const { runs, worker } = own.application;
    const run = await runs.find(address.dagName, address.dagRunId);
    if (run === undefined) throw new AppError('internal', 'The run is not stored any more.');
    worker.claimWithin(run.rootId ?? run.id);
    return follow(command, start, { client: own.client, address });
  });
}

interface FollowedRun {
  readonly client: WorkflowClient;
  readonly address: RunAddress;
}

async function follow(command: StoreCommand, { word }: RunStart, { client, address }: FollowedRun): Promise<number> {
  const { signals, print, printError } = command;
  const { dagName: name, dagRunId } = address;
  const onSignal = (): void => {
    client
      .POST('/dag-runs/{name}/{dagRunId}/stop', { params: { path: { name, dagRunId } } })
      .catch((error: unknown) => {
        // Otherwise the run has ended by itself meanwhile, which is shown.
        if (!isApiError(error) || error.reason !== 'not_running') {
          printError('weir: the run could not be asked to stop');
        }
      });
  };
  signals.on('SIGINT', onSignal);
  signals.on('SIGTERM', onSignal);
  print(`${name} ${dagRunId}: ${word}`);
  const run = await followRun({ read: () => readRun(client, address), print });
  for (const line of (await readWaitingRuns(client, run)).flatMap(waitingCommands)) print(line);
  return isSuccess(run) || runStatus.isWaiting(run.statusLabel) ? 0 : 1;
}
