import { Readable } from 'node:stream';
import type { FileAnswer } from '@weir/http-contract';
import { openLog } from '../../../log-reader';
import type { RunLog } from './run-logs';

/** The log as long as it is now; an empty file while nothing was written. */
export async function downloadLog({ file, downloadName }: RunLog): Promise<FileAnswer> {
  const log = await openLog(file);
  if (log === undefined) return { name: downloadName, size: 0, read: () => Readable.from([]) };
  const { handle, size } = log;
  return {
    name: downloadName,
    size,
    read: (range) => handle.createReadStream({ ...range, autoClose: false }),
    close: () => handle.close(),
  };
}
