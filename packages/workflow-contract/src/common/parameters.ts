import { z } from 'zod';

/** Names the node of an operation that can be passed to another one. Sent by web clients on almost every call. */
export const remoteNode = z
  .string()
  .max(253)
  .optional()
  .describe(
    'Name of the node that handles the request. This server is "local", which is the default; other names are those of ' +
      'its remote nodes, for callers who see all workspaces.',
  );

/** The same of an operation that is always about this server. */
export const localNode = z
  .string()
  .max(253)
  .optional()
  .describe('This operation is about this server, which is "local"; other values are refused.');

/** Lower-case from here on, as labels are, so that a grant and the label it is for meet. */
export const workspaceName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"')
  .toLowerCase();

/** Selects the workspaces of a list; the refinement refuses combinations that make no sense. */
export const workspaceQuery = {
  workspaceScope: z
    .enum(['all', 'default', 'workspace'])
    .optional()
    .describe(
      'All visible workspaces, objects without a workspace ("default"), or the workspace named by "workspace".',
    ),
  workspace: workspaceName
    .optional()
    .describe(
      'Name of a workspace; "all" and "default" select the scopes of that name. Not allowed with the scopes all and default.',
    ),
};

export interface WorkspaceQuery {
  readonly workspaceScope?: 'all' | 'default' | 'workspace' | undefined;
  readonly workspace?: string | undefined;
}

/** Whether scope and name go together. */
export function isWorkspaceQueryValid({ workspaceScope, workspace }: WorkspaceQuery): boolean {
  if (workspaceScope === undefined) return true;
  return (workspaceScope === 'workspace') === (workspace !== undefined);
}

export const workspaceQueryRule = {
  message: '"workspace" goes with workspaceScope=workspace and with no other scope.',
  path: ['workspaceScope'],
};

export type WorkspaceSelection =
  { readonly kind: 'all' } | { readonly kind: 'default' } | { readonly kind: 'named'; readonly name: string };

/** Combines the two parameters into one selection. */
export function workspaceSelection({ workspaceScope, workspace }: WorkspaceQuery): WorkspaceSelection {
  if (workspaceScope === 'all' || workspaceScope === 'default') return { kind: workspaceScope };
  if (workspace === undefined) return { kind: 'all' };
  if (workspaceScope === undefined && (workspace === 'all' || workspace === 'default')) return { kind: workspace };
  return { kind: 'named', name: workspace };
}
