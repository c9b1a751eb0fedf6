import { AppError } from '@weir/foundation';
import { nodeStatus, planDag, type DagRun, type DagRunStep } from '@weir/workflow-engine/model';
import type { Dag, Step } from '@weir/workflow-spec';
import type { DagParser } from '../../../dag-parser';
import { stepNotFound } from '../store/dag-run-errors';
import type { DagRunRepository } from '../store/dag-run-repository';
import { readStoredDag } from '../store/stored-spec';
import { approvalInputsMissing, stepNotWaiting } from './approval-errors';

export interface WaitingStepSources {
  readonly runs: Pick<DagRunRepository, 'listAllSteps' | 'readOutputs' | 'readMemos'>;
  readonly parser: DagParser;
}

/** A step that a person decides about: its spec and its stored state. */
export interface WaitingStep {
  readonly dag: Dag;
  readonly step: Step;
  readonly row: DagRunStep;
  /** The rows of all steps of the DAG. */
  readonly rows: readonly DagRunStep[];
}

/** Throws `step_not_found`. */
export async function findStep(
  { runs, parser }: WaitingStepSources,
  run: DagRun,
  { name, matches }: { readonly name: string; readonly matches: (step: Step) => boolean },
): Promise<WaitingStep> {
  const rows = await listDagSteps(runs, run.id);
  const dag = await readStoredDag({ parser, runs }, run);
  const position = dag.steps.findIndex(matches);
  const step = dag.steps[position];
  const row = rows.find((each) => each.position === position);
  if (step === undefined || row === undefined) throw stepNotFound(name);
  return { dag, step, row, rows };
}

/** Finds the step of this name or ID, which must wait for an approval. Throws `step_not_found` or `step_not_waiting`. */
export async function findOpenApproval(sources: WaitingStepSources, run: DagRun, name: string): Promise<WaitingStep> {
  const matches = (step: Step): boolean => step.name === name || step.id === name;
  const found = await findStep(sources, run, { name, matches });
  const { step, row } = found;
  if (step.approval === undefined || !nodeStatus.isWaiting(row.status)) throw stepNotWaiting(name);
  // A step that runs another DAG also waits while its child run does; it has outputs once the child run has ended.
  const waitsForChild =
    step.run.kind === 'action' &&
    step.run.action === 'dag.run' &&
    !(await sources.runs.readOutputs(run.id)).has(row.position);
  if (waitsForChild) throw stepNotWaiting(name);
  return found;
}

export async function listDagSteps(
  runs: Pick<DagRunRepository, 'listAllSteps'>,
  id: string,
): Promise<readonly DagRunStep[]> {
  return (await runs.listAllSteps(id)).filter(({ scope }) => scope === '');
}

/** Returns the inputs that the approval asks for. Throws `approval_inputs_missing`. */
export function selectInputs(
  { approval }: Step,
  given: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const { input = [], required = [] } = approval ?? {};
  const isGiven = (name: string): boolean => Object.hasOwn(given, name) && given[name]?.trim() !== '';
  const missing = required.filter((name) => !isGiven(name));
  if (missing.length > 0) throw approvalInputsMissing(missing);
  return Object.fromEntries(Object.entries(given).filter(([name]) => input.includes(name)));
}

/** Returns the step to rewind to and all steps after it, except those that have not started. */
export function findRewoundSteps({ dag, step, row, rows }: WaitingStep): readonly DagRunStep[] {
  const plan = planDag(dag.steps);
  const from = step.approval?.rewindTo;
  const start = from === undefined ? row.position : plan.indexOf.get(from);
  if (start === undefined) throw new AppError('internal', 'The step to rewind to does not exist.');
  const chosen = new Set([start]);
  // The set grows during the loop.
  for (const index of chosen) for (const dependent of plan.dependents[index] ?? []) chosen.add(dependent);
  return rows.filter(({ position, status }) => chosen.has(position) && !nodeStatus.isUnstarted(status));
}
