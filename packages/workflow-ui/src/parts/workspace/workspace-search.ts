/** A part of the address of every page, which stays from page to page. */
export interface WorkspaceSearch {
  /** The workspace that the lists are limited to. */
  readonly ws?: string | undefined;
}

/** Selects objects without a workspace; no workspace can have this name. */
export const noWorkspace = 'default';

/** Leaves out texts that cannot be names of workspaces, because the server would refuse them. */
export function readWorkspaceSearch(search: Readonly<Record<string, unknown>>): WorkspaceSearch {
  // The router parses digits as a number.
  const ws = typeof search.ws === 'number' ? String(search.ws) : search.ws;
  return typeof ws === 'string' && ws !== 'all' && /^[A-Za-z0-9_-]{1,64}$/.test(ws) ? { ws } : {};
}

/** The part of a query that limits a list. */
export interface WorkspaceScope {
  readonly workspace?: string;
}

export function scopeOf({ ws }: WorkspaceSearch): WorkspaceScope {
  return ws === undefined ? {} : { workspace: ws };
}

/** Whether an object belongs to the shown workspace, where the server was asked for all. */
export function isInScope(
  { workspace: scope }: WorkspaceScope,
  { workspace }: { readonly workspace?: string | undefined },
): boolean {
  return scope === undefined || scope === (workspace ?? noWorkspace);
}
