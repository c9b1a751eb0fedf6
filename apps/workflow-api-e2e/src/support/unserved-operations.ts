import { workflowContract } from '@weir/workflow-contract';
import { knownOperations } from './known-operations';

const reasons: readonly (readonly [operation: RegExp, reason: string])[] = [
  [/ \/license\//, 'there is nothing to license'],
  [/ \/(settings\/)?agent/, 'the server has no agent'],
  [/webhook/, 'webhooks are not served yet'],
  [/ \/audit/, 'the audit log is not served yet'],
  [/ \/sync\//, 'DAGs are not synchronised with Git yet'],
  [/ \/remote-nodes/, 'a server knows only itself so far'],
  [/agent|chat|messages/, 'steps have no conversations so far'],
];

export interface UnservedOperation {
  readonly operation: string;
  readonly reason: string;
}

/** The operations of the known API that this server does not have. */
export function listUnserved(): readonly UnservedOperation[] {
  const served = new Set(Object.values(workflowContract).map(({ method, path }) => shapeOf(`${method} ${path}`)));
  return Object.values(knownOperations)
    .flat()
    .filter((operation) => !served.has(shapeOf(operation)))
    .map((operation) => ({
      operation,
      reason: reasons.find(([pattern]) => pattern.test(operation))?.[1] ?? 'not served yet',
    }));
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
