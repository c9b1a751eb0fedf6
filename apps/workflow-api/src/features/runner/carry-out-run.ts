import { AppError } from '@weir/errors';
import {
  isTerminalNode,
  planDag,
  runDag,
  unrunnableParts,
  type LocalCommandExecutor,
  type StepExecutor,
} from '@weir/workflow-engine';
import { formatFinding, type Dag } from '@weir/workflow-spec';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../adapters/clock';
import { isSpecTooCostly, type DagParser } from '../../dag-parser';
import { basesOf, dagNotRunnable, type DagRun, type DagRunRepository, type DagRunStep } from '../dag-runs';
import { removeEmptyFolder } from './remove-empty-folder';
import { openRunLog, type RunLog } from './run-log';
import { prepareRun } from './prepare-run';
import { createRunRecorder, runLost } from './run-recorder';
import type { RunSources, RunValues } from './run-values';
import type { Slots } from './slots';
import { stepCommand, type StepCommandOptions } from './step-command';

export interface CarryOutDependencies
  extends Pick<RunSources, 'hostEnv' | 'passthrough' | 'dagsDir'>, Pick<StepCommandOptions, 'defaultShell'> {
  readonly runs: DagRunRepository;
  readonly parser: DagParser;
  readonly executor: LocalCommandExecutor;
  /** Bounds the step processes of all runs together. */
  readonly processSlots: Slots;
  readonly ownerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Carries out a run that this owner has, from the text stored with it. Resolves once its end is stored, and rejects
 * when it cannot be stored; nothing of the run is left running either way.
 */
export async function carryOutRun(dependencies: CarryOutDependencies, id: string, signal: AbortSignal): Promise<void> {
  const { runs, parser, clock, logger } = dependencies;
  const run = await runs.findById(id);
  if (run === undefined) throw new AppError('internal', 'A run to be carried out is not stored.');
  const steps = await runs.stepsOf(id);
  const fields = { dagName: run.dagName, dagRunId: run.dagRunId };
  const log = openRunLog({ file: run.logFile, clock, logger });
  log.write('run started', fields);
  logger.info(fields, 'run started');
  try {
    const { dag, problem } = await readStored(parser, run, steps);
    if (dag === undefined) {
      await refuse(dependencies, { run, steps }, `The stored spec cannot be run: ${problem}`, log);
      return;
    }
    const prepared = await prepare(dependencies, { run, dag, signal });
    if ('problem' in prepared) await refuse(dependencies, { run, steps }, prepared.problem, log);
    else await runSteps(dependencies, { run, steps, dag, log, signal, values: prepared.values });
  } finally {
    await log.close();
    await removeEmptyFolder(run.workDir, logger);
  }
}

function prepare(dependencies: CarryOutDependencies, open: Pick<OpenRun, 'run' | 'dag' | 'signal'>) {
  const { runs, ownerId } = dependencies;
  return prepareRun({
    ...dependencies,
    ...open,
    storeParams: async (params) => {
      if (!(await runs.storeParams(open.run.id, ownerId, params))) throw runLost();
    },
  });
}

type StoredDag =
  { readonly dag: Dag; readonly problem?: undefined } | { readonly dag?: undefined; readonly problem: string };

async function readStored(parser: DagParser, run: DagRun, steps: readonly DagRunStep[]): Promise<StoredDag> {
  try {
    const { dag, findings } = await parser.parse(run.specText, {
      name: run.dagName,
      overrideName: true,
      bases: basesOf(run),
    });
    const [first] = findings.filter(({ severity }) => severity === 'error').map(formatFinding);
    if (first !== undefined) return { problem: first };
    if (!isSameOrder(dag, steps)) return { problem: 'its steps are not those of the run' };
    const unrunnable = unrunnableParts(dag);
    return unrunnable.length === 0 ? { dag } : { problem: dagNotRunnable(dag.name, unrunnable).message };
  } catch (error) {
    if (!isSpecTooCostly(error)) throw error;
    return { problem: error.message };
  }
}

interface OpenRun {
  readonly run: DagRun;
  readonly steps: readonly DagRunStep[];
  readonly dag: Dag;
  readonly log: RunLog;
  readonly signal: AbortSignal;
  readonly values: RunValues;
}

async function runSteps(dependencies: CarryOutDependencies, open: OpenRun): Promise<void> {
  const { runs, clock, logger, ownerId } = dependencies;
  const { run, steps, dag, log, signal } = open;
  const recorder = createRunRecorder({ runs, run, steps, ownerId, clock, log, signal });
  await runDag({
    plan: planDag(dag.steps),
    executor: createExecutor(dependencies, open),
    recorder,
    clock,
    signal,
    maxActiveSteps: dag.maxActiveSteps,
  });
  const status = recorder.end()?.status;
  log.write('run ended', { status });
  logger.info({ dagName: run.dagName, dagRunId: run.dagRunId, status }, 'run ended');
}

/** Starts each step once there is room for its process; until then the step counts as running. */
function createExecutor(dependencies: CarryOutDependencies, { steps, dag, values }: OpenRun): StepExecutor {
  const { executor, processSlots } = dependencies;
  return {
    execute: async (step, context) => {
      const files = steps[context.index];
      if (files === undefined) throw new AppError('internal', 'A step to be carried out is not stored.');
      const release = await processSlots.acquire(context.signal);
      if (release === undefined) return { status: 'aborted', error: 'run stopped' };
      try {
        return await executor.execute(stepCommand({ ...dependencies, dag, values }, step, files), context);
      } finally {
        release();
      }
    },
  };
}

/**
 * Ends a run before its first step: what it needs cannot be had, or its text, which was good when the run was made,
 * is seen differently by this version of the program.
 */
async function refuse(
  { runs, clock, logger, ownerId }: CarryOutDependencies,
  { run, steps }: Pick<OpenRun, 'run' | 'steps'>,
  error: string,
  log: RunLog,
): Promise<void> {
  const finishedAt = clock.now();
  const patches = steps
    .filter(({ status }) => !isTerminalNode(status))
    .map(({ position }) => ({ position, status: 'aborted' as const, finishedAt, error: 'run not started' }));
  await runs.record(run.id, ownerId, patches, { status: 'failed', finishedAt, error });
  log.write('run refused', { error });
  logger.warn({ dagName: run.dagName, dagRunId: run.dagRunId, problem: error }, 'run refused');
}

function isSameOrder(dag: Dag, steps: readonly DagRunStep[]): boolean {
  return dag.steps.length === steps.length && dag.steps.every(({ name }, index) => steps[index]?.name === name);
}
