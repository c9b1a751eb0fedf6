import { isAppError } from '@weir/foundation';
import type { WorkspaceQuery } from '@weir/workflow-contract';
import type { AuditedChange, Requester } from '../../access/audited-operation';
import { requireRole } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { createNameLocks, maxDagFileBytes } from '../dags';
import { assertRevision, revisionChanged, toEntityTag } from '../../http/entity-tag';
import { docNotFound, docPathOfWorkspace, docTooLarge } from './doc-errors';
import type { DocFile, DocFiles } from './doc-files';
import type { DocAddress, DocScope } from './doc-scope';

export interface DocView {
  readonly address: DocAddress;
  readonly file: DocFile;
  readonly entityTag: string;
}

export interface DocChangesDependencies {
  readonly docFiles: DocFiles;
  readonly scopeOf: (query: WorkspaceQuery, principal: Principal) => Promise<DocScope>;
  readonly view: (address: DocAddress) => Promise<DocView>;
}

export interface DocRequest extends Requester {
  readonly query: WorkspaceQuery;
}

export interface DocChange extends DocRequest {
  readonly ifMatch: string | undefined;
}

/** A text that comes from another place, such as a repository. */
export interface AcceptedDoc {
  /** Missing where the document is to be removed. */
  readonly text: string | undefined;
  readonly principal: Principal;
  /** Whether the present text is the one that was replaced in the other place. */
  readonly isExpected: (text: string | undefined) => boolean;
}

export interface RemovedDoc {
  readonly path: string;
  /** The reason why it is not deleted. */
  readonly problem: string | undefined;
}

/** Changes documents, one at a time. Each function throws `workspace_not_found` or `doc_not_found` for invisible ones. */
export function createDocChanges({ docFiles, scopeOf, view }: DocChangesDependencies) {
  const locks = createNameLocks();
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => locks.run('docs', work);
  const removeAt = async (
    { id, workspace, shownId }: DocAddress,
    { principal, audit, ifMatch }: DocChange,
  ): Promise<void> => {
    if (!(await isThere(docFiles, id))) throw docNotFound(shownId);
    const file = await docFiles.read(id);
    requireRole(principal, workspace, 'developer');
    assertRevision(ifMatch, file === undefined ? '' : toEntityTag(file.text));
    await docFiles.remove(id);
    await audit.record({ resourceId: id, workspace, before: { id } });
  };

  return {
    /** Throws also `role_missing`, `doc_path_of_workspace`, `doc_too_large` or `doc_exists`. */
    async create(path: string, content: string, { query, principal, audit }: DocRequest): Promise<void> {
      const scope = await scopeOf(query, principal);
      assertOutsideWorkspaces(scope, path);
      const { id, workspace } = scope.resolve(path);
      requireRole(principal, workspace, 'developer');
      const text = toStoredText(content);
      await exclusively(() => docFiles.create(id, text));
      await audit.record({ resourceId: id, workspace, after: { id, entityTag: toEntityTag(text) } });
    },

    /** Returns the new entity tag. Throws also `role_missing`, `revision_changed` or `doc_too_large`. */
    async replace(path: string, content: string, change: DocChange): Promise<string> {
      const address = (await scopeOf(change.query, change.principal)).resolve(path);
      const text = toStoredText(content);
      return exclusively(async () => {
        const { file, entityTag } = await view(address);
        requireRole(change.principal, address.workspace, 'developer');
        assertRevision(change.ifMatch, entityTag);
        await docFiles.replace(file, text);
        const after = toEntityTag(text);
        await change.audit.record(describeReplacement(address, entityTag, after));
        return after;
      });
    },

    accept: (id: string, accepted: AcceptedDoc): Promise<void> =>
      exclusively(() => acceptDoc({ docFiles, scopeOf }, id, accepted)),

    /** Throws also `role_missing` or `revision_changed`. */
    async remove(path: string, change: DocChange): Promise<void> {
      const address = (await scopeOf(change.query, change.principal)).resolve(path);
      await exclusively(() => removeAt(address, change));
    },

    /** Deletes as many documents as possible; missing ones count as deleted. Throws `role_missing` before any is deleted. */
    async removeAll(paths: readonly string[], { query, principal, audit }: DocRequest): Promise<readonly RemovedDoc[]> {
      const scope = await scopeOf(query, principal);
      const addresses = paths.flatMap((path) => scope.find(path) ?? []);
      for (const { workspace } of addresses) requireRole(principal, workspace, 'developer');
      return exclusively(async () => {
        const problems = new Map<string, string | undefined>();
        for (const { id, shownId, workspace } of addresses) {
          const removal = audit.inPart({ resourceId: id, principal }, async (part) => {
            await docFiles.remove(id);
            await part.audit.record({ workspace, before: { id } });
          });
          problems.set(shownId, await problemOf(removal));
        }
        await audit.record({ workspace: null, before: { paths } });
        return paths.map((path) => ({ path, problem: problems.get(path) }));
      });
    },

    /** Throws also `role_missing`, `doc_path_of_workspace`, `doc_inside_itself` or `doc_exists`. */
    async rename(path: string, newPath: string, { query, ...requester }: DocRequest): Promise<void> {
      const scope = await scopeOf(query, requester.principal);
      const [from, to] = [scope.resolve(path), scope.resolve(newPath)];
      if (from.workspace !== to.workspace) throw docPathOfWorkspace(to.workspace ?? from.workspace ?? '');
      await exclusively(() => renameDoc(docFiles, [from, to], requester));
    },
  };
}

/**
 * Gives a document the text of another place, byte by byte; its path starts at the folder of all documents. Throws
 * `role_missing`, `revision_changed`, `doc_exists` or `docs_folder_not_writable`.
 */
async function acceptDoc(
  { docFiles, scopeOf }: Pick<DocChangesDependencies, 'docFiles' | 'scopeOf'>,
  id: string,
  { text, principal, isExpected }: AcceptedDoc,
): Promise<void> {
  const { workspace } = (await scopeOf({ workspaceScope: 'all' }, principal)).resolve(id);
  requireRole(principal, workspace, 'developer');
  const file = await docFiles.read(id);
  if (!isExpected(file?.text)) throw revisionChanged();
  if (text === undefined) await docFiles.remove(id);
  else if (file === undefined) await docFiles.create(id, text);
  else await docFiles.replace(file, text);
}

async function renameDoc(
  docFiles: DocFiles,
  [from, to]: readonly [DocAddress, DocAddress],
  { principal, audit }: Requester,
): Promise<void> {
  if (!(await isThere(docFiles, from.id))) throw docNotFound(from.shownId);
  requireRole(principal, from.workspace, 'developer');
  await docFiles.rename(from.id, to.id);
  await audit.record({ resourceId: from.id, before: { id: from.id }, after: { id: to.id } });
}

async function isThere(docFiles: DocChangesDependencies['docFiles'], id: string): Promise<boolean> {
  return (await docFiles.read(id)) !== undefined || (await docFiles.isDirectory(id));
}

function describeReplacement({ id, workspace }: DocAddress, before: string, after: string): AuditedChange {
  return { resourceId: id, workspace, before: { entityTag: before }, after: { entityTag: after } };
}

async function problemOf(removal: Promise<void>): Promise<string | undefined> {
  try {
    await removal;
    return undefined;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.reason === 'doc_not_found' ? undefined : error.message;
  }
}

/** Otherwise a request that names no workspace could write into one by its path. */
function assertOutsideWorkspaces({ root, workspaceOf }: DocScope, path: string): void {
  const workspace = root === '' ? workspaceOf(path) : undefined;
  if (workspace !== undefined) throw docPathOfWorkspace(workspace);
}

function toStoredText(content: string): string {
  const text = content.endsWith('\n') ? content : `${content}\n`;
  if (Buffer.byteLength(text) > maxDagFileBytes) throw docTooLarge(maxDagFileBytes);
  return text;
}
