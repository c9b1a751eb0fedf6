import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { createLocalCommandExecutor, endOrphan, systemTimer, type HostPassthrough } from '@weir/workflow-engine';
import { workflowOpenApi } from '@weir/workflow-contract/openapi';
import type { Database } from '@weir/workflow-db';
import type { Logger, Resource } from '@weir/service-kit';
import type { Clock } from '../adapters/clock';
import type { RandomSource } from '../adapters/random-source';
import type { Bind } from '../bind';
import { createPooledParser, createSpecReader, type DagParsers } from '../dag-parser';
import { createOutputEvaluator, type OutputEvaluator } from '../output-thread';
import {
  bindDagRunRoutes,
  createDagRunService,
  createPrismaDagRunRepository,
  createRunStarter,
  createRunStopper,
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
import { createPrismaRunnerRepository, createScriptFolder, createSlots, Runner, type RunnerRepository } from './runner';
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
  readonly runs: DagRunRepository;
  readonly flags: DagFlagRepository;
  readonly runners: RunnerRepository;
  readonly checkDatabase: DatabaseCheck;
  /** Whether other processes may work on the same data. */
  readonly isShared: boolean;
}

export interface WorkflowFeaturesOptions {
  readonly clock: Clock;
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
  /** Whether queued runs are carried out here. Otherwise they wait for a process that does. */
  readonly withRunner: boolean;
}

/** DAGs, runs and the runner, put together. Nothing happens in the background before `start`. */
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
  readonly runner: Runner;
}

interface CreationOptions {
  readonly database: Database;
  /** File of the bundled parse worker. */
  readonly parserFile: string;
}

const defaultStepProcesses = 64;
/** Each may take hundreds of megabytes before it is ended. */
const outputThreads = 4;

export function createWorkflowFeatures(options: WorkflowFeaturesOptions & CreationOptions): Promise<WorkflowFeatures> {
  const { database, parserFile } = options;
  return assembleWorkflow(options, {
    parsers: createPooledParser({ workerFile: parserFile }),
    // The build puts the code of all threads into one folder.
    outputEvaluator: createOutputEvaluator({
      workerFile: path.join(path.dirname(parserFile), 'output-worker.js'),
      slots: createSlots(outputThreads),
    }),
    runs: createPrismaDagRunRepository(database),
    flags: createPrismaDagFlagRepository(database),
    runners: createPrismaRunnerRepository(database),
    checkDatabase: createDatabaseCheck(database),
    isShared: database.provider === 'postgresql',
  });
}

/** The same over stores of any kind. */
export async function assembleWorkflow(
  options: WorkflowFeaturesOptions,
  stores: WorkflowStores,
): Promise<WorkflowFeatures> {
  const { parsers, runs, isShared } = stores;
  const parser = parsers.forRequests;
  const { clock, random, logger, dagsFolder, logFolder, dataFolder } = options;
  const workDir = path.join(dataFolder, 'work');
  await mkdir(dagsFolder, { recursive: true });
  for (const folder of [logFolder, workDir]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const { store, specs, suspensions, catalog } = createReading(options, stores);
  const runner = createRunner(options, stores);
  const folders = { logDir: logFolder, dagsDir: dagsFolder, workDir };
  const startRun = createRunStarter({ runs, clock, random, ...folders, onQueued: () => runner.wake() });
  const stopper = createRunStopper({ runs, clock, onRequested: (id) => runner.stopRun(id) });
  const hasDagFile = async (fileName: string) => (await store.markOf(fileName)) !== undefined;
  const dagRuns = createDagRunService({ runs, parser, clock, stopper, hasDagFile });
  const dags = createDagService({ store, specs, catalog, suspensions, runs, dagRuns, startRun, stopper, clock });
  const startedAt = clock.now();
  const places = { logFolder, workFolder: workDir, socket: controlSocket(dataFolder) };
  const listSuspended = () => stores.flags.listSuspended();
  const control = createLocalControl({ ...places, runs, specs, startRun, stopper, listSuspended, isShared, logger });
  return {
    name: 'workflow',
    runs,
    startRun,
    runControl: control.runControl,
    store,
    catalog,
    runner,
    bindRoutes: (bind) => {
      bindSystemRoutes(bind, { ...systemDependencies(options), checkDatabase: stores.checkDatabase, startedAt });
      bindDagRoutes(bind, dags);
      bindDagRunRoutes(bind, dagRuns);
    },
    start: async ({ withRunner }) => {
      await catalog.start();
      if (withRunner) await runner.start({ takesQueued: true });
      await control.listen(withRunner ? 'all' : 'none');
    },
    startForSingleRuns: async () => {
      await runner.start({ takesQueued: false });
      await control.listen('its own');
    },
    stop: async () => {
      await control.stop();
      await runner.stop();
      // The catalog would wait for the files it has given to the parser.
      await Promise.all([catalog.stop(), parsers.stop()]);
    },
  };
}

/** The DAG files, and what is known of them. */
function createReading(
  { clock, random, logger, dagsFolder, baseConfig }: WorkflowFeaturesOptions,
  { parsers, flags, isShared }: WorkflowStores,
) {
  const store = createDagFileStore({ folder: dagsFolder, random });
  const base = createBaseConfigs({ ...baseConfig, dagsFolder });
  const suspensions = createSuspensions({ flags, clock, isShared });
  return {
    store,
    suspensions,
    specs: createSpecReader(parsers.forRequests, base),
    catalog: new DagCatalog({
      store,
      specs: createSpecReader(parsers.forServer, base),
      base,
      suspensions,
      clock,
      logger,
    }),
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

function createRunner(options: WorkflowFeaturesOptions, stores: WorkflowStores): Runner {
  const { parsers, outputEvaluator, runs, runners, isShared } = stores;
  const { clock, random, logger, hostEnvironment, dagsFolder, dataFolder, defaultShell } = options;
  const id = random.uuid();
  const scripts = createScriptFolder(path.join(dataFolder, 'scripts'), id);
  return new Runner({
    identity: { id, host: hostname(), pid: process.pid, startedAt: clock.now() },
    runners,
    runs,
    parser: parsers.forServer,
    executor: createLocalCommandExecutor({ clock, tempDir: scripts.path }),
    outputEvaluator,
    scripts,
    processSlots: createSlots(options.maxStepProcesses ?? defaultStepProcesses),
    endOrphan: (orphan) => endOrphan(orphan),
    isShared,
    hostEnv: hostEnvironment,
    passthrough: options.passthrough,
    dagsDir: dagsFolder,
    defaultShell,
    clock,
    timer: systemTimer,
    logger,
  });
}
