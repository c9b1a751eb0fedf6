import { statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem } from 'node:os';

/** The resources of the host of this process that are in use. Percentages are from 0 to 100. */
export interface ResourceReading {
  readonly cpuPercent: number;
  readonly memoryUsedBytes: number;
  readonly memoryTotalBytes: number;
  readonly diskUsedBytes: number;
  readonly diskTotalBytes: number;
  /** Average of the last minute. */
  readonly load: number;
}

export type ReadResources = () => Promise<ResourceReading>;

/** Reads the host and the disk of a folder; the use of the processors is averaged since the previous call. */
export function createResourceReader(folder: string): ReadResources {
  let before = readProcessorTimes();
  return async () => {
    const now = readProcessorTimes();
    const [busy, total] = [now.busy - before.busy, now.total - before.total];
    before = now;
    const { blocks, bavail, bsize } = await statfs(folder);
    const memoryTotalBytes = totalmem();
    return {
      cpuPercent: total <= 0 ? 0 : (100 * busy) / total,
      memoryUsedBytes: memoryTotalBytes - freemem(),
      memoryTotalBytes,
      diskUsedBytes: (blocks - bavail) * bsize,
      diskTotalBytes: blocks * bsize,
      load: loadavg()[0] ?? 0,
    };
  };
}

function readProcessorTimes(): { readonly busy: number; readonly total: number } {
  let [busy, total] = [0, 0];
  for (const { times } of cpus()) {
    const used = times.user + times.nice + times.sys + times.irq;
    busy += used;
    total += used + times.idle;
  }
  return { busy, total };
}
