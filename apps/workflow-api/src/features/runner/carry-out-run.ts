import { AppError } from '@weir/errors';
import {
  createActionExecutors,
  isTerminalNode,
  planDag,
  processActions,
  runDag,
  unrunnableParts,
  withinTimeLimit,
  type LocalCommandExecutor,
  type StepExecutor,
  type StepOutputs,
  type Timer,
} from '@weir/workflow-engine';
import { formatFinding, type Dag } from '@weir/workflow-spec';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../adapters/clock';
import { isSpecTooCostly, type DagParser } from '../../dag-parser';
import type { OutputEvaluator } from '../../output-thread';
import { basesOf, dagNotRunnable, type DagRun, type DagRunRepository, type DagRunStep } from '../dag-runs';
import { actionCall } from './action-call';
import { removeEmptyFolder } from './remove-empty-folder';
import { openRunLog, type RunLog } from './run-log';
import { prepareRun } from './prepare-run';
import { createRunOutputs, type RunOutputs } from './run-outputs';
import { createRunRecorder, runLost } from './run-recorder';
import type { RunSources, RunValues } from './run-values';
import type { Slots } from './slots';
import { checkRun } from './check-run';
import { createStepChecks } from './step-checks';
import { stepCommand, type StepCommandOptions } from './step-command';
import { withOutputs } from './with-outputs';

export interface CarryOutDependencies
  extends Pick<RunSources, 'hostEnv' | 'passthrough' | 'dagsDir'>, Pick<StepCommandOptions, 'defaultShell'> {
  readonly runs: DagRunRepository;
  readonly parser: DagParser;
  readonly executor: LocalCommandExecutor;
  readonly outputEvaluator: OutputEvaluator;
  /** Bounds the step processes of all runs together. */
  readonly processSlots: Slots;
  readonly ownerId: string;
  readonly clock: Clock;
  readonly timer: Timer;
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
    else await runUnlessDeclined(dependencies, { run, steps, dag, log, signal, values: prepared.values });
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

/** Runs the steps when the preconditions of the DAG hold. When they do not, nothing runs, which is no failure. */
async function runUnlessDeclined(dependencies: CarryOutDependencies, open: OpenRun): Promise<void> {
  const result = await checkRun({ ...dependencies, ...open });
  if (result.kind === 'met') return runSteps(dependencies, open);
  if (result.kind === 'failed') return refuse(dependencies, open, `precondition: ${result.error}`, open.log);
  const end = { run: 'aborted', steps: 'skipped', error: `precondition: ${result.reason}` } as const;
  await endUnbegun(dependencies, open, end);
  open.log.write('run ended', { status: end.run, reason: end.error });
}

async function runSteps(dependencies: CarryOutDependencies, open: OpenRun): Promise<void> {
  const { runs, clock, timer, logger, ownerId } = dependencies;
  const { run, steps, dag, log, signal } = open;
  const plan = planDag(dag.steps);
  const outputs = createRunOutputs({ plan, steps, outputs: await publishedBefore(runs, open) });
  const checks = createStepChecks({ ...dependencies, ...open, outputs });
  const recorder = createRunRecorder({ runs, run, ownerId, clock, log });
  await runDag({
    plan,
    executor: withOutputs(createExecutor(dependencies, open, outputs), {
      ...open,
      outputs,
      evaluator: dependencies.outputEvaluator,
    }),
    recorder: {
      stepsChanged: async (changes, end) => {
        await recorder.stepsChanged(changes, end);
        outputs.stored(changes);
      },
    },
    checks,
    clock,
    timer,
    signal,
    maxActiveSteps: dag.maxActiveSteps,
    delaySec: dag.delaySec,
    timeoutSec: dag.timeoutSec,
    maxCleanUpTimeSec: dag.maxCleanUpTimeSec,
  });
  const status = recorder.end()?.status;
  log.write('run ended', { status });
  logger.info({ dagName: run.dagName, dagRunId: run.dagRunId, status }, 'run ended');
}

/** Of a run that goes on where an earlier one ended; a new one has nothing to read. */
async function publishedBefore(runs: DagRunRepository, { run, steps }: OpenRun) {
  return steps.some(({ startedAt }) => startedAt !== null) ? runs.outputsOf(run.id) : new Map<number, StepOutputs>();
}

/** Starts each step that needs a process once there is room for it; until then the step counts as running. */
function createExecutor(
  dependencies: CarryOutDependencies,
  { steps, dag, values }: OpenRun,
  outputs: RunOutputs,
): StepExecutor {
  const { executor, outputEvaluator, processSlots, clock, timer } = dependencies;
  const actions = createActionExecutors({
    clock,
    commands: executor,
    evaluate: (request, signal) => outputEvaluator.evaluate(request, signal),
  });
  return {
    execute: async (step, context) => {
      const options = { ...dependencies, dag, values, upstream: outputs.upstreamOf(context.index) };
      const files = steps[context.index];
      if (files === undefined) throw new AppError('internal', 'A step to be carried out is not stored.');
      const action = step.run.kind === 'action' ? actions.get(step.run.action) : undefined;
      // Waiting for room is not the step's own time.
      const carryOut = () =>
        withinTimeLimit({ timer, timeoutSec: step.timeoutSec, signal: context.signal }, (signal) =>
          action === undefined
            ? executor.execute(stepCommand(options, step, files), { ...context, signal })
            : action.execute(actionCall(options, step, files), { ...context, signal }),
        );
      if (step.run.kind === 'action' && !processActions.has(step.run.action)) return carryOut();
      const release = await processSlots.acquire(context.signal);
      if (release === undefined) return { status: 'aborted', error: 'run stopped' };
      try {
        return await carryOut();
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
  dependencies: CarryOutDependencies,
  { run, steps }: Pick<OpenRun, 'run' | 'steps'>,
  error: string,
  log: RunLog,
): Promise<void> {
  await endUnbegun(dependencies, { run, steps }, { run: 'failed', steps: 'aborted', error });
  log.write('run refused', { error });
  dependencies.logger.warn({ dagName: run.dagName, dagRunId: run.dagRunId, problem: error }, 'run refused');
}

interface UnbegunEnd {
  readonly run: 'failed' | 'aborted';
  readonly steps: 'aborted' | 'skipped';
  readonly error: string;
}

async function endUnbegun(
  { runs, clock, ownerId }: CarryOutDependencies,
  { run, steps }: Pick<OpenRun, 'run' | 'steps'>,
  end: UnbegunEnd,
): Promise<void> {
  const finishedAt = clock.now();
  const patches = steps
    .filter(({ status }) => !isTerminalNode(status))
    .map(({ position }) => ({ position, status: end.steps, finishedAt, error: 'run not started' }));
  if (!(await runs.record(run.id, ownerId, patches, { status: end.run, finishedAt, error: end.error })))
    throw runLost();
}

function isSameOrder(dag: Dag, steps: readonly DagRunStep[]): boolean {
  return dag.steps.length === steps.length && dag.steps.every(({ name }, index) => steps[index]?.name === name);
}
