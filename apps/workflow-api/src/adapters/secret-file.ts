import { statSync, type Stats } from 'node:fs';
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import { Secret } from '@weir/service-kit';
import type { RandomSource } from './random-source';

const secretBytes = 32;
const minLength = 32;
const rightsOfOthers = 0o077;

/**
 * Returns the secret stored in a file that only its owner can read; the first call creates the file. Two processes
 * that start together get the same secret, and a crash leaves either no file or a whole one. Rejects with
 * `unavailable`: reason `secret_unreadable`, `secret_unwritable` or `secret_invalid`.
 */
export async function loadOrCreateSecret(file: string, random: RandomSource): Promise<Secret> {
  const existing = await readSecret(file);
  if (existing !== undefined) return existing;
  await createSecret(file, random).catch((cause: unknown) => {
    throw new AppError('unavailable', `A secret cannot be stored in ${file}.`, { reason: 'secret_unwritable', cause });
  });
  const created = await readSecret(file);
  if (created === undefined) throw unreadable(file);
  return created;
}

async function createSecret(file: string, random: RandomSource): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${random.uuid()}.tmp`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(Buffer.from(random.bytes(secretBytes)).toString('base64url'));
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never replaces a file that another process has created meanwhile.
    await link(draft, file).catch((error: unknown) => {
      if (find(file) === undefined) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

async function readSecret(file: string): Promise<Secret | undefined> {
  const found = find(file);
  if (found === undefined) return undefined;
  const value = await readClosed(file, found).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (value.length < minLength) {
    throw new AppError('unavailable', `The file ${file} does not hold a secret of ${minLength} characters or more.`, {
      reason: 'secret_invalid',
    });
  }
  return new Secret(value);
}

/** Only the synchronous form distinguishes a missing file from a failure; it is called once, at start. */
function find(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Returns the text, once no other user can read it. A closed file is left alone: on a read-only mount its mode cannot change. */
async function readClosed(file: string, { mode }: Stats): Promise<string> {
  if ((mode & rightsOfOthers) !== 0) await chmod(file, 0o600);
  return (await readFile(file, 'utf8')).trim();
}

function unreadable(file: string, cause?: unknown): AppError {
  return new AppError('unavailable', `The secret in ${file} cannot be read, or cannot be closed to other users.`, {
    reason: 'secret_unreadable',
    cause,
  });
}
