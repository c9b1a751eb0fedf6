import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  unlinkSync,
  type BigIntStats,
} from 'node:fs';
import path from 'node:path';
import { describeError } from '../../runner/describe-error';
import type { FileIdentity } from '../../runner/state';

export type Removal =
  { readonly kind: 'removed' } | { readonly kind: 'missing' } | { readonly kind: 'retained'; readonly reason: string };

/**
 * Removes the file that main wrote, identified by its inode or its content; any other file that has its name now is
 * retained. Does not follow links. Never throws.
 */
export async function removeFile(file: FileIdentity): Promise<Removal> {
  const entry = path.join(file.folder, file.name);
  try {
    if (realpathSync(file.folder) !== file.folder) return retain('its folder was replaced by a symbolic link');
    const stats = lstatSync(entry, { bigint: true });
    if (!stats.isFile()) return retain('its path is no longer a regular file');
    if (!isInode(file, stats) && !(await hasContent(file, entry))) return retain('it was replaced by another file');
    unlinkSync(entry);
    return { kind: 'removed' };
  } catch (error) {
    const reason = describeError(error);
    return reason === 'ENOENT' ? { kind: 'missing' } : retain(`${reason}${describeOwners(file.folder, entry)}`);
  }
}

const retain = (reason: string): Removal => ({ kind: 'retained', reason });

function isInode(file: FileIdentity, { dev, ino }: BigIntStats): boolean {
  return String(dev) === file.device && String(ino) === file.inode;
}

/** A copy at the same path, for example in a restored workspace, is as secret as the file itself. */
async function hasContent({ size, sha256 }: FileIdentity, entry: string): Promise<boolean> {
  const descriptor = openSync(entry, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (fstatSync(descriptor).size !== size) return false;
    // It is loaded on demand, because it is rarely needed and takes longer than the rest of post.
    const { createHash } = await import('node:crypto');
    return createHash('sha256').update(readFileSync(descriptor)).digest('hex') === sha256;
  } finally {
    closeSync(descriptor);
  }
}

/** The permissions of the folder decide who can remove the file, and both often belong to the user of a container. */
function describeOwners(folder: string, entry: string): string {
  return [folder, entry].map((entryPath) => `; ${entryPath}: ${describePermissions(entryPath)}`).join('');
}

function describePermissions(entryPath: string): string {
  try {
    const { uid, gid, mode } = lstatSync(entryPath);
    return `owner ${uid}:${gid}, mode ${(mode & 0o7777).toString(8)}`;
  } catch (error) {
    return describeError(error);
  }
}
