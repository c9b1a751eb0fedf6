import { open, readFile, rename } from 'node:fs/promises';
import { systemErrorCode } from '@weir/foundation';
import { TrainingSteps } from './training-steps';

/** A missing file has no steps. Rejects for a damaged file: otherwise its sessions would be trained twice. */
export async function readSteps(file: string): Promise<TrainingSteps> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return { steps: [] };
    throw error;
  }
  return TrainingSteps.parse(JSON.parse(text));
}

/** Replaces the file at once, and after it is on the disk. */
export async function writeSteps(file: string, steps: TrainingSteps): Promise<void> {
  const draft = `${file}.draft`;
  const handle = await open(draft, 'w');
  try {
    await handle.writeFile(`${JSON.stringify(steps, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}
