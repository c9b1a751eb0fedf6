import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@weir/foundation';
import { isApiError } from '@weir/workflow-client';
import { runStatus } from '@weir/workflow-engine/model';
import { executeRun } from './execute-run';
import type { StoreCommand } from '../shared/program-host';
import { findRunnableTarget } from '../shared/find-runnable-target';
import { createInlineSpecReader } from '../shared/inline-spec-reader';
import { isRemoteName, readRemoteDag, startRemoteRun } from './remote-run';
import type { RunFlags } from './run-flags';
import { newRun } from './start-run';
import { requestStop } from './stop-run';
import { readRun } from '../shared/run-queries';
import { withApi } from '../shared/with-api';

export interface RestartOptions extends StoreCommand {
  readonly dag: string;
  /** Default: the newest run of the DAG. */
  readonly runId?: string | undefined;
  /** The interval at which the ending run is read. Default: 200 ms. */
  readonly pollMs?: number;
}

const endDeadlineMs = 10 * 60_000;

/** The run that follows the ended one. */
interface NextRun {
  readonly dagName: string;
  readonly waitSeconds: number;
  /** Executes the run, and returns its exit code. */
  readonly start: (inputs: Pick<RunFlags, 'params' | 'profile'>) => Promise<number>;
}

/**
 * Ends a run if it has not ended, then executes another run of the current file with the same parameters and profile. Returns the
 * exit code of that run.
 */
export async function restartRun(options: RestartOptions): Promise<number> {
  const isRemote = isRemoteName({ ...options, target: options.dag });
  const next = isRemote ? await findRemoteRun(options) : await findLocalRun(options);
  if (next === undefined) return 1;
  const { dagName, waitSeconds, start } = next;
  const stopping = createStopSignal(options);
  const {
    dagRunId,
    params,
    profile = '',
  } = await withApi(options, (client) => readRun(client, { dagName, dagRunId: options.runId }));
  await stop(options, { dagName, dagRunId });
  await waitUntilEnded(options, { dagName, dagRunId }, stopping);
  await pause(waitSeconds * 1000, stopping);
  return start({ params, profile });
}

async function findLocalRun(options: RestartOptions): Promise<NextRun | undefined> {
  const target = await findRunnableTarget(options, options.dag);
  if (target === undefined) return undefined;
  const { name: dagName, restartWaitSec: waitSeconds = 0 } = target.dag;
  const start: NextRun['start'] = (inputs) =>
    executeRun(options, newRun(target, { ...inputs, context: options.context }));
  return { dagName, waitSeconds, start };
}

async function findRemoteRun(options: RestartOptions): Promise<NextRun> {
  const { dag: fileName } = options;
  const { dagName, spec } = await withApi(options, (client) => readRemoteDag(client, fileName));
  const { dag } = await createInlineSpecReader(options.config).parse(spec, { name: fileName });
  const start: NextRun['start'] = (inputs) =>
    startRemoteRun({ ...options, ...inputs, target: fileName, runId: undefined });
  return { dagName, waitSeconds: dag.restartWaitSec ?? 0, start };
}

interface Address {
  readonly dagName: string;
  readonly dagRunId: string;
}

async function stop(options: RestartOptions, address: Address): Promise<void> {
  const { print } = options;
  try {
    const stopped = await withApi(options, (client) => requestStop(client, address));
    for (const { dagName, dagRunId } of stopped) print(`${dagName} ${dagRunId}: stopped for the restart`);
  } catch (error) {
    if (!isApiError(error) || error.reason !== 'not_running') throw error;
  }
}

async function waitUntilEnded(options: RestartOptions, address: Address, signal: AbortSignal): Promise<void> {
  const { pollMs = 200 } = options;
  const deadline = performance.now() + endDeadlineMs;
  for (;;) {
    const { statusLabel } = await withApi(options, (client) => readRun(client, address));
    if (runStatus.isTerminal(statusLabel)) return;
    if (performance.now() > deadline) {
      throw new AppError('upstream_timeout', `The run "${address.dagRunId}" has not ended within 10 minutes.`, {
        reason: 'run_not_ended',
      });
    }
    await pause(pollMs, signal);
  }
}

/** Throws when the command is stopped. */
async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  await delay(forMs, undefined, { signal }).catch((cause: unknown) => {
    throw new AppError('unavailable', 'The restart was stopped.', { reason: 'restart_stopped', cause });
  });
}

function createStopSignal({ signals }: RestartOptions): AbortSignal {
  const stopping = new AbortController();
  const onSignal = (): void => stopping.abort();
  signals.on('SIGINT', onSignal);
  signals.on('SIGTERM', onSignal);
  return stopping.signal;
}
