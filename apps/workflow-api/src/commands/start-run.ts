import { AppError, isAppError } from '@weir/errors';
import { createLogger, startService, type Logger, type LoggerOptions, type SignalSource } from '@weir/service-kit';
import { unrunnableParts } from '@weir/workflow-engine';
import { formatFinding, hasErrors } from '@weir/workflow-spec';
import { systemRandom } from '../adapters/random-source';
import { createWorkflow } from '../composition';
import type { Config } from '../config';
import { createDagFileStore } from '../features/dags';
import { createControlClient, readRunSnapshot, type RunSnapshot } from '../features/local-control';
import { controlSocket, type WorkflowFeatures } from '../features/workflow-features';
import { openStore } from '../store';
import { followRun } from './follow-run';
import { createInlineSpecReader } from './inline-spec-reader';
import { findRunTarget, type RunTarget } from './run-target';

export interface StartRunOptions {
  readonly config: Config;
  readonly version: string;
  readonly migrationsFolder: string;
  readonly parserFile: string;
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly signals: SignalSource;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Where the log goes: standard output belongs to the run. */
  readonly logDestination: NonNullable<LoggerOptions['destination']>;
  /** A path, or the name of a DAG in the DAGs folder. */
  readonly target: string;
  readonly params?: string | undefined;
  readonly dagRunId?: string | undefined;
}

/** Where a run is carried out: in this process, or in the server that has the database. */
interface RunPlace {
  readonly started: RunSnapshot;
  read(): Promise<RunSnapshot>;
  stop(): Promise<void>;
}

/** Carries out one run and shows it; returns the exit code, 0 when it succeeded. */
export async function startRun(options: StartRunOptions): Promise<number> {
  const { config, printError } = options;
  const store = createDagFileStore({ folder: config.dags.folder, random: systemRandom });
  const specs = createInlineSpecReader(config);
  const target = await findRunTarget(options.target, { ...options, store, specs });
  if (hasErrors(target.findings)) {
    const errors = target.findings.filter(({ severity }) => severity === 'error');
    printError(
      [`Validation failed for ${options.target}`, ...errors.map((error) => `  - ${formatFinding(error)}`)].join('\n'),
    );
    return 1;
  }
  const unrunnable = unrunnableParts(target.dag);
  if (unrunnable.length > 0) {
    const heading = `${options.target} is valid, but this version cannot carry it out yet:`;
    printError([heading, ...unrunnable.map((part) => `  - ${part}`)].join('\n'));
    return 1;
  }
  try {
    return await runHere(options, target);
  } catch (error) {
    if (!isAppError(error) || error.reason !== 'database_in_use') throw error;
    return await runInServer(options, target, error);
  }
}

async function runHere(options: StartRunOptions, target: RunTarget): Promise<number> {
  const logger = quietLogger(options);
  let workflow: WorkflowFeatures | undefined;
  const service = await startService({
    logger,
    start: async (add) => {
      const database = await openStore({ ...options, logger }, add);
      workflow = add(await createWorkflow({ ...options, logger }, database));
      await workflow.startForSingleRuns();
    },
  });
  try {
    if (workflow === undefined) throw new AppError('internal', 'The workflow features did not start.');
    return await follow(options, await startHere(workflow, options, target));
  } finally {
    await service.stop();
  }
}

async function startHere(
  { runs, runner, startRun: start }: WorkflowFeatures,
  { params, dagRunId }: StartRunOptions,
  target: RunTarget,
): Promise<RunPlace> {
  const { id } = await start(target, { params, dagRunId, ownerId: runner.id });
  const read = async (): Promise<RunSnapshot> => {
    const snapshot = await readRunSnapshot(runs, id);
    if (snapshot === undefined) throw new AppError('internal', 'The run is not stored any more.');
    return snapshot;
  };
  void runner.carryOut(id);
  return { started: await read(), read, stop: () => Promise.resolve(void runner.stopRun(id)) };
}

async function runInServer(options: StartRunOptions, target: RunTarget, inUse: AppError): Promise<number> {
  const { params, dagRunId, config } = options;
  const client = createControlClient(controlSocket(config.data.folder));
  const { specText, name, fileName } = target;
  const started = await client.start({ specText, name, fileName, params, dagRunId }).catch((error: unknown) => {
    // Then the refusal that names the process is of more use.
    throw isAppError(error) && error.reason === 'control_unavailable' ? inUse : error;
  });
  return follow(options, { started, read: () => client.read(started.id), stop: () => client.stop(started.id) });
}

async function follow({ signals, print, printError }: StartRunOptions, place: RunPlace): Promise<number> {
  const onSignal = (): void => {
    place.stop().catch(() => printError('weir: the run could not be asked to stop'));
  };
  signals.on('SIGINT', onSignal);
  signals.on('SIGTERM', onSignal);
  print(`${place.started.dagName} ${place.started.dagRunId}: started`);
  const { isSuccess } = await followRun({ read: () => place.read(), print });
  return isSuccess ? 0 : 1;
}

/** The lines of the run are the news; the log only has what is wrong, unless more was asked for. */
function quietLogger({ config, logDestination }: StartRunOptions): Logger {
  const { level, format } = config.log;
  return createLogger({ level: level === 'info' ? 'warn' : level, format, destination: logDestination });
}
