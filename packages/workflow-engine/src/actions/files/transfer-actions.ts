import type { Stats } from 'node:fs';
import { chmod, cp, rename, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';
import { actionPath } from '../../host/files/action-paths';
import type { ActionWork } from '../call/action-executor';
import { namingSetting } from '../../host/files/file-errors';
import { findStats } from '../../host/files/file-info';
import { makeFoldersAbove, toWriteOptions, viaTemporaryFile } from './write-whole';

type TransferWork = ActionWork<'file.copy' | 'file.move'>;

interface Transfer {
  readonly work: TransferWork;
  readonly source: string;
  readonly destination: string;
  readonly stats: Stats;
}

export const fileCopy = defineTransfer('copy', copy);
export const fileMove = defineTransfer('move', move);

function defineTransfer(verb: string, transfer: (transfer: Transfer) => Promise<void>) {
  return async (work: TransferWork) => {
    const { call, settings, log } = work;
    const source = actionPath(call, settings.source, { isTree: true });
    const destination = actionPath(call, settings.destination, { isTree: true });
    const stats = await namingSetting('source', () => findStats(source, settings.follow_symlinks === true));
    if (!stats) {
      if (settings.missing_ok === true) return undefined;
      throw actionFailed('source was not found (ENOENT).');
    }
    await checkDestination({ work, source, destination, stats });
    if (settings.dry_run === true) {
      log.line(`would ${verb} ${source} to ${destination}`);
      return undefined;
    }
    await namingSetting('destination', async () => {
      await makeFoldersAbove(destination, settings);
      await transfer({ work, source, destination, stats });
      const { mode } = toWriteOptions(settings);
      if (mode !== undefined && stats.isFile()) await chmod(destination, mode);
    });
    log.line(`${verb === 'copy' ? 'copied' : 'moved'} ${source} to ${destination}`);
    return undefined;
  };
}

async function checkDestination({ work, source, destination, stats }: Transfer): Promise<void> {
  const there = await namingSetting('destination', () => findStats(destination, false));
  if (there && work.settings.overwrite !== true) throw actionFailed('destination already exists (EEXIST).');
  if (there?.ino === stats.ino && there.dev === stats.dev) {
    throw actionFailed('source and destination are the same.');
  }
  if (there && there.isDirectory() !== stats.isDirectory()) {
    throw actionFailed('One of source and destination is a folder and the other is not.');
  }
  if (!stats.isDirectory()) return;
  const way = relative(source, destination);
  if (way !== '..' && !way.startsWith('../')) throw actionFailed('destination is inside of source.');
}

async function copy({ work, source, destination, stats }: Transfer): Promise<void> {
  const { settings } = work;
  if (stats.isDirectory() && settings.recursive !== true) {
    throw actionFailed('source is a folder, which is only copied with recursive.');
  }
  // Copying a device would create an empty file.
  if (!stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink()) {
    throw actionFailed('source is neither a file, a folder nor a link.');
  }
  const { isAtomic, isOverwriting } = toWriteOptions(settings);
  if (!isAtomic) return copyTo(work, source, destination);
  if (stats.isDirectory()) throw actionFailed('A folder cannot be copied with atomic.');
  await viaTemporaryFile(destination, isOverwriting, (part) => copyTo(work, source, part));
}

async function copyTo({ settings, signal }: TransferWork, source: string, destination: string): Promise<void> {
  await cp(source, destination, {
    recursive: true,
    force: settings.overwrite === true,
    errorOnExist: true,
    dereference: settings.follow_symlinks === true,
    verbatimSymlinks: true,
    // The only hook through which a copy of many files can be cancelled.
    filter: () => !signal.aborted,
  });
  signal.throwIfAborted();
}

async function move(transfer: Transfer): Promise<void> {
  const { work, source, destination } = transfer;
  try {
    await rename(source, destination);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    // On another file system: copy, then delete the source.
    await copyTo(work, source, destination);
    await rm(source, { recursive: true });
  }
}
