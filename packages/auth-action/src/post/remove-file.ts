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
import type { FileIdentity } from './state';

export type Removal =
  | { readonly kind: 'removed' }
  | { readonly kind: 'gone' }
  /** Left where it is, and why. */
  | { readonly kind: 'kept'; readonly because: string };

/**
 * Removes the one file that main wrote, known by its place on the disk or by its content; whatever else has its name by
 * now stays. A place can be used again, but only for a file of this random name. Follows no links. Never throws.
 */
export async function removeFile(file: FileIdentity): Promise<Removal> {
  const entry = path.join(file.folder, file.name);
  try {
    if (realpathSync(file.folder) !== file.folder) return kept('its folder was replaced by a symbolic link');
    const stats = lstatSync(entry, { bigint: true });
    if (!stats.isFile()) return kept('something else than a file has its name now');
    if (!isInode(file, stats) && !(await hasContent(file, entry))) return kept('another file has its name now');
    unlinkSync(entry);
    return { kind: 'removed' };
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? { kind: 'gone' } : kept(`${code}${ownersOf(file.folder, entry)}`);
  }
}

const kept = (because: string): Removal => ({ kind: 'kept', because });

function isInode(file: FileIdentity, { dev, ino }: BigIntStats): boolean {
  return String(dev) === file.device && String(ino) === file.inode;
}

/** A copy in its place, such as of a workspace that was moved or restored, is as secret as the file itself. */
async function hasContent({ size, sha256 }: FileIdentity, entry: string): Promise<boolean> {
  const descriptor = openSync(entry, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (fstatSync(descriptor).size !== size) return false;
    // Loaded here, because it takes longer than the rest of post and is seldom asked.
    const { createHash } = await import('node:crypto');
    return createHash('sha256').update(readFileSync(descriptor)).digest('hex') === sha256;
  } finally {
    closeSync(descriptor);
  }
}

/** Who may remove a file is a matter of its folder, and both often belong to a container's user. */
function ownersOf(folder: string, entry: string): string {
  return [folder, entry].map((place) => `; ${place}: ${rightsOf(place)}`).join('');
}

function rightsOf(place: string): string {
  try {
    const { uid, gid, mode } = lstatSync(place);
    return `owner ${uid}:${gid}, mode ${(mode & 0o7777).toString(8)}`;
  } catch (error) {
    return codeOf(error);
  }
}

/** The system's word for what went wrong, or the sentence of an error without one. */
export function codeOf(error: unknown): string {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  return String(code ?? message);
}
