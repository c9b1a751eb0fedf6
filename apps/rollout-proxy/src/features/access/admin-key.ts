import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isSystemError, isLoopbackHost } from '@weir/foundation';
import { Secret } from '@weir/service-kit';

export const minAdminKeyLength = 16;

export interface AdminKey {
  readonly value: Secret;
  /** The file in which it is stored, unless it was configured. */
  readonly file: string | undefined;
}

export interface AdminKeyOptions {
  readonly given: Secret | undefined;
  readonly host: string;
  readonly dataFolder: string;
}

/**
 * The configured key; otherwise the one in the data folder, generated at the first start. Rejects with
 * `invalid_request`, reason `admin_key_missing`, where other machines can reach the server and no key is configured.
 */
export async function resolveAdminKey({ given, host, dataFolder }: AdminKeyOptions): Promise<AdminKey> {
  if (given !== undefined) return { value: given, file: undefined };
  if (!isLoopbackHost(host)) {
    throw new AppError(
      'invalid_request',
      'ROLLOUT_ADMIN_KEY is not set, and ROLLOUT_HOST lets other machines reach this server. Set a key of at least 16 characters.',
      { reason: 'admin_key_missing' },
    );
  }
  const file = path.join(dataFolder, 'admin_key');
  const stored = await readKey(file);
  if (stored !== undefined) return { value: stored, file };
  await writeKey(file);
  const value = await readKey(file);
  if (value === undefined) throw unreadable(file);
  return { value, file };
}

async function readKey(file: string): Promise<Secret | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (text.length < minAdminKeyLength) throw unreadable(file);
    await chmod(file, 0o600);
    return new Secret(text);
  } catch (cause) {
    if (isSystemError(cause, 'ENOENT')) return undefined;
    throw unreadable(file, cause);
  }
}

/** Of two processes that start together, one creates the key. */
async function writeKey(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
    // Unlike a rename, a link never replaces the key of another process.
    await link(draft, file);
  } catch (cause) {
    if (!isSystemError(cause, 'EEXIST')) throw unreadable(file, cause);
  } finally {
    await rm(draft, { force: true });
  }
}

function unreadable(file: string, cause?: unknown): AppError {
  return new AppError('unavailable', `The admin key in ${file} cannot be read or written.`, {
    reason: 'admin_key_unusable',
    cause,
  });
}
