import { basename } from 'node:path';
import { actionFailed } from '../action-errors';
import { actionPath } from '../action-paths';
import type { ActionExecutor } from '../action-executor';
import { namingSetting } from './file-errors';
import { findStats } from './file-info';
import { matchesWildcards } from '../wildcards';
import { walkFolder } from './walk-folder';

export const fileList: ActionExecutor<'file.list'> = async ({ call, settings, signal, log }) => {
  const folder = actionPath(call, settings.path, { isTree: settings.recursive === true });
  const pattern = settings.pattern ?? '*';
  const options = {
    isRecursive: settings.recursive === true,
    isLinkFollowed: settings.follow_symlinks === true,
    signal,
  };
  const isThere = (await namingSetting('path', () => findStats(folder, true))) !== undefined;
  if (!isThere && settings.missing_ok !== true) throw actionFailed('path was not found (ENOENT).');
  const all = isThere ? await namingSetting('path', () => walkFolder(folder, options)) : [];
  const found = all.filter(
    ({ kind, path }) =>
      (kind !== 'folder' || settings.include_dirs === true) && matchesWildcards(basename(path), pattern),
  );
  if (settings.format === 'json') log.line(JSON.stringify(found));
  else log.out(found.map(({ path }) => `${path}\n`).join(''));
  return undefined;
};
