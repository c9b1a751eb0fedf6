import { isDeepStrictEqual } from 'node:util';
import type { Step } from '@weir/workflow-spec';
import type { DagRunStep } from '../run-model/dag-run';
import { nodeStatus } from '../statuses/node-status';
import { planDag } from './plan';
import { stepsToRetry } from './retry-steps';

/** The steps of a DAG as an earlier run executed them. */
export interface EarlierSteps {
  readonly steps: readonly Step[];
  /** The steps as they are stored. */
  readonly rows: readonly DagRunStep[];
}

export interface ReusePlan {
  /** By index, the step of the earlier run whose end a new run may take over. */
  readonly reusable: ReadonlyMap<number, DagRunStep>;
  /** By index, the reason why the step has to be executed. */
  readonly refused: ReadonlyMap<number, string>;
  /** Indexes of the steps to execute unless a person chooses others, in order. */
  readonly executed: readonly number[];
}

/**
 * What a new run with these steps may take over from an earlier one. Steps correspond by name. A step that passed may be
 * reused; it is executed nevertheless when its own definition has changed, or when it depends on a step that is executed.
 */
export function planReuse(steps: readonly Step[], earlier: EarlierSteps): ReusePlan {
  const rows = new Map(earlier.rows.map((row) => [row.name, row]));
  const definitions = new Map(earlier.steps.map((step) => [step.name, step]));
  const reusable = new Map<number, DagRunStep>();
  const refused = new Map<number, string>();
  const statuses = steps.map((step, index) => {
    const row = rows.get(step.name);
    if (row === undefined) {
      refused.set(index, 'The run has no step of this name.');
      return 'not_started';
    }
    const { status } = row;
    if (!nodeStatus.isTerminal(status) || !nodeStatus.isPassed(status)) {
      refused.set(index, `The step did not pass: its status is ${status}.`);
      return 'not_started';
    }
    reusable.set(index, row);
    return doesTheSame(step, definitions.get(step.name)) ? status : 'not_started';
  });
  return { reusable, refused, executed: stepsToRetry(planDag(steps), statuses) };
}

/** The position of a step in the graph is ignored: the steps before it are compared themselves. */
function doesTheSame(step: Step, other: Step | undefined): boolean {
  return other !== undefined && isDeepStrictEqual(toWork(step), toWork(other));
}

function toWork({ description: _description, depends: _depends, ...work }: Step) {
  return work;
}
