import type { RequestHandler } from 'express';
import type { ReadStoredSecret } from '@weir/workflow-engine';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import type { RandomSource } from './adapters/random-source';
import type { Config } from './config';
import { createProfileSecretReader } from './features/profiles';
import {
  createChildRuns,
  createLoopHeartbeat,
  createWorker,
  type ChildRunPorts,
  type Worker,
  type WorkerPorts,
} from './features/worker';
import { workerSettings } from './features/worker/worker-settings';
import { serveWorkers, type ServeWorkersPorts } from './features/worker-gateway/serve-workers';
import type { Platform } from './platform';

export interface WorkersPorts
  extends Omit<ChildRunPorts, 'parsers'>, Pick<WorkerPorts, 'stopRequests' | 'version' | 'logger'> {
  readonly config: Config;
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly platform: Platform;
  readonly readStoredSecret: ReadStoredSecret;
  readonly identifyWorker: ServeWorkersPorts['identify'];
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: RandomSource;
  readonly logger: Logger;
}

export interface Workers {
  /** The worker of this process. */
  readonly worker: Worker;
  /** Serves the workers that have no database. */
  readonly remoteWorkers: RequestHandler;
}

/** Everything that executes runs gets them, their secrets and their child runs from the same stores. */
export function createWorkers(ports: WorkersPorts): Workers {
  const { config, platform, hostEnvironment, identifyWorker, readStoredSecret } = ports;
  const { stopRequests, version, clock, timer, random, logger } = ports;
  const { runs, queue, workers, state, parsers, isShared } = platform;
  const shared = {
    runs,
    queue,
    workers,
    state,
    parsers,
    isShared,
    readStoredSecret,
    readProfileSecret: createProfileSecretReader(platform.profiles, platform.sealer),
    children: createChildRuns({ ...ports, parsers }),
    dagsFolder: config.dags.folder,
    dataFolder: config.data.folder,
    clock,
  };
  const worker = createWorker({
    ...workerSettings(config),
    ...shared,
    createHeartbeat: platform.createHeartbeat ?? ((identity) => createLoopHeartbeat({ workers, identity, logger })),
    outputEvaluator: platform.outputEvaluator,
    runFiles: platform.runFiles,
    jsRunner: platform.jsRunner,
    fileProgram: platform.fileProgram,
    spawner: platform.spawner,
    stepIsolation: platform.stepIsolation,
    readRevision: platform.readRevision,
    hostEnv: hostEnvironment,
    stopRequests,
    version,
    timer,
    random,
    logger,
  });
  const remoteWorkers = serveWorkers({
    ...shared,
    load: () => import('./bundles/worker-gateway.js'),
    identify: identifyWorker,
    objects: platform.objects,
    logFolder: config.logs.folder,
    createId: () => random.uuid(),
  });
  return { worker, remoteWorkers };
}
