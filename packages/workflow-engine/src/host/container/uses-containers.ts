import { listSteps, type Dag, type Step } from '@weir/workflow-spec';

/** Whether a run of the DAG may have left containers behind. */
export function usesContainers(dag: Dag): boolean {
  const isOne = ({ run, container }: Step): boolean =>
    container !== undefined || (run.kind === 'action' && run.action === 'docker.run');
  return dag.container !== undefined || listSteps(dag).some(isOne);
}
