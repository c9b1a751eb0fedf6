import { openRunFile, type RunFiles } from '../../run-files';

const tailBytes = 4096;
const maxLength = 1000;

/** Returns the last line of a log that is not blank, from its last 4 KiB, or `undefined` where there is none. */
export async function readLastLine(runFiles: Pick<RunFiles, 'view'>, file: string): Promise<string | undefined> {
  const log = await openRunFile(runFiles, file);
  if (log === undefined) return undefined;
  try {
    const from = Math.max(0, log.size - tailBytes);
    const text = (await log.read(from, tailBytes)).toString('utf8');
    // The first character may be incomplete.
    const lines = text.replace(/^\uFFFD+/, '').split('\n');
    return lines.findLast((line) => line.trim() !== '')?.slice(0, maxLength);
  } finally {
    await log.close();
  }
}
