import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';
import { examples } from './examples';

/**
 * Writes the examples into a DAG folder that does not exist yet. An existing folder, even an empty one, is left
 * alone. The folder appears with all examples at once, so a crash leaves none or all of them. Returns whether the
 * folder was created.
 */
export async function writeExamples(folder: string): Promise<boolean> {
  const parent = path.dirname(folder);
  await mkdir(parent, { recursive: true });
  const draft = path.join(parent, `.${path.basename(folder)}.${process.pid}.tmp`);
  try {
    // mkdir fails when the folder exists; a check beforehand would leave a race with other processes.
    await mkdir(draft, { mode: 0o700 });
    for (const { fileName, spec } of examples) {
      await writeFile(path.join(draft, `${fileName}.yaml`), spec, { mode: 0o600 });
    }
    return await claim(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function claim(draft: string, folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw error;
  }
  // rename replaces only the empty folder just created: it fails when the folder has content.
  await rename(draft, folder);
  return true;
}
