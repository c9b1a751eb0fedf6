import { workflowContract } from '@weir/workflow-contract';
import { knownOperations } from './known-operations';

const served = new Set(Object.values(workflowContract).map(({ method, path }) => shapeOf(`${method} ${path}`)));
const isServed = (operation: string): boolean => served.has(shapeOf(operation));

/** The operations of the known API that this server has, by tag. */
export function listServed(): ReadonlyMap<string, readonly string[]> {
  const byTag = Object.entries(knownOperations).map(([tag, all]) => [tag, all.filter(isServed)] as const);
  return new Map(byTag.filter(([, operations]) => operations.length > 0));
}

/** Lists the known operations that the API does not serve. */
export function listUnserved(): readonly string[] {
  return Object.values(knownOperations)
    .flat()
    .filter((operation) => !isServed(operation));
}

export function servedTable(byTag: ReadonlyMap<string, readonly string[]>): string {
  const rows = [...byTag].flatMap(([tag, operations]) =>
    operations.map((operation) => `| ${tag} | \`${operation}\` |`),
  );
  return ['| Tag | Operation |', '| --- | --- |', ...rows].join('\n');
}

/** Names of parameters differ between descriptions. */
function shapeOf(operation: string): string {
  return operation.replaceAll(/\{[^}]*\}/g, '{}');
}
