import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  createPermits,
  createSpawner,
  systemTimer,
  type HostPassthrough,
  type Spawner,
  type StateStore,
  type Timer,
} from '@weir/workflow-engine';
import { workflowOpenApi } from '@weir/workflow-contract/openapi';
import { freeSpace, type Database } from '@weir/workflow-db';
import type { Logger, Resource, Secret } from '@weir/service-kit';
import { selectHeartbeat, type CreateHeartbeat } from './select-heartbeat';
import { createScheduleTimes, type ScheduleTimes } from '@weir/workflow-spec';
import type { Clock } from '../adapters/clock';
import type { RandomSource } from '../adapters/random-source';
import type { Bind } from '../bind';
import { createPooledParser, createSpecReader, type DagParsers } from '../dag-parser';
import { createJsRunner, type JsRunner } from '../js-run';
import { createOutputEvaluator, type OutputEvaluator } from '../output-thread';
import { bindArtifactRoutes } from './artifacts';
import {
  createPrismaDagRunRepository,
  createRunStarter,
  createRunWaiter,
  type LocalDispatch,
  type DagRunRepository,
  type StartRun,
} from './dag-runs';
import {
  bindDagRoutes,
  createBaseConfigs,
  createDagFileStore,
  createDagService,
  createPrismaDagFlagRepository,
  createSuspensions,
  DagCatalog,
  type BaseConfigLocations,
  type DagFileStore,
  type DagFlagRepository,
} from './dags';
import { createLocalControl, type RunControl } from './local-control';
import { createRetentionOf } from './create-retention';
import { createRunServices } from './create-run-services';
import { createChildRuns, createWorker } from './create-worker';
import { createPrismaQueueDriver, type QueueDriver } from './queue';
import { createPrismaWorkerRepository, type Worker, type WorkerRepository } from './worker';
import { prismaDagNames, withRetention, type RetentionDependencies } from './retention';
import {
  createPrismaSchedulerStateRepository,
  createAutomaticRetries,
  Scheduler,
  type SchedulerOptions,
  type SchedulerStateRepository,
} from './scheduler';
import { createPrismaStateRepository } from './state';
import { lifecycleOf } from './workflow-lifecycle';
import {
  bindSystemRoutes,
  createDatabaseCheck,
  createHttpCoordinator,
  noCoordinator,
  type DatabaseCheck,
} from './system';

/** Where the features keep what they know, and what reads it. */
export interface WorkflowStores {
  /** Stopped with the features. */
  readonly parsers: DagParsers;
  readonly outputEvaluator: OutputEvaluator;
  /** Stopped with the features. */
  readonly jsRunner: JsRunner;
  /** Missing where this process starts the processes of steps itself. */
  readonly spawner?: Spawner;
  readonly runs: DagRunRepository;
  readonly flags: DagFlagRepository;
  readonly queue: QueueDriver<never>;
  readonly workers: WorkerRepository;
  /** Where the lease of a run is a heartbeat. Otherwise heartbeats are for display. */
  readonly createHeartbeat?: CreateHeartbeat | undefined;
  readonly schedulerState: SchedulerStateRepository;
  readonly state: StateStore;
  /** What of the data retention works on. */
  readonly retained: Pick<RetentionDependencies, 'dagNamesAfter' | 'freeSpace'>;
  readonly checkDatabase: DatabaseCheck;
  /** Whether other processes may work on the same data. */
  readonly isShared: boolean;
}

export interface WorkflowFeaturesOptions {
  readonly clock: Clock;
  /** Wakes the scheduler. Default: the system's. */
  readonly timer?: Timer;
  readonly random: RandomSource;
  readonly logger: Logger;
  readonly version: string;
  /** The server's own environment; an allow-list of it reaches steps. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  /** What of it gets through beside the list. */
  readonly passthrough: HostPassthrough;
  /** What stands before `/api/v1` in every address. */
  readonly basePath: string;
  readonly coordinatorUrl?: string | undefined;
  readonly dagsFolder: string;
  /** Of schedules that name none. Default: that of the process. */
  readonly timeZone?: string | undefined;
  /** Places of the queues that have more than one. */
  readonly queues?: ReadonlyMap<string, number>;
  /** File whose settings every DAG takes over. */
  readonly baseConfig: Pick<BaseConfigLocations, 'file' | 'isRequired'>;
  readonly logFolder: string;
  /** The working folders of runs are below it. */
  readonly dataFolder: string;
  /** For DAGs and steps that name no shell. Default: `$SHELL`, else `sh`. */
  readonly defaultShell?: readonly string[] | undefined;
  /** Step processes at the same time, of all runs together. Default 64. */
  readonly maxStepProcesses?: number;
}

export interface WorkflowStart {
  /** Whether queued runs are carried out, and schedules followed, here. Otherwise another process has to. */
  readonly withWorker: boolean;
}

/** DAGs, runs and the worker, put together. Nothing happens in the background before `start`. */
export interface WorkflowFeatures extends Resource {
  bindRoutes(bind: Bind): void;
  /** Serves lists of DAGs from here on, and carries out runs where that is asked for. */
  start(options: WorkflowStart): Promise<void>;
  /** Carries out single runs only: none is taken from the queue, and no list of DAGs is kept. */
  startForSingleRuns(): Promise<void>;
  readonly runs: DagRunRepository;
  readonly startRun: StartRun;
  readonly runControl: RunControl;
  readonly store: DagFileStore;
  readonly catalog: DagCatalog;
  readonly worker: Worker;
  readonly scheduler: Scheduler;
}

interface CreationOptions {
  readonly database: Database;
  readonly databaseUrl: Secret;
  /** File of the bundled parse worker. */
  readonly parserFile: string;
}

/** Each may take hundreds of megabytes before it is ended. */
const outputThreads = 4;

export function createWorkflowFeatures(options: WorkflowFeaturesOptions & CreationOptions): Promise<WorkflowFeatures> {
  const { database, databaseUrl, parserFile } = options;
  const queue = createPrismaQueueDriver(database);
  // The build puts the code of all threads into one folder.
  const besideParser = (name: string): string => path.join(path.dirname(parserFile), name);
  return assembleWorkflow(options, {
    parsers: createPooledParser({ workerFile: parserFile }),
    outputEvaluator: createOutputEvaluator({
      workerFile: besideParser('output-worker.js'),
      permits: createPermits(outputThreads),
    }),
    jsRunner: createJsRunner({ hostFile: besideParser('js-host.js') }),
    spawner: createSpawner({ programFile: besideParser('spawner.js') }),
    runs: createPrismaDagRunRepository(database, queue),
    queue,
    flags: createPrismaDagFlagRepository(database),
    workers: createPrismaWorkerRepository(database),
    schedulerState: createPrismaSchedulerStateRepository(database),
    state: createPrismaStateRepository(database),
    retained: { dagNamesAfter: prismaDagNames(database), freeSpace: () => freeSpace(database) },
    checkDatabase: createDatabaseCheck(database),
    isShared: database.provider === 'postgresql',
    createHeartbeat: selectHeartbeat(database, { url: databaseUrl, workerFile: besideParser('heartbeat-worker.js') }),
  });
}

/** The same over stores of any kind. */
export async function assembleWorkflow(
  options: WorkflowFeaturesOptions,
  stores: WorkflowStores,
): Promise<WorkflowFeatures> {
  const { runs, queue, isShared } = stores;
  const { clock, random, logger, dagsFolder, logFolder, dataFolder } = options;
  const { workDir, artifactsDir } = await makeFolders(options);
  const times = createScheduleTimes({ timeZone: options.timeZone });
  const { store, specs, serverSpecs, suspensions, catalog } = createReading(options, stores, times);
  const worker = createWorker(
    options,
    stores,
    createChildRuns(() => ({ store, specs: serverSpecs, startRun, waitForRun, worker, retrier, stopper })),
  );
  const folders = { logDir: logFolder, dagsDir: dagsFolder, workDir, artifactsDir, home: options.hostEnvironment.HOME };
  const { removeRun, retention } = createRetentionOf(options, stores, { workDir, artifactsDir });
  const waitForRun = createRunWaiter({ runs, timer: systemTimer });
  const atOnce: LocalDispatch = {
    ownerId: () => (worker.hasCapacity() ? worker.id : undefined),
    execute: (stored) => void worker.execute(stored),
  };
  const starter = createRunStarter({
    runs,
    clock,
    random,
    ...folders,
    onQueued: () => queue.announce(),
    local: atOnce,
  });
  const startRun = withRetention(starter, retention);
  const hasDagFile = async (fileName: string) => (await store.readMark(fileName)) !== undefined;
  const services = createRunServices(options, stores, { worker, removeRun, hasDagFile });
  const { addresses, stopper, retrier, gates, dagRuns } = services;
  const dags = createDagService({ store, specs, catalog, suspensions, runs, dagRuns, startRun, stopper, times, clock });
  const scheduling = { store, specs: serverSpecs, suspensions, catalog, startRun, stopper, times };
  const scheduler = createScheduler(scheduling, options, stores);
  const startedAt = clock.now();
  const listSuspended = () => stores.flags.listSuspended();
  const retryDue = createAutomaticRetries({ runs, retrier, listSuspended, timer: systemTimer, clock, logger });
  const control = createLocalControl({
    ...{ runs, specs, startRun, stopper, gates, retrier, removeRun, listSuspended, isShared, logger },
    socket: controlSocket(dataFolder),
  });
  return {
    name: 'workflow',
    runs,
    startRun,
    runControl: control.runControl,
    store,
    catalog,
    worker,
    scheduler,
    bindRoutes: (bind) => {
      bindSystemRoutes(bind, { ...systemDependencies(options), checkDatabase: stores.checkDatabase, startedAt });
      bindDagRoutes(bind, dags);
      services.bindRunRoutes(bind);
      bindArtifactRoutes(bind, addresses);
    },
    ...lifecycleOf({ catalog, worker, scheduler, retryDue, retention, control }, stores, options),
  };
}

async function makeFolders({ dagsFolder, logFolder, dataFolder }: WorkflowFeaturesOptions) {
  const workDir = path.join(dataFolder, 'work');
  const artifactsDir = path.join(dataFolder, 'artifacts');
  await mkdir(dagsFolder, { recursive: true });
  for (const folder of [logFolder, workDir, artifactsDir]) await mkdir(folder, { recursive: true, mode: 0o700 });
  return { workDir, artifactsDir };
}

/** The DAG files, and what is known of them. */
function createReading(
  { clock, random, logger, dagsFolder, baseConfig }: WorkflowFeaturesOptions,
  { parsers, flags, isShared }: WorkflowStores,
  times: ScheduleTimes,
) {
  const store = createDagFileStore({ folder: dagsFolder, random });
  const base = createBaseConfigs({ ...baseConfig, dagsFolder });
  const suspensions = createSuspensions({ flags, clock, isShared });
  const serverSpecs = createSpecReader(parsers.forServer, base);
  return {
    store,
    suspensions,
    specs: createSpecReader(parsers.forRequests, base),
    serverSpecs,
    catalog: new DagCatalog({ store, specs: serverSpecs, base, suspensions, times, clock, logger }),
  };
}

/** Where the server that has a SQLite database can be spoken to by commands of the same user. */
export function controlSocket(dataFolder: string): string {
  return path.join(dataFolder, 'weir.sock');
}

function systemDependencies({ clock, version, basePath, coordinatorUrl }: WorkflowFeaturesOptions) {
  return {
    version,
    clock,
    openApi: { ...workflowOpenApi(`${basePath}/api/v1`) },
    coordinator: coordinatorUrl === undefined ? noCoordinator : createHttpCoordinator({ url: coordinatorUrl }),
  };
}

function createScheduler(
  reading: Pick<SchedulerOptions, 'store' | 'specs' | 'suspensions' | 'catalog' | 'startRun' | 'stopper' | 'times'>,
  { clock, timer = systemTimer, logger }: WorkflowFeaturesOptions,
  { runs, flags, schedulerState }: WorkflowStores,
): Scheduler {
  return new Scheduler({ ...reading, runs, flags, state: schedulerState, clock, timer, logger });
}
