import { createHash } from 'node:crypto';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@weir/service-kit';
import { createJournalFile, openJournalFile, type JournalFile } from '../../journal/journal-file';
import type { FileLimit } from '../../journal/file-limit';
import type { SessionRecord, StartedRecord } from './session-records';

/** The journal of one session. */
export interface SessionJournal {
  /**
   * Resolves with the bytes of the record once it is stored, and so survives the end of the process. Rejects with
   * `unavailable`; the record is then not part of the journal.
   */
  append(record: SessionRecord): Promise<number>;
  remove(): Promise<void>;
  /** Whether no other process can write it. */
  isOwned(): boolean;
}

export interface StoredSession {
  readonly started: StartedRecord;
  readonly records: readonly SessionRecord[];
  readonly journal: SessionJournal;
  /** Bytes of its records that can no longer be read. */
  readonly damagedBytes: number;
}

/** A start whose session has no id yet. */
export type NewSession = Omit<StartedRecord, 'sessionId' | 'number'>;

export interface SessionJournals {
  /** Chooses the id of a session and stores its start. */
  create(start: NewSession): Promise<{ readonly started: StartedRecord; readonly journal: SessionJournal }>;
  /** The id of the session of another process that has not ended and has this key. */
  findActive(keyHash: string): Promise<string | undefined>;
  /** The sessions that were stored when the process ended, in the order of their start. */
  restore(): AsyncIterable<StoredSession>;
}

export interface SessionFilesOptions {
  readonly folder: string;
  readonly sync: boolean;
  readonly fileLimit: FileLimit;
  readonly logger: Logger;
}

/** A folder with one file for each session. A process writes only the files of its own sessions. */
export interface SessionFiles {
  /** Stores the start of a session. */
  create(started: StartedRecord): Promise<SessionJournal>;
  /** `undefined` if there is no such file, or if it has no start. */
  read(started: StartedRecord): Promise<StoredSession | undefined>;
  /** Reads one after the other, in no order. */
  readAll(): AsyncGenerator<StoredSession>;
}

export interface SessionJournalsOptions extends SessionFilesOptions {
  /** An id of this task that no session has. */
  readonly nextId: (taskId: string) => string;
}

const extension = '.journal';

/** Opens the folder, and creates it if it is missing. */
export async function openSessionFiles(options: SessionFilesOptions): Promise<SessionFiles> {
  const { folder, sync, fileLimit, logger } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });

  async function read(name: string): Promise<StoredSession | undefined> {
    const file = path.join(folder, name);
    const { values, journal, damagedBytes } = await openJournalFile({ file, sync, fileLimit }, logger);
    // Only this file writes them, and their checksums were verified.
    const [started, ...records] = values as readonly SessionRecord[];
    if (started?.kind === 'started') return { started, records, journal: ofFile(journal), damagedBytes };
    if (damagedBytes > 0) {
      // The file is moved out of the way of new sessions, and kept for a repair.
      logger.error({ file: `${file}.damaged` }, 'the start of a session is damaged: it cannot be restored');
      await rename(file, `${file}.damaged`);
      return undefined;
    }
    // The process ended before the start of the session was acknowledged.
    logger.warn({ records: values.length }, 'removed a journal without a start record');
    await journal.remove();
    return undefined;
  }

  return {
    create: async (started) => {
      const journal = createJournalFile({ file: path.join(folder, fileName(started)), sync, fileLimit });
      try {
        await journal.append(started);
      } catch (error) {
        // Removes the empty file, which the next start of the process would also do.
        await journal.remove().catch(() => undefined);
        throw error;
      }
      return ofFile(journal);
    },
    read: (started) => read(fileName(started)),
    readAll: async function* () {
      for (const name of (await readdir(folder)).filter((name) => name.endsWith(extension))) {
        const stored = await read(name);
        if (stored !== undefined) yield stored;
      }
    },
  };
}

/** Opens the journals of a single process. */
export async function openSessionJournals(options: SessionJournalsOptions): Promise<SessionJournals> {
  const files = await openSessionFiles(options);
  let nextNumber = 0;
  return {
    create: async (start) => {
      const started = { ...start, sessionId: options.nextId(start.taskId), number: nextNumber++ };
      return { started, journal: await files.create(started) };
    },
    findActive: () => Promise.resolve(undefined),
    restore: async function* () {
      const found: StoredSession[] = [];
      for await (const stored of files.readAll()) found.push(stored);
      found.sort((left, right) => left.started.number - right.started.number);
      nextNumber = (found.at(-1)?.started.number ?? -1) + 1;
      yield* found;
    },
  };
}

/** A session id may contain any character, and may differ from another only in case. */
function fileName({ number, sessionId }: StartedRecord): string {
  return `${createHash('sha256').update(`${number} ${sessionId}`).digest('hex').slice(0, 40)}${extension}`;
}

/** The folder is locked, and the sessions of a group of processes are divided: no other process writes it. */
function ofFile(file: JournalFile): SessionJournal {
  return { append: (record) => file.append(record), remove: () => file.remove(), isOwned: () => true };
}
