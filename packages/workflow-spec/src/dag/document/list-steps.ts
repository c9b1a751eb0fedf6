import type { Dag } from '../../model/dag';
import type { Step } from '../../model/step';

/** Lists the steps of a DAG with those of its handlers and in the bodies of loops. */
export function listSteps({ steps, handlers }: Pick<Dag, 'steps' | 'handlers'>): readonly Step[] {
  return [...steps, ...Object.values(handlers ?? {})].flatMap(withBody);
}

function withBody(step: Step): readonly Step[] {
  return step.run.kind === 'foreach' || step.run.kind === 'agent'
    ? [step, ...step.run.steps.flatMap(withBody)]
    : [step];
}
