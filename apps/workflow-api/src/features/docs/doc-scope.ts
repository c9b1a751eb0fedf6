import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { canSee, isVisible, visibleWorkspaces } from '../../access/access-rules';
import { workspaceNotFound } from '../../access/auth-errors';
import type { Principal } from '../../access/principal';
import type { WorkspaceRepository } from '../workspaces';
import { docNotFound } from './doc-errors';
import type { DocEntry } from './doc-files';
import { firstSegment } from './doc-path';

/** A document or directory in the terms of a request. */
export interface DocAddress {
  /** Path below the folder of all documents. */
  readonly id: string;
  /** The workspace of the document. */
  readonly workspace: string | undefined;
  /** Path as the request gives it. */
  readonly shownId: string;
}

/** The part of the folder that a request sees; the first segment of a path may be a workspace. */
export interface DocScope {
  /** Directory that paths are relative to; empty for the folder itself. */
  readonly root: string;
  readonly includes: (entry: Pick<DocEntry, 'id'>) => boolean;
  /** Throws `doc_not_found` for a path that is not visible. */
  readonly resolve: (path: string) => DocAddress;
  /** Returns `undefined` for a path that is not visible. */
  readonly find: (path: string) => DocAddress | undefined;
  readonly show: (id: string) => DocAddress;
  /** Returns the workspace of a path, even if it is not visible. */
  readonly workspaceOf: (id: string) => string | undefined;
}

/** Throws `workspace_not_found` for a workspace that does not exist or is not visible. */
export async function createDocScope(
  workspaces: Pick<WorkspaceRepository, 'list'>,
  query: WorkspaceQuery,
  principal: Principal,
): Promise<DocScope> {
  const known = new Set((await workspaces.list()).map(({ name }) => name));
  const selection = workspaceSelection(query);
  const visible = visibleWorkspaces(principal, selection);
  if (selection.kind === 'named' && !known.has(selection.name)) throw workspaceNotFound(selection.name);
  const root = selection.kind === 'named' ? selection.name : '';
  const workspaceOf = (id: string): string | undefined => {
    // Some file systems do not distinguish upper and lower case.
    const name = firstSegment(id).toLowerCase();
    return known.has(name) ? name : undefined;
  };
  const show = (id: string): DocAddress => ({
    id,
    workspace: workspaceOf(id),
    shownId: root === '' ? id : id.slice(root.length + 1),
  });
  const find = (path: string): DocAddress | undefined => {
    const address = show(root === '' ? path : `${root}/${path}`);
    return canSee(principal, address.workspace) ? address : undefined;
  };
  return {
    root,
    workspaceOf,
    show,
    find,
    includes: ({ id }) => isVisible(visible, workspaceOf(id)),
    resolve: (path) => {
      const address = find(path);
      if (address === undefined) throw docNotFound(path);
      return address;
    },
  };
}
