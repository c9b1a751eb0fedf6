import {
  revisionNotFound,
  type DagRevision,
  type DagRevisionRepository,
  type DagRevisionWithText,
} from './dag-revision';
import { unifiedDiff } from './unified-diff';

/** Revisions of one file that the caller may see, newest first. */
export interface RevisionList {
  /** Names the file as the beginning of a sentence: `The DAG "nightly"`. */
  readonly subject: string;
  /** Names the file in the header of a diff. */
  readonly label: string;
  readonly revisions: readonly DagRevision[];
}

export interface Comparison {
  readonly revision: string;
  /** Default: the previous revision. */
  readonly from: number | undefined;
}

export type RevisionReader = ReturnType<typeof createRevisionReader>;

/** Reads the texts of revisions. Both functions throw `revision_not_found`. */
export function createRevisionReader(dagRevisions: Pick<DagRevisionRepository, 'find'>) {
  const readText = async (
    { subject }: RevisionList,
    { fileName, number }: DagRevision,
  ): Promise<DagRevisionWithText> => {
    const found = await dagRevisions.find(fileName, number);
    // The revision was among the oldest, and was deleted meanwhile.
    if (found === undefined) throw revisionNotFound(subject, String(number));
    return found;
  };
  return {
    get: async (list: RevisionList, revision: string): Promise<DagRevisionWithText> =>
      readText(list, findRevision(list, revision)),

    async compare(list: RevisionList, { revision, from }: Comparison) {
      const newer = findRevision(list, revision);
      const older =
        from === undefined
          ? list.revisions.find(({ number }) => number < newer.number)
          : findRevision(list, String(from));
      const to = await readText(list, newer);
      const base = older === undefined ? undefined : await readText(list, older);
      return { from: base, to, ...unifiedDiff(list.label, toSide(base), toSide(to)) };
    },
  };
}

function findRevision({ subject, revisions }: RevisionList, revision: string): DagRevision {
  const found = revisions.find(({ number }) => String(number) === revision);
  if (found === undefined) throw revisionNotFound(subject, revision);
  return found;
}

function toSide(revision: DagRevisionWithText | undefined) {
  return revision === undefined
    ? { label: 'nothing', text: '' }
    : { label: `revision ${revision.number}`, text: revision.text };
}
