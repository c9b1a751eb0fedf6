import { nodeStatus, planDag, type DagRun, type DagRunStep } from '@weir/workflow-engine/model';
import type { Dag, Step } from '@weir/workflow-spec';
import type { DagParser } from '../../../dag-parser';
import { stepNotFound } from '../store/dag-run-errors';
import type { DagRunRepository } from '../store/dag-run-repository';
import { isHumanTask, readStoredDag } from '../store/stored-spec';
import { approvalInputsMissing, rewindNotUpstream, stepNotWaiting } from './approval-errors';

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
  const found = await findOpenDecision(sources, run, name);
  if (found.step.approval === undefined) throw stepNotWaiting(name);
  return found;
}

/** Finds the step of this name or ID, which must wait for a person. Throws `step_not_found` or `step_not_waiting`. */
export async function findOpenDecision(sources: WaitingStepSources, run: DagRun, name: string): Promise<WaitingStep> {
  const matches = (step: Step): boolean => step.name === name || step.id === name;
  const found = await findStep(sources, run, { name, matches });
  const { step, row } = found;
  const isDecision = step.approval !== undefined || isHumanTask(step);
  if (!isDecision || !nodeStatus.isWaiting(row.status)) throw stepNotWaiting(name);
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

/**
 * The name of the step that a push-back returns to when the person names none: that of the file, else the step itself,
 * and for a human task the only step that it depends on. `undefined` when it has to be named.
 */
export function defaultRewind({ name, approval, depends, run }: Step): string | undefined {
  if (approval !== undefined) return approval.rewindTo ?? name;
  const written = run.kind === 'action' ? run.with.rewind_to : undefined;
  if (typeof written === 'string') return written;
  return depends.length === 1 ? depends[0] : undefined;
}

/**
 * Returns the step to rewind to and all steps after it, except those that have not started. Throws
 * `rewind_not_upstream`.
 */
export function findRewoundSteps({ dag, step, row, rows }: WaitingStep, to: string | undefined): readonly DagRunStep[] {
  const plan = planDag(dag.steps);
  const target = to ?? defaultRewind(step);
  const start = dag.steps.findIndex(({ name, id }) => target !== undefined && (name === target || id === target));
  const chosen = new Set(start < 0 ? [] : [start]);
  // The set grows during the loop.
  for (const index of chosen) for (const dependent of plan.dependents[index] ?? []) chosen.add(dependent);
  if (!chosen.has(row.position)) throw rewindNotUpstream(step.name, target);
  return rows.filter(({ position, status }) => chosen.has(position) && !nodeStatus.isUnstarted(status));
}
