import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { isSystemError } from '@weir/foundation';
import { workingFolderUnusable } from './command-errors';

/** Creates the folder when it is missing. Throws `working_folder_unusable`. */
export async function prepareFolder(cwd: string): Promise<void> {
  try {
    await makeUsable(cwd);
  } catch (error) {
    throw workingFolderUnusable(error);
  }
}

/** Without this check, missing permissions of the folder would be reported as those of the shell. */
async function makeUsable(cwd: string): Promise<void> {
  // The slash makes the check fail for a file, which may be executable as well.
  const folder = `${cwd}/`;
  try {
    await access(folder, constants.X_OK);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
    await mkdir(cwd, { recursive: true });
    await access(folder, constants.X_OK);
  }
}
