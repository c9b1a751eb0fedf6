import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from './client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

export type Role = Schemas['UserRole'];

/** The roles, strongest first: each may do everything that the following ones may. */
export const roles = ['admin', 'manager', 'developer', 'operator', 'viewer'] as const satisfies readonly Role[];

export const permissionsQuery = queryOptions<Schemas['PermissionsResponse'], Failure>({
  queryKey: ['permissions'],
  queryFn: ({ signal }) => unwrap(api.GET('/permissions', { signal })),
  staleTime: 60_000,
});

/**
 * Returns the role that the caller lacks for an operation; `undefined` where the operation is permitted, and until
 * the answer is there. The workspace is that of the object, for operations on one.
 */
export function useMissingRole(operationId: string, workspace?: string): Role | undefined {
  const { data } = useQuery(permissionsQuery);
  return data === undefined ? undefined : findMissingRole(data, operationId, workspace);
}

/** Whether the caller may use the operation; `undefined` until the answer is there. */
export function useMay(operationId: string, workspace?: string): boolean | undefined {
  const { data } = useQuery(permissionsQuery);
  return data === undefined ? undefined : findMissingRole(data, operationId, workspace) === undefined;
}

export function findMissingRole(
  { role, requirements, workspaces }: Schemas['PermissionsResponse'],
  operationId: string,
  workspace?: string,
): Role | undefined {
  const needed = requirements.find((one) => one.operationId === operationId)?.role;
  if (needed === undefined) return undefined;
  const held = workspaces.find((one) => one.workspace === workspace)?.role ?? role;
  return roles.indexOf(held) <= roles.indexOf(needed) ? undefined : needed;
}
