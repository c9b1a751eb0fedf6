import { AppError } from '@weir/errors';
import type { ActionServices } from '../actions/action-executor';
import type { LocalCommandExecutor } from '../local-command/step-command';
import type { SendMail } from '../mail/mail';
import type { StateStore } from '../actions/state/state-store';
import type { Timer } from '../ports/timer';
import type { DagRun, Lease, StoredRun } from '../run-model/dag-run';
import type { Logger } from '../ports/logger';
import type { Clock } from '../ports/clock';
import type { SpecParser } from '../ports/spec-parser';
import type { RunJs } from '../actions/js/run-js';
import type { OutputEvaluator } from '../ports/output-evaluator';
import type { RunStore } from '../ports/run-store';
import { makeArtifactsFolder } from '../artifacts/artifacts-folder';
import type { ChildRuns } from '../children/child-runs';
import { executeLifecycle } from './run-lifecycle';
import { loadDefinition, refuseRun, type OpenRun } from './open-run';
import { prepareRun } from '../values/prepare-run';
import { removeEmptyFolder } from './remove-empty-folder';
import { openRunLog } from '../logs/run-log';
import { createRunMailer } from '../mail/run-mailer';
import { leaseLost } from '../scope/scope-recorder';
import type { RunSources } from '../values/run-values';
import type { Permits } from '../concurrency/permits';
import type { StepCommandOptions } from '../steps/step-command';

export interface RunPorts
  extends Pick<RunSources, 'hostEnv' | 'passthrough' | 'dagsDir'>, Pick<StepCommandOptions, 'defaultShell'> {
  readonly runs: RunStore;
  readonly parser: SpecParser;
  readonly executor: LocalCommandExecutor;
  readonly outputEvaluator: OutputEvaluator;
  readonly jsRunner: { readonly run: RunJs };
  readonly children: ChildRuns;
  readonly sendMail: SendMail;
  readonly state: StateStore;
  /** Bounds the step processes of all runs together. */
  readonly processPermits: Permits;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

export interface ClaimedRun {
  readonly id: string;
  readonly lease: Lease;
  /** What is stored of it, when that is known: it is read otherwise. */
  readonly stored?: StoredRun | undefined;
}

export interface RunSignals {
  /** Asks for the end of the run. */
  readonly signal: AbortSignal;
  /** Asks to release the run to its next owner. */
  readonly release: AbortSignal;
}

/**
 * Carries out a run that this owner has, from the text stored with it and from where its steps stand. Resolves once its
 * end is stored, and rejects when it cannot be stored or was left; nothing of the run is left running either way.
 */
export async function executeRun(
  ports: RunPorts,
  { id, lease, stored }: ClaimedRun,
  signals: RunSignals,
): Promise<void> {
  const { runs, parser, clock, logger } = ports;
  const { run, nodes } = stored ?? (await loadRun(runs, id));
  const fields = { dagName: run.dagName, dagRunId: run.dagRunId };
  const log = openRunLog({ file: run.logFile, clock, logger });
  log.write(lease.token === 1 ? 'run started' : 'run taken up', { ...fields, fencingToken: lease.token });
  logger.info(fields, lease.token === 1 ? 'run started' : 'run taken up');
  const broken = new AbortController();
  const abandon = (error: unknown): void => broken.abort(error);
  try {
    const { dag, localDags, problem } = await loadDefinition(parser, run, nodes);
    if (dag === undefined) {
      await refuseRun(ports, { run, nodes, lease, log }, `The stored spec cannot be run: ${problem}`);
      return;
    }
    const root = await findRoot(runs, run);
    const { signal, release } = withStoredStop(run, signals);
    const signalsAndAbandon = { signal, release: AbortSignal.any([release, broken.signal]), abandon };
    await prepareAndExecute(ports, { run, root, nodes, lease, dag, localDags, log, ...signalsAndAbandon });
  } catch (error) {
    // That it was left says less than why.
    if (broken.signal.aborted) throw broken.signal.reason;
    throw error;
  } finally {
    await log.close();
    await removeEmptyFolder(run.workDir, logger);
  }
}

async function loadRun(runs: RunStore, id: string): Promise<StoredRun> {
  const run = await runs.findById(id);
  if (run === undefined) throw new AppError('internal', 'A run to be carried out is not stored.');
  return { run, nodes: await runs.listAllSteps(id) };
}

async function prepareAndExecute(ports: RunPorts, open: OpenRun): Promise<void> {
  const { runs } = ports;
  const { run, lease, dag, log } = open;
  const artifactsProblem = await makeArtifactsFolder(run);
  if (artifactsProblem !== undefined) {
    await refuseRun(ports, open, artifactsProblem);
    return;
  }
  const prepared = await prepareRun({
    ...ports,
    ...open,
    storeParams: async (params) => {
      if (!(await runs.storeParams(run.id, lease, params))) throw leaseLost();
    },
  });
  if ('problem' in prepared) {
    await refuseRun(ports, open, prepared.problem);
    return;
  }
  const { values } = prepared;
  const steps = open.nodes.filter(({ scope }) => scope === '');
  const mailer = createRunMailer({ ...ports, run, dag, steps, scope: values.scope, log });
  await executeLifecycle(ports, { ...open, values, mailer, actionServices: toActionServices(ports) });
}

function toActionServices(ports: RunPorts): ActionServices {
  const { clock, executor, outputEvaluator, jsRunner, sendMail, state } = ports;
  return {
    clock,
    commands: executor,
    evaluate: (request, signal) => outputEvaluator.evaluate(request, signal),
    runJs: jsRunner.run,
    sendMail,
    state,
  };
}

/** What was asked of an earlier owner is asked of this one. */
function withStoredStop({ stopRequestedAt }: DagRun, { signal, release }: RunSignals): RunSignals {
  return { signal: stopRequestedAt === null ? signal : AbortSignal.any([signal, AbortSignal.abort()]), release };
}

async function findRoot(runs: RunStore, run: DagRun): Promise<OpenRun['root']> {
  if (run.rootId === null) return run;
  return (await runs.findById(run.rootId)) ?? run;
}
