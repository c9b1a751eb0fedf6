import type { Dag, Step } from '@weir/workflow-spec';

/** The steps of a DAG with its handlers and the bodies of its loops. */
export function everyStep({ steps, handlers = {} }: Pick<Dag, 'steps' | 'handlers'>): readonly Step[] {
  return [...steps, ...Object.values(handlers)].flatMap((step) =>
    step.run.kind === 'foreach' ? [step, ...everyStep({ steps: step.run.steps })] : [step],
  );
}
