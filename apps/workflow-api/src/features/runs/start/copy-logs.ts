import { AppError, systemErrorCode } from '@weir/foundation';
import { logTimesFile } from '@weir/workflow-engine';
import type { DagRunStep } from '@weir/workflow-engine/model';
import type { RunFiles } from '../../../run-files';

type LogFiles = Pick<DagRunStep, 'stdoutFile' | 'stderrFile'>;

/** Copies the logs of steps into new files. Returns a function that removes them. Throws `logs_not_copied`. */
export async function copyLogs(
  runFiles: Pick<RunFiles, 'copy'>,
  steps: readonly { readonly from: LogFiles; readonly to: LogFiles }[],
): Promise<() => Promise<void>> {
  const files = new Map(
    steps.flatMap(({ from, to }) => [
      [to.stdoutFile, from.stdoutFile] as const,
      [to.stderrFile, from.stderrFile] as const,
      [logTimesFile(to.stdoutFile), from.stdoutFile === '' ? '' : logTimesFile(from.stdoutFile)] as const,
    ]),
  );
  try {
    return await runFiles.copy(Array.from(files, ([to, from]) => ({ from, to })).filter(({ from }) => from !== ''));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new AppError('unavailable', `The logs of the earlier run cannot be copied (${code}).`, {
      reason: 'logs_not_copied',
      cause: error,
    });
  }
}
