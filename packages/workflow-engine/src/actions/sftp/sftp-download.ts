import { createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionLog } from '../../host/logs/action-log';
import { namingSetting } from '../../host/files/file-errors';
import { limitBytes } from '../files/limit-bytes';
import { makeFoldersAbove, viaTemporaryFile } from '../files/write-whole';
import type { Stats } from 'ssh2';
import { namingRemote, type SftpSession } from './sftp-session';
import type { Transfer, Transferred } from './sftp-upload';
import { toRemoteInfo, walkRemote } from './walk-remote';

export interface Download extends Transfer {
  /** Limits the size of all files together. */
  readonly maxBytes: number;
}

/** Copies a file, or a folder with its content, from the other host. */
export async function download(session: SftpSession, transfer: Download, log: ActionLog): Promise<Transferred> {
  const { source, destination, isRecursive, maxBytes } = transfer;
  // A link is followed when it is named itself.
  const stats = await namingRemote('source', () => session.ask<Stats>((done) => session.sftp.stat(source, done)));
  const { kind, mode } = toRemoteInfo(stats);
  if (kind === 'file') {
    await namingSetting('destination', () => makeFoldersAbove(destination, { create_dirs: true }));
    return { files: 1, bytes: await downloadFile(session, transfer, mode) };
  }
  if (kind !== 'folder') throw actionFailed('source is neither a file nor a folder.');
  if (!isRecursive) throw actionFailed('source is a folder, which is only copied with recursive.');
  const found = await namingRemote('source', () => walkRemote(session, source, true));
  await makeFolder(destination);
  let total: Transferred = { files: 0, bytes: 0 };
  for (const each of found) {
    const to = join(destination, each.path);
    if (each.kind === 'folder') await makeFolder(to);
    else if (each.kind === 'file') {
      const rest = { ...transfer, source: posix.join(source, each.path), destination: to };
      const bytes = await downloadFile(session, { ...rest, maxBytes: maxBytes - total.bytes }, each.mode);
      total = { files: total.files + 1, bytes: total.bytes + bytes };
    } else log.note(`left out, since it is no file: ${each.path}`);
  }
  return total;
}

async function makeFolder(path: string): Promise<void> {
  await namingSetting('destination', () => mkdir(path, { recursive: true }));
}

/** How many bytes it has. */
async function downloadFile({ sftp, signal }: SftpSession, transfer: Download, fileMode: string): Promise<number> {
  const { source, destination, isOverwriting, maxBytes, mode = Number.parseInt(fileMode, 8) } = transfer;
  const counted = limitBytes(maxBytes, 'The rest of source');
  await namingSetting('destination', () =>
    viaTemporaryFile(destination, isOverwriting, async (part) => {
      const file = createWriteStream(part, { flags: 'wx', mode: 0o600 });
      await namingRemote('source', () => pipeline(sftp.createReadStream(source), counted.stream, file, { signal }));
      await chmod(part, mode & 0o777);
    }),
  );
  return counted.bytes();
}
