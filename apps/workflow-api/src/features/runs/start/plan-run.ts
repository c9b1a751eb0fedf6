import { planDag, unsupportedParts, type RunSource } from '@weir/workflow-engine/model';
import type { Step } from '@weir/workflow-spec';
import { resolveParams } from '@weir/workflow-spec/values';
import { dagNotRunnable, paramsInvalid } from '../store/dag-run-errors';
import type { StartCheckDependencies } from './check-start';
import { loadParamSchema } from './load-param-schema';
import { findChosenSteps, type StepChoice } from './only-steps';

export interface PlanInputs extends Pick<StepChoice, 'only' | 'outputs'> {
  readonly params?: string | undefined;
}

/** What a run would execute. */
export interface PlannedRun {
  readonly dag: string;
  /** A parameter without a value is computed when the run starts. */
  readonly params: { readonly name: string; readonly value?: string | undefined }[];
  /** In a possible order. */
  readonly steps: PlannedStep[];
}

interface PlannedStep {
  readonly name: string;
  readonly id?: string | undefined;
  /** The kind of its work, without the text. */
  readonly work: string;
  readonly depends: string[];
  readonly skipped: boolean;
}

/** Executes and stores nothing. Throws `dag_not_runnable`, `steps_invalid` or `params_invalid`, as a start would. */
export async function planRun(
  { dag, fileName }: Pick<RunSource, 'dag' | 'fileName'>,
  { params: given, only, outputs }: PlanInputs,
  { dagsDir }: Pick<StartCheckDependencies, 'dagsDir'>,
): Promise<PlannedRun> {
  const unsupported = unsupportedParts(dag);
  if (unsupported.length > 0) throw dagNotRunnable(dag.name, unsupported);
  const chosen = only === undefined ? undefined : findChosenSteps(dag.steps, { only, outputs });
  const { params, evals, problems } = resolveParams(await loadParamSchema({ dag, fileName, dagsDir }), given);
  if (problems.length > 0) throw paramsInvalid(problems);
  return {
    dag: dag.name,
    params: [...params.map(({ name, value }) => ({ name, value })), ...evals.map(({ name }) => ({ name }))],
    steps: sortByDependency(dag.steps).map(({ index, step }) => ({
      name: step.name,
      id: step.id,
      work: describeWork(step),
      depends: [...step.depends],
      skipped: chosen !== undefined && !chosen.has(index),
    })),
  };
}

/** Sorts each step after those that it waits for, and otherwise keeps the order of the file. */
function sortByDependency(steps: readonly Step[]): readonly { readonly index: number; readonly step: Step }[] {
  const { indegrees, dependents } = planDag(steps);
  const open = [...indegrees];
  const order = [...open.keys()].filter((index) => open[index] === 0);
  // The list grows during the loop.
  for (const index of order) {
    for (const dependent of dependents[index] ?? []) {
      const left = (open[dependent] ?? 0) - 1;
      open[dependent] = left;
      if (left === 0) order.push(dependent);
    }
  }
  return order.flatMap((index) => {
    const step = steps[index];
    return step === undefined ? [] : [{ index, step }];
  });
}

/** Names only the kind of work: its text may be long, and may hold what should not appear on a screen. */
function describeWork({ run }: Step): string {
  if (run.kind === 'commands') return run.commands.length === 1 ? 'command' : `${run.commands.length} commands`;
  return run.kind === 'action' ? (run.package?.text ?? run.action) : run.kind;
}
