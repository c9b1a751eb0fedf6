import { stringify } from 'yaml';
import { compact } from '../compact';
import type { Dag } from '../model/dag';
import { printParams } from './print-params';
import { printSettings } from './print-settings';
import { printHandlers, printSteps } from './print-steps';
import type { Printed } from './printed';

/**
 * The DAG as a file in the present spelling, the local ones as further documents. Reading it gives equal DAGs. What a
 * base configuration gave is written out, so the text means the same without one.
 */
export function printDag(dag: Dag, localDags: readonly Dag[] = []): string {
  return [dag, ...localDags]
    .map((each) => stringify(toDocument(each), { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');
}

function toDocument(dag: Dag): Printed {
  return compact({
    name: dag.name,
    ...printSettings(dag),
    type: dag.type === 'graph' ? undefined : dag.type,
    params: printParams(dag),
    handler_on: printHandlers(dag),
    steps: printSteps(dag),
  });
}
