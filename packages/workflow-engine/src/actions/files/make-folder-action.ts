import { chmod, mkdir } from 'node:fs/promises';
import { actionPath } from '../action-paths';
import { defineExecutor } from '../define-executor';
import { namingSetting } from './file-errors';
import { parseMode } from './write-whole';

/** A folder that is there already is fine when the folders above may be made too. */
export const fileMkdir = defineExecutor(async ({ call, settings, log }) => {
  const path = actionPath(call, settings.required('path'));
  if (settings.flag('dry_run')) {
    log.line(`would make the folder ${path}`);
    return undefined;
  }
  await namingSetting('path', async () => {
    await mkdir(path, { recursive: settings.flag('create_dirs') || settings.flag('recursive') });
    const mode = parseMode(settings);
    if (mode !== undefined) await chmod(path, mode);
  });
  log.line(`made the folder ${path}`);
  return undefined;
});
