import { hostname } from 'node:os';
import type { Logger, Resource, Secret } from '@weir/service-kit';
import { systemTimer, type Clock } from '@weir/workflow-engine/model';
import { systemClock } from '../adapters/clock';
import { createFailureReport } from '../adapters/failure-report';
import { createListeners } from '../adapters/listeners';
import { pause } from '../adapters/pause';
import { systemRandom } from '../adapters/random-source';
import type { Config } from '../config';
import { remoteLeaseMs } from '../features/queue/store/remote-owner';
import { createWorker, type Heartbeat, type WorkerOptions } from '../features/worker';
import { openStepIsolation } from '../features/worker/step-isolation';
import { workerSettings } from '../features/worker/worker-settings';
import { protocolVersion, type RequestOf } from '../features/worker-gateway/protocol';
import { createExecution } from '../execution';
import { createRemoteRunFiles } from './remote-run-files';
import { createRemoteChildren, createRemoteQueue, createRemoteRuns, createRemoteState } from './remote-runs';
import { createServerConnection, type ServerConnection } from './server-connection';

export interface RemoteWorkerOptions {
  readonly config: Config;
  readonly version: string;
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  /** File of the bundled parse worker. */
  readonly parserFile: string;
  readonly logger: Logger;
  readonly clock?: Clock;
}

export interface RemoteWorker extends Resource {
  /** Aborted when the server does not know the token any more. */
  readonly refused: AbortSignal;
  start(): Promise<void>;
}

const beatMs = 2_500;

/** Creates a worker that has no database: it executes the runs that its server gives it. Idle until it is started. */
export async function createRemoteWorker(
  options: RemoteWorkerOptions,
  server: { readonly url: string; readonly token: Secret },
): Promise<RemoteWorker> {
  const { config, version, hostEnvironment, parserFile, logger, clock = systemClock } = options;
  const stopping = new AbortController();
  const refusal = new AbortController();
  const connection = createServerConnection({
    ...server,
    retryMs: remoteLeaseMs,
    stopping: stopping.signal,
    onRefused: () => refusal.abort(),
  });
  const self = {
    host: hostname(),
    pid: process.pid,
    startedAt: clock.now(),
    maxRuns: config.worker.maxRuns,
    version,
    claims: true,
  };
  const { labels: configured } = config.worker;
  const hello = await connection.call('hello', { protocol: protocolVersion, self, labels: configured });
  connection.workerId = hello.workerId;
  const { labels, isShared, files } = hello;
  const folders = { server: hello.folders, own: { logs: config.logs.folder, data: config.data.folder } };
  const { parsers, jsRunner, ...execution } = createExecution(parserFile);
  const timer = systemTimer;
  const worker = createWorker({
    ...workerSettings(config),
    ...execution,
    parsers,
    jsRunner,
    id: hello.workerId,
    labels,
    isShared,
    isNotified: true,
    leaseMs: remoteLeaseMs,
    runs: createRemoteRuns(connection, folders),
    queue: createRemoteQueue(connection, { pause: (signal) => pause(timer, retryWatchMs, signal) }),
    workers: createRemoteWorkers(connection),
    createHeartbeat: () => createRemoteHeartbeat(connection, { self, logger }),
    state: createRemoteState(connection),
    children: createRemoteChildren(connection, folders),
    runFiles: createRemoteRunFiles({ connection, files }),
    readStoredSecret: (ref, workspace) => connection.call('readStoredSecret', { ref, workspace }),
    readProfileSecret: (profileId, key) => connection.call('readProfileSecret', { profileId, key }),
    stepIsolation: await openStepIsolation(options),
    stopRequests: createListeners<string>(),
    readRevision: () => undefined,
    dagsFolder: config.dags.folder,
    dataFolder: config.data.folder,
    hostEnv: hostEnvironment,
    version,
    clock,
    timer,
    random: systemRandom,
    logger,
  });
  return {
    name: 'worker',
    refused: refusal.signal,
    start: async () => {
      await worker.start({ claimsQueued: true });
      logger.info({ server: server.url, workerToken: hello.tokenName, labels }, 'executes queued runs of its server');
    },
    stop: async () => {
      await worker.stop();
      stopping.abort();
      await Promise.all([parsers.stop(), jsRunner.stop()]);
    },
  };
}

const retryWatchMs = 5_000;

function createRemoteWorkers({ call }: ServerConnection): WorkerOptions['workers'] {
  return {
    listAlive: () => call('listAlive', null),
    remove: async () => {
      // The server notices by its missing heartbeats otherwise.
      await call('leave', null).catch(() => undefined);
    },
    // The workers of the server remove them.
    removeSilent: () => Promise.resolve(),
  };
}

/** The worker keeps its runs as long as the server has had its heartbeat lately. */
function createRemoteHeartbeat(
  { call }: ServerConnection,
  { self, logger }: { readonly self: RequestOf<'beat'>; readonly logger: Logger },
): Heartbeat {
  const stopping = new AbortController();
  const report = createFailureReport(logger, {
    failed: 'the server does not get heartbeats',
    succeeded: 'the server gets heartbeats again',
  });
  let beatenAt = performance.now();
  let beating: Promise<void> | undefined;
  const beat = async (): Promise<void> => {
    const sentAt = performance.now();
    await call('beat', self, stopping.signal);
    beatenAt = sentAt;
  };
  const keepBeating = async (): Promise<void> => {
    for (;;) {
      await pause(systemTimer, beatMs, stopping.signal);
      if (stopping.signal.aborted) return;
      await beat().then(
        () => report.succeeded(),
        (error: unknown) => report.failed(error),
      );
    }
  };
  return {
    start: async () => {
      await beat();
      beating = keepBeating();
    },
    silentMs: () => performance.now() - beatenAt,
    stop: async () => {
      stopping.abort();
      await beating;
    },
  };
}
