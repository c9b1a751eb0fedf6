import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isAppError, readIfPresent } from '@weir/foundation';
import type { DatabaseLocation } from '@weir/workflow-db';
import { z } from 'zod';

/** The database of an installation as recorded in its home folder. */
export interface RememberedDatabase {
  /** The location of the database: relative to the home folder for a file, so that both can be moved; never with a password. */
  readonly location: string;
  /** Identifies the database and its copies. */
  readonly instance: string;
}

const Known = z.object({ location: z.string(), instance: z.string() });
const fileIn = (home: string): string => path.join(home, 'database.json');

export function describeLocation(location: DatabaseLocation, home: string): string {
  if (location.provider === 'sqlite') return path.relative(home, location.file);
  const { host, pathname } = new URL(location.url);
  return `${host}${pathname}`;
}

/** Returns `undefined` for a new home folder. Throws `unavailable`, reason `home_unusable`, for a file that cannot be read. */
export async function readRememberedDatabase(home: string): Promise<RememberedDatabase | undefined> {
  try {
    const text = (await readIfPresent(fileIn(home)))?.toString();
    return text === undefined ? undefined : Known.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('unavailable', `${fileIn(home)} cannot be read.`, { reason: 'home_unusable', cause });
  }
}

export async function rememberDatabase(home: string, known: RememberedDatabase): Promise<void> {
  const draft = `${fileIn(home)}.${randomUUID()}.tmp`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(known)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, fileIn(home));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Throws before the file could be created again: SQLite treats a missing file as an empty database. */
export function assertFileHasContent(file: string, home: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) throw databaseLost(file, home, 'is missing or empty, although this installation was using it');
}

/** Explains what to do about a database that belongs to another installation. Other failures are passed on. */
export function explainLoss(error: unknown, location: string, home: string): unknown {
  if (!isAppError(error)) return error;
  if (error.reason === 'database_empty') {
    return databaseLost(location, home, 'is empty, although this installation was using it', error);
  }
  if (error.reason === 'database_replaced') {
    return databaseLost(location, home, 'is not the one that this installation was using', error);
  }
  return error;
}

function databaseLost(location: string, home: string, problem: string, cause?: unknown): AppError {
  const message =
    `The database ${location} ${problem}. Restore it from a backup; of a file, remove what is left beside it that ends ` +
    `in -wal and -shm first. To begin anew without its users and runs, remove ${fileIn(home)}.`;
  return new AppError('unavailable', message, { reason: 'database_lost', cause });
}
