import { posix } from 'node:path';
import type { Stats } from 'ssh2';
import { actionFailed } from '../../model/steps/action-errors';
import type { FileInfo } from '../../host/files/file-info';
import { readRemoteFolder, type SftpSession } from './sftp-session';

export interface RemoteFile extends FileInfo {
  /** Relative to the walked folder. */
  readonly path: string;
}

const maxFiles = 100_000;

/** Lists a folder by name, each folder before its content. Links are listed and not followed. */
export async function walkRemote(
  session: SftpSession,
  folder: string,
  isRecursive: boolean,
): Promise<readonly RemoteFile[]> {
  const found: RemoteFile[] = [];
  await visit('');
  return found;

  async function visit(below: string): Promise<void> {
    for (const { filename, attrs } of await readRemoteFolder(session, posix.join(folder, below))) {
      session.signal.throwIfAborted();
      if (found.length === maxFiles) throw actionFailed(`path contains more than ${maxFiles} files.`);
      const path = posix.join(below, filename);
      const info = toRemoteInfo(attrs);
      found.push({ path, ...info });
      if (isRecursive && info.kind === 'folder') await visit(path);
    }
  }
}

const formatMask = 0o170_000;
const kinds: ReadonlyMap<number, FileInfo['kind']> = new Map([
  [0o100_000, 'file'],
  [0o040_000, 'folder'],
  [0o120_000, 'link'],
]);

export function toRemoteInfo({ mode, size, mtime }: Pick<Stats, 'mode' | 'size' | 'mtime'>): FileInfo {
  return {
    kind: kinds.get(mode & formatMask) ?? 'other',
    size,
    mode: (mode & 0o7777).toString(8).padStart(4, '0'),
    modified_at: new Date(mtime * 1_000).toISOString(),
  };
}
