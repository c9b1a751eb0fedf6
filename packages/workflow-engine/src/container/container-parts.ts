import type { Dag, Step } from '@weir/workflow-spec';
import { flattenSteps } from '../plan/flatten-steps';

/** The parts of a DAG that cannot be executed in its containers, as phrases. */
export function containerParts(dag: Dag): readonly string[] {
  return flattenSteps(dag).flatMap((step) => {
    const { name, run, container, outputs = [] } = step;
    const isCommand = run.kind === 'commands' || run.kind === 'script';
    if (!isCommand) return container === undefined ? [] : [`step "${name}": container with ${nameWork(step)}`];
    // They are written to a file on this host.
    const isInside = (container ?? dag.container) !== undefined;
    return isInside && outputs.length > 0 ? [`step "${name}": outputs in a container`] : [];
  });
}

/** Whether a run of the DAG may have left containers behind. */
export function usesContainers(dag: Dag): boolean {
  const isOne = ({ run, container }: Step): boolean =>
    container !== undefined || (run.kind === 'action' && run.action === 'docker.run');
  return dag.container !== undefined || flattenSteps(dag).some(isOne);
}

function nameWork({ run }: Step): string {
  return run.kind === 'action' ? `action ${run.action}` : run.kind;
}
