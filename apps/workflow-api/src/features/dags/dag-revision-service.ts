import type { SpecReader } from '../../dag-parser';
import { canSee, type Principal } from '../auth';
import {
  revisionNotFound,
  revisionWithoutText,
  unifiedDiff,
  type DagRevision,
  type DagRevisionRepository,
  type DagRevisionWithText,
  type RevisionLog,
} from '../dag-revisions';
import { revisionChanged } from '../entity-tag';
import type { Change, DagEditor } from './dag-editor';
import { dagNotFound } from './dag-errors';
import type { DagFileStore } from './dag-file-store';
import { createDagReach } from './dag-reach';
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

export interface Comparison {
  readonly revision: string;
  readonly from: number | undefined;
}

export type DagRevisionService = ReturnType<typeof createDagRevisionService>;

/** Every operation throws `dag_not_found`; those on a revision also throw `revision_not_found`. */
export function createDagRevisionService(dependencies: DagRevisionServiceDependencies) {
  const { store, locks, revisions, dagRevisions, dags, editor } = dependencies;
  const { visibleFile } = createDagReach(dependencies);

  /** Newest first. A file that was changed outside of the server is recorded first. */
  const list = async (fileName: string, principal: Principal): Promise<readonly DagRevision[]> => {
    await locks.run(fileName, () => revisions.observe(fileName));
    const hasFile = (await store.read(fileName)) !== undefined;
    if (hasFile) await visibleFile(fileName, principal);
    const all = await dagRevisions.list(fileName);
    const visible = all.filter(({ workspace }) => canSee(principal, workspace ?? undefined));
    if (!hasFile && visible.length === 0) throw dagNotFound(fileName);
    return visible;
  };

  const readText = async ({ fileName, number }: DagRevision): Promise<DagRevisionWithText> => {
    const found = await dagRevisions.find(fileName, number);
    // It was among the oldest, and deleted meanwhile.
    if (found === undefined) throw revisionNotFound(fileName, String(number));
    return found;
  };

  const find = (all: readonly DagRevision[], fileName: string, revision: string): DagRevision => {
    const found = all.find(({ number }) => String(number) === revision);
    if (found === undefined) throw revisionNotFound(fileName, revision);
    return found;
  };

  const get = async (fileName: string, revision: string, principal: Principal): Promise<DagRevisionWithText> =>
    readText(find(await list(fileName, principal), fileName, revision));

  return {
    list,
    get,

    /** Compares with the revision before where `from` is missing. */
    async compare(fileName: string, { revision, from }: Comparison, principal: Principal) {
      const all = await list(fileName, principal);
      const newer = find(all, fileName, revision);
      const older =
        from === undefined ? all.find(({ number }) => number < newer.number) : find(all, fileName, String(from));
      const to = await readText(newer);
      const base = older === undefined ? undefined : await readText(older);
      const diff = unifiedDiff(`${fileName}.yaml`, toSide(base), toSide(to));
      return { from: base, to, ...diff };
    },

    /** Also throws what creating a DAG throws where it was deleted, and what replacing its spec throws otherwise. */
    async restore(fileName: string, revision: string, { principal, ifMatch }: Change) {
      const { hash, text } = await get(fileName, revision, principal);
      if (hash === null) throw revisionWithoutText(fileName, revision);
      if ((await store.read(fileName)) !== undefined) {
        return editor.replace(fileName, text, { principal, ifMatch, change: 'restored' });
      }
      // There is no present revision that it could name.
      if (ifMatch !== undefined) throw revisionChanged();
      return dags.create(fileName, text, { principal, change: 'restored' });
    },
  };
}

function toSide(revision: DagRevisionWithText | undefined) {
  return revision === undefined
    ? { label: 'nothing', text: '' }
    : { label: `revision ${revision.number}`, text: revision.text };
}
