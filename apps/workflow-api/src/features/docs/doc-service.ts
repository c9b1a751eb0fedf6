import type { WorkspaceQuery } from '@weir/workflow-contract';
import type { Principal } from '../../access/principal';
import { toEntityTag } from '../../http/entity-tag';
import type { WorkspaceRepository } from '../workspaces';
import { createDocChanges, type DocView } from './doc-changes';
import { docNotFound } from './doc-errors';
import type { DocFiles } from './doc-files';
import { createDocScope, type DocAddress } from './doc-scope';

export interface DocServiceDependencies {
  readonly docFiles: DocFiles;
  readonly workspaces: Pick<WorkspaceRepository, 'list'>;
}

export type DocService = ReturnType<typeof createDocService>;

/** Checks who may see and write documents, and keeps edits from overwriting each other. */
export function createDocService({ docFiles, workspaces }: DocServiceDependencies) {
  const scopeOf = (query: WorkspaceQuery, principal: Principal) => createDocScope(workspaces, query, principal);
  const view = async (address: DocAddress): Promise<DocView> => {
    const file = await docFiles.read(address.id);
    if (file === undefined) throw docNotFound(address.shownId);
    return { address, file, entityTag: toEntityTag(file.text) };
  };

  return {
    /** Throws `workspace_not_found` or `docs_too_many`. */
    async list(query: WorkspaceQuery, principal: Principal, signal?: AbortSignal) {
      const scope = await scopeOf(query, principal);
      const entries = (await docFiles.list(scope.root, signal)).filter((entry) => scope.includes(entry));
      return { scope, entries };
    },

    /** Throws `workspace_not_found` or `doc_not_found`. */
    async get(path: string, query: WorkspaceQuery, principal: Principal): Promise<DocView> {
      return view((await scopeOf(query, principal)).resolve(path));
    },

    /** Returns the workspace of a document, whose path starts at the folder of all documents. */
    workspaceOf: async (id: string, principal: Principal): Promise<string | undefined> =>
      (await scopeOf({ workspaceScope: 'all' }, principal)).workspaceOf(id),

    ...createDocChanges({ docFiles, scopeOf, view }),
  };
}
