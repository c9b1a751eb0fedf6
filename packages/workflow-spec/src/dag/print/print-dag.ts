import { stringify } from 'yaml';
import { findAgent } from '../../model/agent';
import { compact } from '../../model/compact';
import type { Dag } from '../../model/dag';
import { printParams } from './print-params';
import { printSettings } from './print-settings';
import { printHandlers, printSteps } from './print-steps';
import type { Printed } from './printed';

/**
 * Prints the DAG as a file in the current spelling, local DAGs as further documents. Parsing it gives equal DAGs.
 * Inherited settings are written out, so the file does not depend on a base configuration.
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
    type: dag.type,
    action_lock: dag.actionLocks,
    params: printParams(dag),
    handler_on: printHandlers(dag),
    tasks: findAgent(dag)?.tasks,
    steps: printSteps(dag),
  });
}
