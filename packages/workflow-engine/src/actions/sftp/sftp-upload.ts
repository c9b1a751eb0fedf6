import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionLog } from '../../host/logs/action-log';
import { toFileInfo, findStats } from '../../host/files/file-info';
import { namingSetting } from '../../host/files/file-errors';
import { walkFolder } from '../files/walk-folder';
import { findRemote, namingRemote, type SftpSession } from './sftp-session';
import { toRemoteInfo } from './walk-remote';

export interface Transfer {
  readonly source: string;
  readonly destination: string;
  readonly isRecursive: boolean;
  readonly isOverwriting: boolean;
  readonly mode: number | undefined;
}

export interface Transferred {
  readonly files: number;
  readonly bytes: number;
}

/** Copies a file, or a folder with its content, to the other host. */
export async function upload(session: SftpSession, transfer: Transfer, log: ActionLog): Promise<Transferred> {
  const { source, destination, isRecursive } = transfer;
  const stats = await namingSetting('source', () => findStats(source, true));
  if (stats === undefined) throw actionFailed('source was not found (ENOENT).');
  const { kind, size, mode } = toFileInfo(stats);
  if (kind === 'file') {
    await uploadFile(session, transfer, mode);
    return { files: 1, bytes: size };
  }
  if (kind !== 'folder') throw actionFailed('source is neither a file nor a folder.');
  if (!isRecursive) throw actionFailed('source is a folder, which is only copied with recursive.');
  const options = { isRecursive, isLinkFollowed: false, signal: session.signal };
  const found = await namingSetting('source', () => walkFolder(source, options));
  await makeRemoteFolder(session, destination);
  let total: Transferred = { files: 0, bytes: 0 };
  for (const each of found) {
    const to = posix.join(destination, each.path);
    if (each.kind === 'folder') await makeRemoteFolder(session, to);
    else if (each.kind === 'file') {
      await uploadFile(session, { ...transfer, source: join(source, each.path), destination: to }, each.mode);
      total = { files: total.files + 1, bytes: total.bytes + each.size };
    } else log.note(`left out, since it is no file: ${each.path}`);
  }
  return total;
}

async function makeRemoteFolder(session: SftpSession, path: string): Promise<void> {
  await namingRemote('destination', async () => {
    const existing = await findRemote(session, path);
    if (existing === undefined) await session.tell((done) => session.sftp.mkdir(path, done));
    else if (toRemoteInfo(existing).kind !== 'folder') throw actionFailed('destination is no folder on the host.');
  });
}

/** A temporary file is renamed when it is whole: nobody ever reads a part. */
async function uploadFile(session: SftpSession, transfer: Transfer, fileMode: string): Promise<void> {
  const { sftp, tell, signal } = session;
  const { source, destination, isOverwriting } = transfer;
  const mode = transfer.mode ?? Number.parseInt(fileMode, 8);
  const part = `${destination}.${randomUUID()}.part`;
  await namingRemote('destination', async () => {
    const existing = await findRemote(session, destination);
    if (existing !== undefined && !isOverwriting) throw actionFailed('destination already exists on the host.');
    if (existing !== undefined && toRemoteInfo(existing).kind === 'folder') {
      throw actionFailed('destination is a folder on the host.');
    }
    try {
      await pipeline(createReadStream(source), sftp.createWriteStream(part, { flags: 'wx', mode: 0o600 }), { signal });
      await tell((done) => sftp.chmod(part, mode, done));
      await rename(session, { part, destination, isOverwriting });
    } catch (error) {
      await session.forget(part);
      throw error;
    }
  });
}

interface Rename {
  readonly part: string;
  readonly destination: string;
  readonly isOverwriting: boolean;
}

/** The protocol itself never replaces a file; an extension of most hosts does, in one step. */
async function rename({ sftp, tell }: SftpSession, { part, destination, isOverwriting }: Rename): Promise<void> {
  const plain = () => tell((done) => sftp.rename(part, destination, done));
  if (!isOverwriting) {
    await plain();
    return;
  }
  try {
    await tell((done) => sftp.ext_openssh_rename(part, destination, done));
  } catch (error) {
    if (!(error instanceof Error) || !/does not support/i.test(error.message)) throw error;
    await tell((done) => sftp.unlink(destination, done)).catch(() => undefined);
    await plain();
  }
}
