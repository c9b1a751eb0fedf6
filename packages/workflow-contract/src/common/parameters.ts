import { z } from 'zod';

/** Sent by web clients on almost every call. */
export const remoteNode = z
  .string()
  .max(253)
  .optional()
  .describe(
    'The node that should handle the request. This server is "local", which is the default; other values are refused.',
  );

/** Lower-case from here on, as labels are, so that a grant and the label it is for meet. */
export const workspaceName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"')
  .toLowerCase();

/** Which workspaces a list shows; see the refinement for the combinations that make no sense. */
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

/** What the two parameters mean together. */
export function workspaceSelection({ workspaceScope, workspace }: WorkspaceQuery): WorkspaceSelection {
  if (workspaceScope === 'all' || workspaceScope === 'default') return { kind: workspaceScope };
  if (workspace === undefined) return { kind: 'all' };
  if (workspaceScope === undefined && (workspace === 'all' || workspace === 'default')) return { kind: workspace };
  return { kind: 'named', name: workspace };
}
