import type { SpecReader } from '../../dag-parser';
import { canSee } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import {
  createRevisionReader,
  revisionWithoutText,
  type Comparison,
  type DagRevisionRepository,
  type RevisionList,
  type RevisionLog,
} from '../dag-revisions';
import { revisionChanged } from '../../http/entity-tag';
import type { Change, DagEditor } from './dag-editor';
import { dagNotFound } from './dag-errors';
import type { DagFileStore } from './dag-file-store';
import { createDagAccess } from './dag-access';
import type { DagService } from './dag-service';
import type { NameLocks } from './name-locks';

export interface DagRevisionServiceDependencies {
  readonly store: Pick<DagFileStore, 'read' | 'get'>;
  readonly specs: SpecReader;
  readonly locks: NameLocks;
  readonly revisions: RevisionLog;
  readonly dagRevisions: DagRevisionRepository;
  readonly dags: Pick<DagService, 'create'>;
  readonly editor: Pick<DagEditor, 'replace'>;
}

export type DagRevisionService = ReturnType<typeof createDagRevisionService>;

/** Every operation throws `dag_not_found`; those on a revision also throw `revision_not_found`. */
export function createDagRevisionService(dependencies: DagRevisionServiceDependencies) {
  const { store, locks, revisions, dagRevisions, dags, editor } = dependencies;
  const { findVisible } = createDagAccess(dependencies);
  const reader = createRevisionReader(dagRevisions);

  /** Changes from outside of the server are recorded before the list is read. */
  const list = async (fileName: string, principal: Principal): Promise<RevisionList> => {
    await locks.run(fileName, () => revisions.observe(fileName));
    const hasFile = (await store.read(fileName)) !== undefined;
    if (hasFile) await findVisible(fileName, principal);
    const all = await dagRevisions.list(fileName);
    const visible = all.filter(({ workspace }) => canSee(principal, workspace ?? undefined));
    if (!hasFile && visible.length === 0) throw dagNotFound(fileName);
    return { subject: subjectOf(fileName), label: `${fileName}.yaml`, revisions: visible };
  };

  return {
    list,

    get: async (fileName: string, revision: string, principal: Principal) =>
      reader.get(await list(fileName, principal), revision),

    compare: async (fileName: string, comparison: Comparison, principal: Principal) =>
      reader.compare(await list(fileName, principal), comparison),

    /** Also throws the errors of creating a DAG where it was deleted, and otherwise those of replacing its spec. */
    async restore(fileName: string, revision: string, { principal, audit, ifMatch }: Change) {
      const { hash, text } = await reader.get(await list(fileName, principal), revision);
      if (hash === null) throw revisionWithoutText(subjectOf(fileName), revision);
      if ((await store.read(fileName)) !== undefined) {
        return editor.replace(fileName, text, { principal, audit, ifMatch, change: 'restored' });
      }
      // A deleted DAG has no present revision that it could name.
      if (ifMatch !== undefined) throw revisionChanged();
      return dags.create(fileName, text, { principal, audit, change: 'restored' });
    },
  };
}

function subjectOf(fileName: string): string {
  return `The DAG "${fileName}"`;
}
