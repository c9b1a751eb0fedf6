import { hostname } from 'node:os';
import path from 'node:path';
import { tryLockFile } from '@weir/workflow-db';
import { createLocalHost, type LocalHostOptions, type Spawner, type StateStore } from '@weir/workflow-engine';
import type { LogLimits, Timer, Clock, WorkerLabels } from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import { createChangeWatch } from '../../adapters/change-watch';
import type { RandomSource } from '../../adapters/random-source';
import type { DagParsers } from '../../dag-parser';
import type { JsRunner } from '../../js-run';
import type { Listeners } from '../../adapters/listeners';
import type { OutputEvaluator } from '../../output-thread';
import type { RunFiles } from '../../run-files';
import type { StepIsolationState } from './step-isolation';
import { parseStored } from '../runs';
import type { ExecutedRuns } from './active-runs';
import { type Heartbeat } from './heartbeat';
import type { StoredChildRuns } from './child-placement';
import { Worker, type WorkerOptions } from './worker';
import type { WorkerIdentity } from './worker-repository';
import { createScriptFolder } from './script-folder';

export type CreateHeartbeat = (worker: WorkerIdentity, logger: Logger) => Heartbeat;

export interface WorkerPorts extends Pick<
  WorkerOptions,
  'hostEnv' | 'passthrough' | 'defaultShell' | 'secretProviders' | 'readStoredSecret' | 'readProfileSecret'
> {
  /** Default: a new one. */
  readonly id?: string;
  readonly runs: ExecutedRuns;
  readonly queue: WorkerOptions['queue'];
  readonly workers: WorkerOptions['workers'];
  readonly state: StateStore;
  readonly parsers: DagParsers;
  readonly outputEvaluator: OutputEvaluator;
  readonly runFiles: Pick<RunFiles, 'claim'>;
  readonly jsRunner: JsRunner;
  /** The built program that executes `sqlite.*`, `duckdb.query` and `xlsx.*`. */
  readonly fileProgram?: string | undefined;
  /** Missing where this process starts the processes of steps itself. */
  readonly spawner?: Spawner | undefined;
  readonly stepIsolation?: StepIsolationState | undefined;
  readonly logLimits: LogLimits;
  readonly home: string;
  readonly toolLimits: LocalHostOptions['tools'];
  readonly packageLimits: LocalHostOptions['packages'];
  /** Limits the outputs of builds that are kept. */
  readonly buildCacheLimits: LocalHostOptions['builds'];
  readonly children: StoredChildRuns;
  readonly stopRequests: Pick<Listeners<string>, 'subscribe'>;
  /** The heartbeat on which leases may depend. */
  readonly createHeartbeat: CreateHeartbeat;
  /** Returns another value after each change of the database, or `undefined` where changes cannot be detected. */
  readonly readRevision: () => string | undefined;
  readonly version: string;
  /** The worker claims runs whose selector these labels match. */
  readonly labels: WorkerLabels;
  /** Limits the runs at the same time. */
  readonly maxRuns: number;
  /** The time for which runs continue when the worker stops. */
  readonly drainMs: number;
  /** Whether workers of several machines may share the runs, and are notified of queued ones. */
  readonly isShared: boolean;
  /** A worker without heartbeats keeps its claims for this time. Default: 10 s. */
  readonly leaseMs?: number;
  /** Whether it is notified of queued runs. Default: where workers share the runs. */
  readonly isNotified?: boolean;
  readonly dagsFolder: string;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: RandomSource;
  readonly logger: Logger;
}

/**
 * Together with the heartbeats, these take less than a query a second. A dead worker is noticed within 13 s, which
 * leaves two seconds to take its runs over on a busy machine.
 */
const sharedPolls = { pollMs: 10_000, recoverMs: 3_000, cleanMs: 60_000 };

const duePollMs = 1_000;

/** Creates the worker of this process, which is idle until it is started. */
export function createWorker(ports: WorkerPorts): Worker {
  const {
    parsers,
    jsRunner,
    spawner,
    stepIsolation,
    workers,
    dagsFolder,
    dataFolder,
    buildCacheLimits,
    toolLimits,
    packageLimits,
    home,
    createHeartbeat,
    readRevision,
    clock,
    random,
    logger,
    version,
    labels,
    maxRuns,
    ...rest
  } = ports;
  const { id = random.uuid() } = ports;
  const scripts = createScriptFolder(path.join(dataFolder, 'scripts'), id);
  const host = createLocalHost({
    home,
    dataFolder,
    tryLock: tryLockFile,
    hostEnv: ports.hostEnv,
    scriptsFolder: scripts.path,
    spawner,
    isolation:
      stepIsolation?.kind === 'namespaces'
        ? { ...stepIsolation, open: [dagsFolder], scriptsFolder: scripts.path }
        : undefined,
    builds: buildCacheLimits,
    tools: toolLimits,
    packages: packageLimits,
    clock,
  });
  const identity = { id, host: hostname(), pid: process.pid, startedAt: clock.now(), labels, maxRuns, version };
  return new Worker({
    ...rest,
    identity,
    heartbeat: createHeartbeat(identity, logger),
    workers,
    parser: { parse: (run) => parseStored(parsers.forServer, run) },
    ...host,
    runJs: jsRunner.run,
    scripts,
    mayHaveChanged: createChangeWatch({ readRevision, longestMs: duePollMs, now: () => performance.now() }),
    maxRuns,
    // On SQLite, runs that other processes queue, and runs that become due, are found only by polling.
    ...((rest.isNotified ?? rest.isShared) ? sharedPolls : { pollMs: 250 }),
    dagsDir: dagsFolder,
    clock,
    logger,
  });
}
