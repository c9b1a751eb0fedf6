import { basename } from 'node:path';
import { actionFailed } from '../action-errors';
import { actionPath } from '../action-paths';
import { defineExecutor } from '../define-executor';
import { namingSetting } from './file-errors';
import { findStats } from './file-info';
import { matchesName } from './name-pattern';
import { walkFolder } from './walk-folder';

export const fileList = defineExecutor(async ({ call, settings, signal, log }) => {
  const folder = actionPath(call, settings.required('path'));
  const pattern = settings.text('pattern') ?? '*';
  const options = {
    isRecursive: settings.flag('recursive'),
    isLinkFollowed: settings.flag('follow_symlinks'),
    signal,
  };
  const isThere = (await namingSetting('path', () => findStats(folder, true))) !== undefined;
  if (!isThere && !settings.flag('missing_ok')) throw actionFailed('path was not found (ENOENT).');
  const all = isThere ? await namingSetting('path', () => walkFolder(folder, options)) : [];
  const found = all.filter(
    ({ kind, path }) => (kind !== 'folder' || settings.flag('include_dirs')) && matchesName(basename(path), pattern),
  );
  if (settings.text('format') === 'json') log.line(JSON.stringify(found));
  else log.out(found.map(({ path }) => `${path}\n`).join(''));
  return undefined;
});
