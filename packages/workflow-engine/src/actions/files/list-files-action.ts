import { basename } from 'node:path';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import type { ActionExecutor } from '../call/action-executor';
import { namingSetting } from '../../host/files/file-errors';
import { findStats } from '../../host/files/file-info';
import { matchesWildcards } from '../../values/text/wildcards';
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
