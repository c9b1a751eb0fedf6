import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, systemErrorCode } from '@weir/errors';
import { logTimesFile, type DagRunStep } from '@weir/workflow-engine';
import { openLog } from '../../../log-reader';

type LogFiles = Pick<DagRunStep, 'stdoutFile' | 'stderrFile'>;

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Copies the logs of steps into files that do not exist yet. Returns their removal. Throws `logs_not_copied`. */
export async function copyLogs(
  steps: readonly { readonly from: LogFiles; readonly to: LogFiles }[],
): Promise<() => Promise<void>> {
  const files = new Map(
    steps.flatMap(({ from, to }) => [
      [to.stdoutFile, from.stdoutFile] as const,
      [to.stderrFile, from.stderrFile] as const,
      [logTimesFile(to.stdoutFile), from.stdoutFile === '' ? '' : logTimesFile(from.stdoutFile)] as const,
    ]),
  );
  const copied: string[] = [];
  const removeCopies = async (): Promise<void> => {
    for (const file of copied) await rm(file, { force: true });
  };
  try {
    for (const [to, from] of files) {
      const log = await openLog(from);
      if (log === undefined) continue;
      await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
      const target = await open(to, newFile, 0o600);
      copied.push(to);
      await pipeline(log.handle.createReadStream(), target.createWriteStream());
    }
  } catch (error) {
    await removeCopies();
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new AppError('unavailable', `The logs of the earlier run cannot be copied (${code}).`, {
      reason: 'logs_not_copied',
      cause: error,
    });
  }
  return removeCopies;
}
