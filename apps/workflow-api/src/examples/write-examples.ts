import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/errors';
import { examples } from './examples';

/**
 * Puts the examples into a DAG folder that does not exist yet; one that is there, even empty, is its owner's and stays
 * as it is. The folder appears with all of them at once, so a crash leaves none or all. Returns whether it was made.
 */
export async function writeExamples(folder: string): Promise<boolean> {
  const parent = path.dirname(folder);
  await mkdir(parent, { recursive: true });
  const draft = path.join(parent, `.${path.basename(folder)}.${process.pid}.tmp`);
  try {
    // Fails when the folder is there; unlike a look before, it leaves no time in between for another process.
    await mkdir(draft);
    for (const { fileName, spec } of examples) await writeFile(path.join(draft, `${fileName}.yaml`), spec);
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
  // Replaces the empty folder just made, and nothing else: a folder with something in it is not replaced.
  await rename(draft, folder);
  return true;
}
