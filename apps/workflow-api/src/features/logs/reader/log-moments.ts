import { parseLogMoments, type LogMoment } from '@weir/workflow-engine';
import type { StoredFile } from '../../../run-files';

/** A step that prints for a year writes less than this. */
const maxBytes = 16 * 1024 * 1024;

export interface StreamSizes {
  readonly stdout: number;
  readonly stderr: number;
}

/**
 * Returns the moments of a step, limited to the present length of its logs. Closes the file; without one there are no
 * moments.
 */
export async function readLogMoments(file: StoredFile | undefined, sizes: StreamSizes): Promise<readonly LogMoment[]> {
  if (file === undefined) return [];
  try {
    return rising(parseLogMoments(await file.read(0, maxBytes)), sizes);
  } finally {
    await file.close();
  }
}

/** Drops moments beyond the end of cut logs, and those of overlapping records of one step. */
function rising(moments: readonly LogMoment[], { stdout, stderr }: StreamSizes): readonly LogMoment[] {
  let stdoutBytes = 0;
  let stderrBytes = 0;
  return moments.map((moment) => {
    stdoutBytes = Math.max(stdoutBytes, Math.min(moment.stdoutBytes, stdout));
    stderrBytes = Math.max(stderrBytes, Math.min(moment.stderrBytes, stderr));
    return { timeMs: moment.timeMs, stdoutBytes, stderrBytes };
  });
}
