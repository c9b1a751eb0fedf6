import { chmod, mkdir } from 'node:fs/promises';
import { actionPath } from '../../host/files/action-paths';
import type { ActionExecutor } from '../call/action-executor';
import { namingSetting } from '../../host/files/file-errors';
import { parseMode } from './write-whole';

/** A folder that exists already is accepted when the folders above may be created too. */
export const fileMkdir: ActionExecutor<'file.mkdir'> = async ({ call, settings, log }) => {
  const path = actionPath(call, settings.path);
  if (settings.dry_run === true) {
    log.line(`would create the folder ${path}`);
    return undefined;
  }
  await namingSetting('path', async () => {
    await mkdir(path, { recursive: settings.create_dirs === true || settings.recursive === true });
    const mode = parseMode(settings.mode);
    if (mode !== undefined) await chmod(path, mode);
  });
  log.line(`created the folder ${path}`);
  return undefined;
};
