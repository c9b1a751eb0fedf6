import { AppError } from '@weir/foundation';
import type { Step } from '@weir/workflow-spec';

/** A DAG made ready to be run: steps are named by their index in the file's order from here on. */
export interface Plan {
  readonly steps: readonly Step[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Per step: how many other steps it waits for. */
  readonly indegrees: readonly number[];
  /** Per step: the steps that wait for it. */
  readonly dependents: readonly (readonly number[])[];
}

/**
 * Plans the steps of a validated DAG, in time linear in steps and edges. A dependency named twice counts once.
 * Throws `internal` with reason `plan_impossible` on what validation should have refused: a name used twice, a
 * dependency that does not exist, a cycle.
 */
export function planDag(steps: readonly Step[]): Plan {
  const indexOf = indexSteps(steps);
  const indegrees: number[] = [];
  const dependents: number[][] = steps.map(() => []);
  for (const [index, step] of steps.entries()) {
    const dependencies = new Set(step.depends);
    indegrees.push(dependencies.size);
    for (const name of dependencies) {
      const dependency = indexOf.get(name);
      if (dependency === undefined) throw planImpossible(`Step "${step.name}" depends on a step that does not exist.`);
      dependents[dependency]?.push(index);
    }
  }
  refuseCycle(indegrees, dependents);
  return { steps, indexOf, indegrees, dependents };
}

/** Throws `internal` for an index that the plan does not have. */
export function getStep(steps: readonly Step[], index: number): Step {
  const step = steps[index];
  if (step === undefined) throw new AppError('internal', `The plan has no step ${index}.`);
  return step;
}

function indexSteps(steps: readonly Step[]): ReadonlyMap<string, number> {
  const indexOf = new Map(steps.map((step, index) => [step.name, index]));
  if (indexOf.size !== steps.length) throw planImpossible('Two steps of the DAG have the same name.');
  return indexOf;
}

/** Kahn's algorithm: every step can be put in an order exactly when there is no cycle. */
function refuseCycle(indegrees: readonly number[], dependents: readonly (readonly number[])[]): void {
  const open = [...indegrees];
  const order = [...open.keys()].filter((index) => open[index] === 0);
  // The list grows while it is walked: a step is added when the last of its dependencies was met.
  for (const index of order) {
    for (const dependent of dependents[index] ?? []) {
      const remaining = (open[dependent] ?? 0) - 1;
      open[dependent] = remaining;
      if (remaining === 0) order.push(dependent);
    }
  }
  if (order.length !== indegrees.length) throw planImpossible('The steps of the DAG depend on each other in a circle.');
}

function planImpossible(message: string): AppError {
  return new AppError('internal', message, { reason: 'plan_impossible' });
}
