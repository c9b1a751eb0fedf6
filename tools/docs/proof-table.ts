import path from 'node:path';
import type { Endpoint } from '@weir/http-contract';
import { objectRoles, workflowContract } from '@weir/workflow-contract';
import { readSpecCases, type SpecCase } from './spec-cases';

export interface Proof {
  readonly operation: string;
  readonly access: string;
  readonly status: number;
  readonly isSuccess: boolean;
  /** Files of the end-to-end specs that show this answer of the built server. */
  readonly endToEnd: readonly string[];
  /** Files of other specs that show it. */
  readonly others: readonly string[];
}

const endToEndFolder = path.resolve(__dirname, '../../apps/workflow-api-e2e/src');
const apiFolder = path.resolve(__dirname, '../../apps/workflow-api/src');

/** The specs that prove each answer of each operation of the contract, by tag and path. */
export function proofsOfContract(): readonly Proof[] {
  const endToEnd = readSpecCases(endToEndFolder);
  const others = readSpecCases(apiFolder);
  const endpoints: readonly Endpoint[] = Object.values(workflowContract);
  return endpoints.toSorted(byTagAndPath).flatMap((endpoint) => {
    const operation = `${endpoint.method} ${endpoint.path}`;
    const failures = Object.keys(endpoint.errors).map(Number);
    return [endpoint.success.status, ...failures].map((status) => ({
      operation,
      status,
      access: accessName(endpoint),
      isSuccess: status === endpoint.success.status,
      endToEnd: filesOf(endToEnd, operation, status),
      others: [...filesOf(others, operation, status), ...filesByConstruction(endpoint, status)],
    }));
  });
}

function byTagAndPath(a: Endpoint, b: Endpoint): number {
  return compare(a.tag, b.tag) || compare(a.path, b.path) || compare(a.method, b.method);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function accessName({ access }: Endpoint): string {
  return typeof access === 'string' ? access : access.join(', ');
}

function filesOf(cases: readonly SpecCase[], operation: string, status: number): readonly string[] {
  const shown = cases.filter((found) => found.operation === operation && found.status === status);
  return [...new Set(shown.map(({ file }) => file))];
}

/** Specs that go through all operations, the future ones too. */
function filesByConstruction(
  { access, query, params, path, operationId, errors, tag }: Endpoint,
  status: number,
): readonly string[] {
  const answers = (...reasons: readonly string[]): boolean =>
    reasons.some((reason) => errors[status]?.reasons?.includes(reason));
  const isGuarded = access !== 'public' && access !== 'login';
  if (isGuarded && (status === 401 || (status === 403 && Array.isArray(access))))
    return ['authorisation-matrix.spec.ts'];
  // It tries all of them but those on child runs.
  if (status === 403 && objectRoles[operationId] !== undefined && !path.includes('{subDAGRunId}')) {
    return ['object-roles.spec.ts'];
  }
  const isUnavailable = status === 503 && answers('parser_busy', 'dags_loading');
  const isClosed = status === 404 && query?.shape.workspace !== undefined && answers('workspace_not_found');
  const isBelow = status === 403 && path.includes('{subDAGRunId}') && answers('role_missing');
  if (isUnavailable || isClosed || isBelow || (status === 501 && answers('dag_not_runnable'))) {
    return ['unavailable.spec.ts'];
  }
  if (status === 400 && query?.shape.remoteNode !== undefined) return ['common-refusals.spec.ts'];
  return status === 404 &&
    params !== undefined &&
    tag !== 'sync' &&
    !['listDAGRunsByName', 'triggerWebhook'].includes(operationId)
    ? ['common-refusals.spec.ts']
    : [];
}

export function proofTable(proofs: readonly Proof[]): string {
  const rows = proofs.map(({ operation, access, status, endToEnd, others }) => {
    const shown = endToEnd.length > 0 ? endToEnd : others;
    return `| \`${operation}\` | ${access} | ${status} | ${shown.map((file) => `\`${file}\``).join(', ')} |`;
  });
  return ['| Operation | Access | Status | Specs |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
