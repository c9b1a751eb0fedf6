import type { Dag, Step } from '@weir/workflow-spec';

/** The steps of a DAG with its handlers and the bodies of its loops. */
export function flattenSteps({ steps, handlers = {} }: Pick<Dag, 'steps' | 'handlers'>): readonly Step[] {
  return [...steps, ...Object.values(handlers)].flatMap((step) =>
    step.run.kind === 'foreach' ? [step, ...flattenSteps({ steps: step.run.steps })] : [step],
  );
}
