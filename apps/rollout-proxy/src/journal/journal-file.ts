import { open, rename, rm, truncate } from 'node:fs/promises';
import { AppError, readIfPresent } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import type { FileLimit } from './file-limit';
import { decodeRecords, encodeRecord } from './record';
import { createWorkQueue } from './work-queue';

export interface JournalFile {
  readonly bytes: () => number;
  /**
   * Resolves once the record is in the file, and so survives the end of the process. Rejects with `unavailable`, reason
   * `journal_failed`, when it cannot be written; the file is then unchanged.
   */
  append(value: unknown): Promise<number>;
  /** Replaces all records atomically. `values` is called when earlier writes are done. */
  replace(values: () => readonly unknown[]): Promise<void>;
  remove(): Promise<void>;
}

export interface JournalOptions {
  readonly file: string;
  /** Whether each record is synced to disk, so that a power failure loses nothing either. */
  readonly sync: boolean;
  readonly fileLimit: FileLimit;
}

/** An append-only file of records. Writes are executed in the order of the calls. */
export function createJournalFile({ file, sync, fileLimit }: JournalOptions, startBytes = 0): JournalFile {
  let bytes = startBytes;
  let isDamaged = false;
  let isRemoved = false;
  const inSequence = createWorkQueue();
  const inSequenceWithinLimit = <T>(work: () => Promise<T>): Promise<T> => inSequence(() => fileLimit(work));

  const append = (record: Buffer) => {
    const work = async (): Promise<number> => {
      if (isRemoved) throw failed();
      // A partial record must not stay between two complete ones.
      if (isDamaged) await truncateToLastRecord();
      try {
        if (sync) await write(file, 'a', record, sync);
        else fileLimit.appendFiles.append(file, record);
      } catch (cause) {
        isDamaged = true;
        await truncateToLastRecord().catch(() => undefined);
        throw failed(cause);
      }
      bytes += record.length;
      return record.length;
    };
    return sync ? inSequenceWithinLimit(work) : inSequence(work);
  };

  async function truncateToLastRecord(): Promise<void> {
    await truncate(file, bytes).catch((cause: unknown) => {
      throw failed(cause);
    });
    isDamaged = false;
  }

  return {
    bytes: () => bytes,
    append: (value) => append(encodeRecord(value)),
    replace: (values) =>
      inSequenceWithinLimit(async () => {
        const records = Buffer.concat(values().map(encodeRecord));
        const draft = `${file}.new`;
        await write(draft, 'w', records, true).catch((cause: unknown) => {
          throw failed(cause);
        });
        fileLimit.appendFiles.close(file);
        await rename(draft, file);
        bytes = records.length;
        isDamaged = false;
      }),
    remove: () =>
      inSequenceWithinLimit(async () => {
        isRemoved = true;
        fileLimit.appendFiles.close(file);
        await rm(file, { force: true });
      }),
  };
}

export interface OpenedJournal {
  readonly values: readonly unknown[];
  readonly journal: JournalFile;
  /** Bytes of records that can no longer be read. They stay in the file. */
  readonly damagedBytes: number;
}

/** Returns the records of a file, and a journal that appends to them. An incomplete last record is cut off, with a warning. */
export async function openJournalFile(options: JournalOptions, logger: Logger): Promise<OpenedJournal> {
  const content = (await options.fileLimit(() => readIfPresent(options.file))) ?? Buffer.alloc(0);
  const { values, wholeBytes, damagedBytes } = decodeRecords(content);
  if (damagedBytes > 0) {
    logger.error({ file: options.file, damagedBytes, records: values.length }, 'a journal is damaged; it is kept');
  }
  if (wholeBytes < content.length) {
    logger.warn(
      { lostBytes: content.length - wholeBytes, records: values.length },
      'cut off an incomplete record at the end of a journal',
    );
    await truncate(options.file, wholeBytes);
  }
  return { values, journal: createJournalFile(options, wholeBytes), damagedBytes };
}

async function write(file: string, flags: 'a' | 'w', content: Buffer, sync: boolean): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await handle.appendFile(content);
    if (sync) await handle.datasync();
  } finally {
    await handle.close();
  }
}

function failed(cause?: unknown): AppError {
  return new AppError('unavailable', 'The journal could not be written.', {
    reason: 'journal_failed',
    cause,
  });
}
