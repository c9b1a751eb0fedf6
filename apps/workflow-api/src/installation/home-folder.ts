import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { AppError } from '@weir/foundation';

/** Creates the home folder when it is missing. Throws `unavailable`, reason `home_unusable`, when it cannot be used. */
export async function prepareHome(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new AppError('unavailable', `The folder ${folder} (WEIR_HOME) cannot be written to${code}.`, {
      reason: 'home_unusable',
      cause,
    });
  }
}
