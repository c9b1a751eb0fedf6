import { nodeStatus } from '../../model/statuses/node-status';
import type { StepChange } from '../../model/steps/step-change';
import type { DagRunStep } from '../../model/run-model/dag-run';
import type { Dag } from '@weir/workflow-spec';

export interface FailedStepsOptions {
  readonly dag: Dag;
  readonly steps: readonly DagRunStep[];
}

/** Picks the steps with `mail_on_error` whose last attempt failed, as they are stored then. */
export function createFailedSteps({ dag, steps }: FailedStepsOptions) {
  const startedAt = new Map<number, Date>();
  const failed = (change: StepChange): readonly DagRunStep[] => {
    const { index, kind } = change;
    const step = steps[index];
    if (step === undefined || dag.steps[index]?.mailOnError !== true) return [];
    if (kind === 'starting' && !startedAt.has(index)) startedAt.set(index, change.at);
    if (kind !== 'ended' && kind !== 'not_started') return [];
    const { status, error = null } = kind === 'ended' ? change.outcome : change;
    if (!nodeStatus.isFailed(status)) return [];
    const started = startedAt.get(index) ?? step.startedAt;
    return [{ ...step, status, startedAt: started, finishedAt: change.at, error }];
  };
  return { filter: (changes: readonly StepChange[]) => changes.flatMap(failed) };
}
