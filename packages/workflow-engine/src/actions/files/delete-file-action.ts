import type { Stats } from 'node:fs';
import { readdir, rm, unlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { namingSetting } from '../../host/files/file-errors';
import { findStats } from '../../host/files/file-info';
import { matchesWildcards } from '../../values/text/wildcards';

type Work = ActionWork<'file.delete'>;

/** Deletes a file or folder; with a pattern, what matches it in the folder. A link is deleted, never its target. */
export const fileDelete: ActionExecutor<'file.delete'> = async (work) => {
  const { call, settings } = work;
  const path = actionPath(call, settings.path, { isTree: settings.recursive === true });
  const pattern = settings.pattern;
  const stats = await namingSetting('path', () => findStats(path, false));
  if (!stats) {
    if (settings.missing_ok === true) return undefined;
    throw actionFailed('path was not found (ENOENT).');
  }
  if (pattern === undefined) await namingSetting('path', () => remove(work, path, stats));
  else await namingSetting('path', () => removeFitting(work, path, pattern));
  return undefined;
};

async function removeFitting(work: Work, folder: string, pattern: string): Promise<void> {
  for (const name of (await readdir(folder)).sort()) {
    work.signal.throwIfAborted();
    const path = join(folder, name);
    const stats = matchesWildcards(name, pattern) ? await findStats(path, false) : undefined;
    // Without `recursive` a pattern matches files only.
    if (stats && (!stats.isDirectory() || work.settings.recursive === true)) await remove(work, path, stats);
  }
}

async function remove({ call, settings, log }: Work, path: string, stats: Stats): Promise<void> {
  if (stats.isDirectory()) {
    if (settings.recursive !== true) throw actionFailed('path is a folder, which is only deleted with recursive.');
    // A wrong or empty variable at the start of a path could delete far more than intended.
    if (contains(path, call.cwd)) throw actionFailed('path is the working folder of the step, or a folder above it.');
  }
  if (settings.dry_run === true) {
    log.line(`would delete ${path}`);
    return;
  }
  await (stats.isDirectory() ? rm(path, { recursive: true }) : unlink(path));
  log.line(`deleted ${path}`);
}

function contains(folder: string, inner: string): boolean {
  const way = relative(folder, inner);
  return way === '' || !(way === '..' || way.startsWith('../'));
}
