import { listSteps, type Dag, type Step } from '@weir/workflow-spec';

/**
 * What of a valid DAG the engine does not support, a phrase each: `step "x": worker_selector`. Everything else that this
 * version does not execute is a finding of the language, so that nothing is valid and then refused.
 */
export function unsupportedParts(dag: Dag): readonly string[] {
  return listSteps(dag)
    .filter(isUnplaced)
    .map(({ name }) => `step "${name}": worker_selector of a step that calls no DAG`);
}

/** A run is executed by one worker: only the run of another DAG can be placed elsewhere. */
function isUnplaced({ run, workerSelector }: Step): boolean {
  const callsDag = run.kind === 'action' && (run.action === 'dag.run' || run.action === 'dag.enqueue');
  return workerSelector !== undefined && workerSelector !== 'local' && !callsDag;
}
