import { createHash } from 'node:crypto';
import type { Clock } from '@weir/workflow-engine';
import type { DagRevision, DagRevisionRepository, RevisionChange } from './dag-revision';

/** The text of a file and the workspace of its DAG; `undefined` for no such file. */
export type FileState = { readonly text: string; readonly workspace: string | undefined } | undefined;

export interface RevisionLogDependencies {
  readonly dagRevisions: DagRevisionRepository;
  /** Most revisions that are kept of a DAG. */
  readonly maxRevisions: number;
  /** What the file holds; `undefined` when there is none. */
  readonly readFile: (
    fileName: string,
  ) => Promise<{ readonly kind: 'text'; readonly text: string } | { readonly kind: 'unreadable' } | undefined>;
  readonly readWorkspace: (fileName: string, text: string) => Promise<string | undefined>;
  readonly clock: Clock;
}

export interface NewRevision {
  readonly change: RevisionChange;
  readonly author: string;
  readonly state: FileState;
}

/** A database that refuses every insertion is at fault, not busy. */
const maxAttempts = 50;

export type RevisionLog = ReturnType<typeof createRevisionLog>;

/** What became of the files of DAGs. Files come first: what a crash kept from being recorded is observed later. */
export function createRevisionLog(dependencies: RevisionLogDependencies) {
  const { dagRevisions, maxRevisions, readFile, readWorkspace, clock } = dependencies;

  /** False when another process took the number. */
  const insertAfter = async (
    fileName: string,
    newest: DagRevision | undefined,
    { change, author, state }: Omit<NewRevision, 'author'> & { readonly author: string | null },
  ): Promise<boolean> => {
    const isInserted = await dagRevisions.insert({
      fileName,
      number: (newest?.number ?? 0) + 1,
      change,
      author,
      createdAt: clock.now(),
      hash: hashOf(state?.text),
      text: state?.text ?? '',
      workspace: (state === undefined ? newest?.workspace : state.workspace) ?? null,
    });
    if (isInserted) await dagRevisions.prune(fileName, maxRevisions);
    return isInserted;
  };

  /**
   * Records a file that is not the newest revision, without an author. The newest revision is read before the file, so
   * that a process which records a change meanwhile takes the number, and nothing outdated is recorded here.
   */
  const observe = async (fileName: string): Promise<void> => {
    const newest = await dagRevisions.findNewest(fileName);
    const file = await readFile(fileName);
    // No database stores a NUL character, and no spec holds one.
    if (file?.kind === 'unreadable' || file?.text.includes('\0')) return;
    if ((newest?.hash ?? null) === hashOf(file?.text)) return;
    const state = file && { text: file.text, workspace: await readWorkspace(fileName, file.text) };
    const change = state === undefined ? 'deleted' : newest?.hash ? 'changed' : 'created';
    await insertAfter(fileName, newest, { change, author: null, state });
  };

  /** What another process has observed of this change, which came after `known`, gets its author. */
  const record = async (fileName: string, revision: NewRevision, known: number): Promise<void> => {
    const { change, author, state } = revision;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const newest = await dagRevisions.findNewest(fileName);
      const isObserved = newest?.author === null && newest.number > known && newest.hash === hashOf(state?.text);
      const isRecorded = isObserved
        ? await dagRevisions.claim(newest, { change, author })
        : await insertAfter(fileName, newest, revision);
      if (isRecorded) return;
    }
    throw new Error(`The revision of "${fileName}" was not recorded in ${maxAttempts} attempts.`);
  };

  return {
    observe,

    /** Makes a change of a file and records it, and before it what was changed outside of the server. */
    async change(fileName: string, revision: NewRevision, work: () => Promise<void>): Promise<void> {
      await observe(fileName);
      const known = await dagRevisions.findNewest(fileName);
      await work();
      await record(fileName, revision, known?.number ?? 0);
    },

    /** The same for a new name, to which the revisions follow. */
    async rename(
      [fileName, newFileName]: readonly [string, string],
      { author, state }: Omit<NewRevision, 'change'>,
      work: () => Promise<void>,
    ): Promise<void> {
      for (const name of [fileName, newFileName]) await observe(name);
      await work();
      await dagRevisions.move(fileName, newFileName);
      await record(newFileName, { change: 'renamed', author, state }, Infinity);
    },
  };
}

function hashOf(text: string | undefined): string | null {
  return text === undefined ? null : createHash('sha256').update(text).digest('hex');
}
