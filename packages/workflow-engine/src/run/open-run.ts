import { isTerminalNode } from '../statuses';
import { unsupportedParts } from '../plan/unsupported-parts';
import type { ActionServices } from '../actions/action-executor';
import type { DagRun, DagRunStep, Lease } from '../run-model/dag-run';
import { formatFinding, type Dag } from '@weir/workflow-spec';
import type { Logger } from '../ports/logger';
import type { Clock } from '../ports/clock';
import { isSpecTooCostly, type SpecParser } from '../ports/spec-parser';
import { dagNotRunnable } from '../plan/unsupported-parts';
import type { RunStore } from '../ports/run-store';
import type { ContainerSteps } from '../steps/container-steps';
import type { RunLog } from '../logs/run-log';
import type { RunMailer } from '../mail/run-mailer';
import { leaseLost } from '../scope/scope-recorder';
import type { RunValues } from '../values/run-values';

/** A run whose definition was read, by the owner that carries it out. */
export interface OpenRun {
  readonly run: DagRun;
  /** The run that it belongs to; itself for one that no step started. */
  readonly root: Pick<DagRun, 'id' | 'dagName' | 'dagRunId' | 'workspace'>;
  readonly lease: Lease;
  /** Of every scope. */
  readonly nodes: readonly DagRunStep[];
  readonly dag: Dag;
  /** The other DAGs of the same text, which its steps find before any other. */
  readonly localDags: readonly Dag[];
  readonly log: RunLog;
  /** Asks for the end of the run. */
  readonly signal: AbortSignal;
  /** Asks to leave the run to its next owner. */
  readonly release: AbortSignal;
  /** Leaves the run as a whole: what happened to a part of it cannot be stored. */
  readonly abandon: (error: unknown) => void;
}

/** One whose values are known. */
export interface ReadyRun extends OpenRun {
  readonly values: RunValues;
  readonly mailer: RunMailer;
  readonly actionServices: ActionServices;
  /** Missing until the run lives: they end with it. */
  readonly containers?: ContainerSteps;
}

export type LoadedDefinition =
  | { readonly dag: Dag; readonly localDags: readonly Dag[]; readonly problem?: undefined }
  | { readonly dag?: undefined; readonly localDags?: undefined; readonly problem: string };

/** Reads the text that is stored with a run. */
export async function loadDefinition(
  parser: SpecParser,
  run: DagRun,
  nodes: readonly DagRunStep[],
): Promise<LoadedDefinition> {
  try {
    const { dag, localDags, findings } = await parser.parse(run);
    const [first] = findings.filter(({ severity }) => severity === 'error').map(formatFinding);
    if (first !== undefined) return { problem: first };
    if (!hasSameSteps(dag, nodes)) return { problem: 'its steps are not those of the run' };
    const unrunnable = unsupportedParts(dag);
    if (unrunnable.length > 0) return { problem: dagNotRunnable(dag.name, unrunnable).message };
    // A local DAG is in the workspace of the run that called it.
    return { dag: run.workspace === null ? dag : { ...dag, workspace: run.workspace }, localDags };
  } catch (error) {
    if (!isSpecTooCostly(error)) throw error;
    return { problem: error.message };
  }
}

function hasSameSteps(dag: Dag, nodes: readonly DagRunStep[]): boolean {
  const steps = nodes.filter(({ scope }) => scope === '');
  return dag.steps.length === steps.length && dag.steps.every(({ name }, index) => steps[index]?.name === name);
}

interface EndDependencies {
  readonly runs: RunStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Ends a run before its first step: what it needs cannot be had, or its text, which was good when the run was made,
 * is seen differently by this version of the program.
 */
export async function refuseRun(
  dependencies: EndDependencies,
  open: Pick<OpenRun, 'run' | 'nodes' | 'lease' | 'log'>,
  error: string,
): Promise<void> {
  await endUnstarted(dependencies, open, { run: 'failed', steps: 'aborted', error });
  open.log.write('run refused', { error });
  dependencies.logger.warn({ dagName: open.run.dagName, dagRunId: open.run.dagRunId, problem: error }, 'run refused');
}

export interface UnstartedEnd {
  readonly run: 'failed' | 'aborted';
  readonly steps: 'aborted' | 'skipped';
  readonly error: string;
}

export async function endUnstarted(
  { runs, clock }: EndDependencies,
  { run, nodes, lease }: Pick<OpenRun, 'run' | 'nodes' | 'lease'>,
  end: UnstartedEnd,
): Promise<void> {
  const finishedAt = clock.now();
  const patches = abortUnstartedSteps(nodes, { status: end.steps, finishedAt });
  if (!(await runs.record(run.id, lease, patches, { status: end.run, finishedAt, error: end.error })))
    throw leaseLost();
}

/** The steps of the DAG that have not ended, none of which will begin. */
export function abortUnstartedSteps(
  nodes: readonly DagRunStep[],
  { status, finishedAt }: { readonly status: 'aborted' | 'skipped'; readonly finishedAt: Date },
) {
  return nodes
    .filter((node) => node.scope === '' && !isTerminalNode(node.status))
    .map(({ position }) => ({ position, status, finishedAt, error: 'run not started' }));
}
