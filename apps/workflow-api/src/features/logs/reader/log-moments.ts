import { parseLogMoments, type LogMoment } from '@weir/workflow-engine';
import type { StoredFile } from '../../../run-files';

/** More than a step that has printed for a year has. */
const maxBytes = 16 * 1024 * 1024;

export interface StreamSizes {
  readonly stdout: number;
  readonly stderr: number;
}

/** The moments of a step, limited to what its logs have now. None while there is no such file, which is closed. */
export async function readLogMoments(file: StoredFile | undefined, sizes: StreamSizes): Promise<readonly LogMoment[]> {
  if (file === undefined) return [];
  try {
    return rising(parseLogMoments(await file.read(0, maxBytes)), sizes);
  } finally {
    await file.close();
  }
}

/** Logs that were cut are shorter than some moments say, and two records of one step may overlap. */
function rising(moments: readonly LogMoment[], { stdout, stderr }: StreamSizes): readonly LogMoment[] {
  let stdoutBytes = 0;
  let stderrBytes = 0;
  return moments.map((moment) => {
    stdoutBytes = Math.max(stdoutBytes, Math.min(moment.stdoutBytes, stdout));
    stderrBytes = Math.max(stderrBytes, Math.min(moment.stderrBytes, stderr));
    return { timeMs: moment.timeMs, stdoutBytes, stderrBytes };
  });
}
