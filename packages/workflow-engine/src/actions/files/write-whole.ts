import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { actionFailed } from '../../model/steps/action-errors';

/** Settings that the writing actions share. */
interface WriteSettings {
  readonly overwrite?: boolean;
  readonly atomic?: boolean;
  readonly mode?: string;
}

export interface WriteOptions {
  readonly isOverwriting: boolean;
  readonly isAtomic: boolean;
  readonly mode: number | undefined;
  /** Whether a link at the path is followed and its target overwritten. Default: yes. */
  readonly isLinkFollowed?: boolean;
}

export function toWriteOptions({ overwrite = false, atomic = false, mode }: WriteSettings): WriteOptions {
  return { isOverwriting: overwrite, isAtomic: atomic, mode: parseMode(mode) };
}

/** Permissions in octal digits. */
export function parseMode(mode: string | undefined): number | undefined {
  return mode === undefined ? undefined : Number.parseInt(mode, 8);
}

export async function makeFoldersAbove(
  path: string,
  { create_dirs: createsFolders = false }: { readonly create_dirs?: boolean },
): Promise<void> {
  if (createsFolders) await mkdir(dirname(path), { recursive: true });
}

/** Writes a file. Without overwriting, an existing file stays unchanged and the call fails with EEXIST. */
export async function writeWhole(path: string, content: string, options: WriteOptions): Promise<void> {
  const { isOverwriting, isAtomic, mode } = options;
  if (isAtomic) {
    await viaTemporaryFile(path, isOverwriting, async (part) => {
      await writeFile(part, content, { flag: 'wx', flush: true });
      if (mode !== undefined) await chmod(part, mode);
    });
    return;
  }
  await (isOverwriting ? overwrite(path, content, options) : writeFile(path, content, { flag: 'wx' }));
  // Not passed to the write: the umask would clear bits, and an existing file keeps its mode.
  if (mode !== undefined) await chmod(path, mode);
}

async function overwrite(
  path: string,
  content: string,
  { isLinkFollowed = true }: Pick<WriteOptions, 'isLinkFollowed'>,
): Promise<void> {
  // Without O_NONBLOCK, opening a pipe would block a thread until it has a reader, even after an abort.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK;
  const handle = await open(path, isLinkFollowed ? flags : flags | constants.O_NOFOLLOW, 0o666);
  try {
    if (!(await handle.stat()).isFile()) throw actionFailed('path is not a regular file.');
    await handle.truncate();
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

/** Lets `make` write a temporary file in the folder of the target, then moves it there atomically. */
export async function viaTemporaryFile(
  path: string,
  isOverwriting: boolean,
  make: (part: string) => Promise<void>,
): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await make(part);
    // `link` fails for an existing target, which `rename` would replace.
    await (isOverwriting ? rename(part, path) : link(part, path));
  } finally {
    await rm(part, { force: true, recursive: true });
  }
}
