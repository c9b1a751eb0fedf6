import { createHash } from 'node:crypto';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@weir/service-kit';
import { createJournalFile, openJournalFile, type JournalFile } from '../../journal/journal-file';
import type { FileLimit } from '../../journal/file-limit';
import type { SessionRecord, StartedRecord } from './session-records';

export interface StoredSession {
  readonly started: StartedRecord;
  readonly records: readonly SessionRecord[];
  readonly journal: JournalFile;
  /** Bytes of its records that can no longer be read. */
  readonly damagedBytes: number;
}

/** One file for each stored session. */
export interface SessionJournals {
  create(started: StartedRecord): Promise<JournalFile>;
  /** The sessions that were stored when the process ended, in the order of their start. */
  restore(): AsyncIterable<StoredSession>;
}

export interface SessionJournalsOptions {
  readonly folder: string;
  readonly sync: boolean;
  readonly fileLimit: FileLimit;
  readonly logger: Logger;
}

const extension = '.journal';

export async function openSessionJournals(options: SessionJournalsOptions): Promise<SessionJournals> {
  const { folder, sync, fileLimit, logger } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });

  async function read(name: string): Promise<StoredSession | undefined> {
    const file = path.join(folder, name);
    const { values, journal, damagedBytes } = await openJournalFile({ file, sync, fileLimit }, logger);
    // Only this file writes them, and their checksums were verified.
    const [started, ...records] = values as readonly SessionRecord[];
    if (started?.kind === 'started') return { started, records, journal, damagedBytes };
    if (damagedBytes > 0) {
      // Out of the way of new sessions, for whoever can repair it.
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
      // A session id may contain any character, and may differ from another only in case.
      const name = createHash('sha256').update(`${started.number} ${started.sessionId}`).digest('hex').slice(0, 40);
      const journal = createJournalFile({ file: path.join(folder, `${name}${extension}`), sync, fileLimit });
      try {
        await journal.append(started);
      } catch (error) {
        // Removes the empty file, which the next start of the process would also do.
        await journal.remove().catch(() => undefined);
        throw error;
      }
      return journal;
    },
    restore: async function* () {
      const names = (await readdir(folder)).filter((name) => name.endsWith(extension));
      const found: StoredSession[] = [];
      for (const name of names) {
        const stored = await read(name);
        if (stored !== undefined) found.push(stored);
      }
      yield* found.sort((left, right) => left.started.number - right.started.number);
    },
  };
}
