import { createHash } from 'node:crypto';
import type { Clock } from '@weir/workflow-engine/model';
import type { DagRevision, DagRevisionRepository, RevisionChange } from './dag-revision';

/** The text of a file and the workspace of its DAG; `undefined` when the file does not exist. */
export type FileState = { readonly text: string; readonly workspace: string | undefined } | undefined;

export interface RevisionLogDependencies {
  readonly dagRevisions: DagRevisionRepository;
  /** Limits the revisions of a DAG that are kept. */
  readonly maxRevisions: number;
  /** Reads the content of the file; `undefined` when it does not exist. */
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

/** After this many attempts the database must be at fault, because concurrent insertions would not refuse so many. */
const maxAttempts = 50;

export type RevisionLog = ReturnType<typeof createRevisionLog>;

/**
 * Records the changes of DAG files. Files are written first: a change that a crash kept from being recorded is
 * observed later.
 */
export function createRevisionLog(dependencies: RevisionLogDependencies) {
  const { dagRevisions, maxRevisions, readFile, readWorkspace, clock } = dependencies;

  /** Returns false when another process took the number. */
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
   * Records a file that differs from the newest revision, without an author. The newest revision is read before the
   * file, so that a process which records a change meanwhile takes the number, and nothing outdated is recorded here.
   */
  const observe = async (fileName: string): Promise<void> => {
    const newest = await dagRevisions.findNewest(fileName);
    const file = await readFile(fileName);
    // No database stores a NUL character, and no spec contains one.
    if (file?.kind === 'unreadable' || file?.text.includes('\0')) return;
    if ((newest?.hash ?? null) === hashOf(file?.text)) return;
    const state = file && { text: file.text, workspace: await readWorkspace(fileName, file.text) };
    const change = state === undefined ? 'deleted' : newest?.hash ? 'changed' : 'created';
    await insertAfter(fileName, newest, { change, author: null, state });
  };

  /** If another process has observed this change after `known`, its revision gets the author. */
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

    /** Changes a file and records the change; before that, it records changes from outside of the server. */
    async change(fileName: string, revision: NewRevision, work: () => Promise<void>): Promise<void> {
      await observe(fileName);
      const known = await dagRevisions.findNewest(fileName);
      await work();
      await record(fileName, revision, known?.number ?? 0);
    },

    /** Does the same for a new name, which takes over the revisions. */
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
