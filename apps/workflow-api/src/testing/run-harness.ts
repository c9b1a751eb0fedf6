import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createLocalHost } from '@weir/workflow-engine';
import { runStatus, systemTimer, type DagRun, type DagRunStep } from '@weir/workflow-engine/model';
import { tryLockFile, type Database } from '@weir/workflow-db';
import { parseDag } from '@weir/workflow-spec';
import {
  createRecordingLogger,
  temporaryFolder,
  waitFor,
  type RecordingLogger,
  type TemporaryFolder,
} from '@weir/test-kit';
import { unaudited } from '../access/audited-operation';
import { systemClock } from '../adapters/clock';
import { systemRandom } from '../adapters/random-source';
import { createInlineParser } from '../dag-parser';
import { createJsRunner } from '../js-run';
import { createListeners } from '../adapters/listeners';
import { localRunFiles } from '../run-files';
import {
  createPrismaDagRunRepository,
  createRunRetrier,
  createRunStarter,
  createRunWaiter,
  parseStored,
  type DagRunRepository,
  type StartOptions,
} from '../features/runs';
import {
  createInMemoryWorkerRepository,
  createLoopHeartbeat,
  createPrismaWorkerRepository,
  createScriptFolder,
  Worker,
  type WorkerOptions,
  type WorkerRepository,
} from '../features/worker';
import { createPrismaQueueDriver, type PrismaQueueOptions, type QueueDriver } from '../features/queue/store';
import { createInMemoryStateRepository } from '../features/state';
import { createInlineEvaluator } from './inline-evaluator';
import { hostEnvironment } from './workflow-api';
import { aWorker } from './worker-builders';

type HarnessWorkerOptions = Partial<Omit<WorkerOptions, 'workers'>> & { readonly workers?: WorkerRepository };

export interface RunHarness {
  readonly folder: TemporaryFolder;
  readonly logger: RecordingLogger;
  /** Starts a worker on the harness's runs; `stop` stops it if it is still running. */
  readonly startWorker: (options?: HarnessWorkerOptions) => Promise<Worker>;
  /** Stores a run of this spec. */
  readonly queue: (spec: string, options?: Partial<StartOptions>) => Promise<DagRun>;
  /** Retries a run that has ended. */
  readonly retry: (run: Pick<DagRun, 'id'>) => Promise<void>;
  /** Returns the run once it has ended. */
  readonly ended: (run: Pick<DagRun, 'id'>) => Promise<DagRun>;
  /** Returns the run's steps once the condition holds for one of them. */
  readonly stepWhere: (run: Pick<DagRun, 'id'>, condition: (step: DagRunStep) => boolean) => Promise<DagRunStep>;
  readonly stop: () => Promise<void>;
}

export interface HarnessStores {
  readonly runs: DagRunRepository;
  readonly queue: QueueDriver<never>;
  readonly workers?: WorkerRepository;
}

/** Creates the runs of a database, with their queues and workers. */
export function createDatabaseStores(database: Database, options?: PrismaQueueOptions): Required<HarnessStores> {
  const queue = createPrismaQueueDriver(database, options);
  const runs = createPrismaDagRunRepository(database, queue);
  return { runs, queue, workers: createPrismaWorkerRepository(database) };
}

/** Uses real processes and log files over a repository of any kind. */
export function createRunHarness({
  runs,
  queue,
  workers: shared = createInMemoryWorkerRepository(),
}: HarnessStores): RunHarness {
  const folder = temporaryFolder();
  const logger = createRecordingLogger();
  const workers: Worker[] = [];
  const start = createRunStarter({
    runs,
    clock: systemClock,
    random: systemRandom,
    runFiles: localRunFiles,
    logDir: folder.file('logs'),
    dagsDir: folder.path,
    runsDir: folder.file('runs'),
    chooseProfile: () => Promise.resolve({ profile: null, profileLayers: [] }),
    onQueued: () => queue.announce(),
    onRootStored: () => undefined,
  });
  const retrier = createRunRetrier({
    runs,
    parser: createInlineParser(),
    clock: systemClock,
  });
  const startWorker = async (options: HarnessWorkerOptions = {}): Promise<Worker> => {
    const id = randomUUID();
    const scripts = createScriptFolder(folder.file('scripts'), id);
    const identity = aWorker({ id, pid: process.pid });
    const heartbeat = createLoopHeartbeat({ workers: options.workers ?? shared, identity, logger, everyMs: 500 });
    const worker: Worker = new Worker({
      identity,
      heartbeat,
      workers: shared,
      runs,
      queue,
      recoverMs: 50,
      parser: { parse: (run) => parseStored(createInlineParser(), run) },
      ...createLocalHost({
        home: folder.path,
        dataFolder: folder.file('data'),
        tryLock: tryLockFile,
        hostEnv: hostEnvironment,
        scriptsFolder: scripts.path,
        killGraceMs: 1_000,
        builds: { maxBytes: 1_048_576, maxAgeMs: 60_000 },
        tools: { maxAgeMs: 60_000 },
        packages: { source: 'https://packages.invalid', maxAgeMs: 60_000 },
        clock: systemClock,
      }),
      scripts,
      outputEvaluator: createInlineEvaluator(),
      hostEnv: hostEnvironment,
      passthrough: { names: [], prefixes: [] },
      dagsDir: folder.path,
      clock: systemClock,
      timer: systemTimer,
      logger,
      runJs: createJsRunner({ hostFile: folder.file('js-host.js') }).run,
      state: createInMemoryStateRepository(),
      stopRequests: createListeners<string>(),
      runFiles: localRunFiles,
      children: {
        findDag: async (name) => {
          const specText = await readFile(folder.file(`${name}.yaml`), 'utf8');
          return { dag: parseDag(specText, { name }).dag, specText, baseTexts: [], fileName: name };
        },
        readPackage: () => Promise.reject(new Error('There are no packages here.')),
        start: (source, options) => start(source, { ...options, audit: unaudited }),
        retry: async (run, ownerId) => {
          await retrier.retry(run, unaudited, ownerId === undefined ? {} : { ownerId });
        },
        waitFor: createRunWaiter({ runs, timer: systemTimer }),
        stop: (childId) => Promise.resolve(void worker.stopRun(childId)),
      },
      ...options,
    });
    workers.push(worker);
    await worker.start({ claimsQueued: true });
    return worker;
  };
  return {
    folder,
    logger,
    startWorker,
    queue: (specText, options) => {
      const { dag } = parseDag(specText, { name: 'demo' });
      // Most specs are about several runs of one DAG at the same time.
      return start(
        { dag, specText, baseTexts: [], fileName: 'demo' },
        { isImmediate: true, audit: unaudited, ...options },
      );
    },
    retry: async ({ id }) => {
      const run = await runs.findById(id);
      if (run === undefined) throw new Error(`There is no run ${id}.`);
      await retrier.retry(run, unaudited);
    },
    ended: ({ id }) =>
      waitFor(
        async () => {
          const run = await runs.findById(id);
          return run !== undefined && runStatus.isTerminal(run.status) ? run : undefined;
        },
        { what: 'the run to end', deadlineMs: 60_000 },
      ),
    stepWhere: ({ id }, condition) =>
      waitFor(async () => (await runs.listSteps(id)).find(condition), { what: 'a step', deadlineMs: 60_000 }),
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await folder.remove();
    },
  };
}
