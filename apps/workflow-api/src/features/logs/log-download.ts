import { Readable } from 'node:stream';
import type { FileAnswer } from '@weir/http-contract';
import { openRunFile, readStored, type RunFiles } from '../../run-files';
import type { RunLog } from './run-logs';

/** Returns the log with its present length; an empty file while nothing was written. */
export async function downloadLog(
  runFiles: Pick<RunFiles, 'view'>,
  { file, downloadName }: RunLog,
): Promise<FileAnswer> {
  const log = await openRunFile(runFiles, file);
  if (log === undefined) return { name: downloadName, size: 0, read: () => Readable.from([]) };
  return {
    name: downloadName,
    size: log.size,
    read: (range) => readStored(log, range),
    close: () => log.close(),
  };
}
