import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { isSystemError } from '@weir/foundation';
import type { ProcessStart } from '../../model/ports/step-isolation';

/** The path that the system searches when there is no `PATH`. */
const defaultPath = '/bin:/usr/bin';

/** Finds a program as its start would. Throws an error with the code `ENOENT` or `EACCES`. */
export function findProgram({ program, cwd, env }: Pick<ProcessStart, 'program' | 'cwd' | 'env'>): string {
  const folders = (env.PATH ?? defaultPath).split(delimiter).map((folder) => resolve(cwd, folder));
  const candidates = program.includes('/') ? [resolve(cwd, program)] : folders.map((folder) => join(folder, program));
  let code = 'ENOENT';
  for (const file of candidates) {
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
      code = 'EACCES';
    } catch (error) {
      if (isSystemError(error, 'EACCES')) code = 'EACCES';
      // Any other one is not there.
    }
  }
  throw Object.assign(new Error('The program cannot be started.'), { code });
}
