import { workflowContract } from '@weir/workflow-contract';
import { knownOperations } from './known-operations';

const reasons: readonly (readonly [operation: RegExp, reason: string])[] = [
  [/ \/license\//, 'there is nothing to license'],
  [/ \/(settings\/)?agent/, 'the server has no agent'],
  [/ \/sync\//, 'DAGs are not synchronised with Git yet'],
  [/ \/remote-nodes/, 'a server knows only itself so far'],
  [/agent|chat|messages/, 'steps have no conversations so far'],
];

export interface UnservedOperation {
  readonly operation: string;
  readonly reason: string;
}

const served = new Set(Object.values(workflowContract).map(({ method, path }) => shapeOf(`${method} ${path}`)));
const isServed = (operation: string): boolean => served.has(shapeOf(operation));

/** The operations of the known API that this server has, by tag. */
export function listServed(): ReadonlyMap<string, readonly string[]> {
  const byTag = Object.entries(knownOperations).map(([tag, all]) => [tag, all.filter(isServed)] as const);
  return new Map(byTag.filter(([, operations]) => operations.length > 0));
}

/** Those that it does not have. */
export function listUnserved(): readonly UnservedOperation[] {
  return Object.values(knownOperations)
    .flat()
    .filter((operation) => !isServed(operation))
    .map((operation) => ({
      operation,
      reason: reasons.find(([pattern]) => pattern.test(operation))?.[1] ?? 'not served yet',
    }));
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

export function unservedTable(unserved: readonly UnservedOperation[]): string {
  const total = Object.values(knownOperations).flat().length;
  return [
    `Of the ${total} operations of the known API, ${total - unserved.length} are served. These are not:`,
    '',
    '| Operation | Reason |',
    '| --- | --- |',
    ...unserved.map(({ operation, reason }) => `| \`${operation}\` | ${reason} |`),
  ].join('\n');
}
