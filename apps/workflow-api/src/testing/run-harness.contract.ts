import { randomUUID } from 'node:crypto';
import { createLocalCommandExecutor, endOrphan, isTerminalRun, systemTimer } from '@weir/workflow-engine';
import { parseDag } from '@weir/workflow-spec';
import {
  createRecordingLogger,
  temporaryFolder,
  waitFor,
  type RecordingLogger,
  type TemporaryFolder,
} from '@weir/test-kit';
import { systemClock } from '../adapters/clock';
import { systemRandom } from '../adapters/random-source';
import { createInlineParser } from '../dag-parser';
import {
  createRunStarter,
  type DagRun,
  type DagRunRepository,
  type DagRunStep,
  type StartOptions,
} from '../features/dag-runs';
import {
  createInMemoryRunnerRepository,
  createScriptFolder,
  createSlots,
  Runner,
  type RunnerOptions,
} from '../features/runner';
import { createInlineEvaluator } from './inline-evaluator.contract';
import { hostEnvironment } from './workflow-api.contract';

export interface RunHarness {
  readonly folder: TemporaryFolder;
  readonly logger: RecordingLogger;
  /** A runner on the harness's runs that is started; stopped by `stop` if it is not before. */
  readonly startRunner: (options?: Partial<RunnerOptions>) => Promise<Runner>;
  /** Stores a run of this spec. */
  readonly queue: (spec: string, options?: StartOptions) => Promise<DagRun>;
  /** The run once it has ended. */
  readonly ended: (run: Pick<DagRun, 'id'>) => Promise<DagRun>;
  /** The run's steps once this holds for one of them. */
  readonly stepWhere: (run: Pick<DagRun, 'id'>, condition: (step: DagRunStep) => boolean) => Promise<DagRunStep>;
  readonly stop: () => Promise<void>;
}

/** Real processes and log files over a repository of any kind. */
export function createRunHarness(runs: DagRunRepository): RunHarness {
  const folder = temporaryFolder();
  const logger = createRecordingLogger();
  const runners: Runner[] = [];
  const shared = createInMemoryRunnerRepository();
  const start = createRunStarter({
    runs,
    clock: systemClock,
    random: systemRandom,
    logDir: folder.file('logs'),
    dagsDir: folder.path,
    workDir: folder.file('work'),
    onQueued: () => {
      for (const runner of runners) runner.wake();
    },
  });
  const startRunner = async (options: Partial<RunnerOptions> = {}): Promise<Runner> => {
    const id = randomUUID();
    const scripts = createScriptFolder(folder.file('scripts'), id);
    const runner = new Runner({
      identity: { id, host: 'here', pid: process.pid, startedAt: new Date() },
      runners: shared,
      runs,
      parser: createInlineParser(),
      executor: createLocalCommandExecutor({ clock: systemClock, killGraceMs: 1_000, tempDir: scripts.path }),
      scripts,
      processSlots: createSlots(64),
      outputEvaluator: createInlineEvaluator(),
      endOrphan: (orphan) => endOrphan(orphan, 1_000),
      isShared: false,
      hostEnv: hostEnvironment,
      passthrough: { names: [], prefixes: [] },
      dagsDir: folder.path,
      clock: systemClock,
      timer: systemTimer,
      logger,
      ...options,
    });
    runners.push(runner);
    await runner.start({ takesQueued: true });
    return runner;
  };
  return {
    folder,
    logger,
    startRunner,
    queue: (specText, options = {}) => {
      const { dag } = parseDag(specText, { name: 'demo' });
      return start({ dag, specText, baseTexts: [], fileName: 'demo' }, options);
    },
    ended: ({ id }) =>
      waitFor(
        async () => {
          const run = await runs.findById(id);
          return run !== undefined && isTerminalRun(run.status) ? run : undefined;
        },
        { what: 'the run to end', deadlineMs: 20_000 },
      ),
    stepWhere: ({ id }, condition) =>
      waitFor(async () => (await runs.stepsOf(id)).find(condition), { what: 'a step', deadlineMs: 20_000 }),
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      await folder.remove();
    },
  };
}
