import { lstatSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describeError } from '../../runner/describe-error';

/** Post removes no other folder. */
const folderName = /^gha-tokens-[0-9a-f]{16}$/;

/** Removes a folder of tokens, which ends the process that renews them. Returns a warning on failure. */
export function removeTokenFolder(folder: string): string | undefined {
  try {
    if (!folderName.test(path.basename(folder)) || !lstatSync(folder).isDirectory()) {
      throw new Error('not a folder of tokens');
    }
    // Under another name, the process that renews the tokens cannot write to it any more.
    const removed = `${folder}.removed`;
    renameSync(folder, removed);
    rmSync(removed, { recursive: true });
    return undefined;
  } catch (error) {
    const reason = describeError(error);
    return reason === 'ENOENT' ? undefined : `The tokens in ${folder} were not removed (${reason}).`;
  }
}
