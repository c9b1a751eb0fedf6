import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@weir/foundation';
import { isApiError, type WorkflowClient } from '@weir/workflow-client';
import { runStatus } from '@weir/workflow-engine/model';
import { readWaitingRuns } from './child-runs';
import { followRun, isSuccess, type FollowOptions } from './follow-run';
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
  const address = await start.onServer(client);
  return follow(command, start, { client: () => client, address, read: () => readRun(client, address) });
}

async function executeHere(command: StoreCommand, start: RunStart): Promise<number> {
  const { withOwnWorker } = await command.loadOwnStore();
  return withOwnWorker(command, async (own) => {
    const address = await start.here(own);
    const { runs, worker } = own.application;
    const run = await runs.find(address.dagName, address.dagRunId);
    if (run === undefined) throw new AppError('internal', 'The run is not stored any more.');
    worker.claimWithin(run.rootId ?? run.id);
    const changes = watchRun((listener) => runs.subscribe(run.id, listener));
    try {
      return await follow(command, start, {
        client: own.client,
        address,
        read: () => own.readRun(address),
        ...changes,
      });
    } finally {
      changes.end();
    }
  });
}

interface FollowedRun extends Pick<FollowOptions, 'read' | 'pause'> {
  readonly client: () => WorkflowClient;
  readonly address: RunAddress;
}

async function follow(command: StoreCommand, { word }: RunStart, run: FollowedRun): Promise<number> {
  const { signals, print, printError } = command;
  const { client, address } = run;
  const { dagName: name, dagRunId } = address;
  const onSignal = (): void => {
    client()
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
  const last = await followRun({ ...run, print });
  for (const line of (await readWaitingRuns(client, last)).flatMap(waitingCommands)) print(line);
  return isSuccess(last) || runStatus.isWaiting(last.statusLabel) ? 0 : 1;
}

/** Ends a pause when the run ends or waits, also if it did so before the pause began. */
function watchRun(subscribe: (listener: () => void) => () => void) {
  let isAnnounced = false;
  let wake: () => void = () => undefined;
  const end = subscribe(() => {
    isAnnounced = true;
    wake();
  });
  const pause = async (ms: number): Promise<void> => {
    const limit = new AbortController();
    wake = () => limit.abort();
    if (!isAnnounced) await delay(ms, undefined, { signal: limit.signal }).catch(() => undefined);
    isAnnounced = false;
  };
  return { pause, end };
}
