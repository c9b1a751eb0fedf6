import { posix } from 'node:path';
import type { Stats } from 'ssh2';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionExecutor } from '../call/action-executor';
import { actionPath } from '../../host/files/action-paths';
import { parseMode } from '../files/write-whole';
import { publishValues } from '../call/publish-values';
import { matchesWildcards } from '../../values/text/wildcards';
import { download } from './sftp-download';
import { findRemote, namingRemote, remotePath, withSftp, type SftpSession } from './sftp-session';
import { upload, type Transfer } from './sftp-upload';
import { toRemoteInfo, walkRemote } from './walk-remote';

const defaultMaxBytes = 10_737_418_240;

export const sftpUpload: ActionExecutor<'sftp.upload'> = async (work) => {
  const { call, settings, log } = work;
  const isTree = settings.recursive === true;
  const transfer = toTransfer(
    settings,
    actionPath(call, settings.source, { isTree }),
    remotePath(settings.destination),
  );
  const done = await withSftp(work, settings, (session) => upload(session, transfer, log));
  log.line(`copied ${done.files} files of ${done.bytes} bytes`);
  return publishValues({ ...done }, call.maxOutputBytes);
};

export const sftpDownload: ActionExecutor<'sftp.download'> = async (work) => {
  const { call, settings, log } = work;
  const isTree = settings.recursive === true;
  const transfer = toTransfer(
    settings,
    remotePath(settings.source),
    actionPath(call, settings.destination, { isTree }),
  );
  const maxBytes = settings.max_bytes ?? defaultMaxBytes;
  const done = await withSftp(work, settings, (session) => download(session, { ...transfer, maxBytes }, log));
  log.line(`copied ${done.files} files of ${done.bytes} bytes`);
  return publishValues({ ...done }, call.maxOutputBytes);
};

export const sftpList: ActionExecutor<'sftp.list'> = async (work) => {
  const { settings, log } = work;
  const { pattern = '*', recursive: isRecursive = false, output_format: format } = settings;
  const folder = remotePath(settings.path);
  const found = await withSftp(work, settings, (session) =>
    namingRemote('path', () => walkRemote(session, folder, isRecursive)),
  );
  const chosen = found.filter(({ path }) => matchesWildcards(posix.basename(path), pattern));
  if (format === 'json') log.line(JSON.stringify(chosen));
  else log.out(chosen.map(({ path }) => `${path}\n`).join(''));
  return publishValues({ count: chosen.length }, work.call.maxOutputBytes);
};

export const sftpDelete: ActionExecutor<'sftp.delete'> = async (work) => {
  const { call, settings } = work;
  const path = remotePath(settings.path);
  // Nobody means everything that the user of the host has.
  if (/^(?:\.{0,2}\/*)+$/.test(path)) throw actionFailed('path is the home, or a folder above everything.');
  const deleted = await withSftp(work, settings, (session) =>
    namingRemote('path', async () => {
      const stats = await findRemote(session, path);
      if (stats === undefined && settings.missing_ok === true) return 0;
      if (stats === undefined) throw actionFailed('path was not found on the host.');
      return remove(session, { path, stats, isRecursive: settings.recursive === true });
    }),
  );
  work.log.line(`deleted ${deleted}`);
  return publishValues({ deleted }, call.maxOutputBytes);
};

interface Doomed {
  readonly path: string;
  readonly stats: Stats;
  readonly isRecursive: boolean;
}

/** How many files and folders were deleted. Links are deleted and not followed. */
async function remove(session: SftpSession, { path, stats, isRecursive }: Doomed): Promise<number> {
  const { sftp, tell } = session;
  const unlink = (file: string) => tell((done) => sftp.unlink(file, done));
  const rmdir = (folder: string) => tell((done) => sftp.rmdir(folder, done));
  if (toRemoteInfo(stats).kind !== 'folder') {
    await unlink(path);
    return 1;
  }
  if (!isRecursive) throw actionFailed('path is a folder, which is only deleted with recursive.');
  const found = await walkRemote(session, path, true);
  for (const each of [...found].reverse()) {
    session.signal.throwIfAborted();
    const full = posix.join(path, each.path);
    await (each.kind === 'folder' ? rmdir(full) : unlink(full));
  }
  await rmdir(path);
  return found.length + 1;
}

interface TransferSettings {
  readonly recursive?: boolean;
  readonly overwrite?: boolean;
  readonly mode?: string;
}

function toTransfer(settings: TransferSettings, source: string, destination: string): Transfer {
  return {
    source,
    destination,
    isRecursive: settings.recursive === true,
    isOverwriting: settings.overwrite !== false,
    mode: parseMode(settings.mode),
  };
}
