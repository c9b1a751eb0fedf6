import { listSteps, type Dag, type Step } from '@weir/workflow-spec';

/**
 * What of a valid DAG the engine does not support yet, a phrase each: `step "x": worker_selector`. Everything else that
 * this version does not execute is a finding of the language, so that nothing is valid and then refused.
 */
export function unsupportedParts(dag: Dag): readonly string[] {
  const steps = listSteps(dag).filter(isElsewhere);
  return [
    ...(isElsewhere(dag) ? ['DAG: worker_selector'] : []),
    ...steps.map(({ name }) => `step "${name}": worker_selector`),
  ];
}

function isElsewhere({ workerSelector }: Pick<Dag & Step, 'workerSelector'>): boolean {
  return workerSelector !== undefined && workerSelector !== 'local';
}
