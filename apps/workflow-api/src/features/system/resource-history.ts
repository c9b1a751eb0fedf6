import type { Logger, Resource } from '@weir/service-kit';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import { createResourceReader, type ReadResources, type ResourceReading } from './read-resources';

export interface ResourceSample extends ResourceReading {
  readonly atMs: number;
}

export interface ResourceHistory extends Resource {
  /** Takes a sample now, and then at each interval. */
  start(): Promise<void>;
  /** Returns the samples of this last span of time, oldest first. */
  since(durationMs: number): readonly ResourceSample[];
}

export interface ResourceHistoryDependencies {
  /** A folder on the measured disk. */
  readonly folder: string;
  readonly readResources?: ReadResources;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

const intervalMs = 15_000;
export const retainedMs = 24 * 3_600_000;

/** Keeps samples of the host, in memory only. */
export function createResourceHistory(dependencies: ResourceHistoryDependencies): ResourceHistory {
  const { folder, clock, timer, logger, readResources = createResourceReader(folder) } = dependencies;
  const samples: ResourceSample[] = [];
  let cancel: (() => void) | undefined;
  let isStopped = false;
  let sampling = Promise.resolve();

  const sample = async (): Promise<void> => {
    try {
      samples.push({ atMs: clock.now().getTime(), ...(await readResources()) });
      if (samples.length > retainedMs / intervalMs) samples.shift();
    } catch (error) {
      logger.warn({ err: error }, 'resources of the host cannot be read');
    }
    if (isStopped) return;
    cancel = timer.start(intervalMs, () => {
      sampling = sample();
    });
  };

  return {
    name: 'resource history',
    start: () => (sampling = sample()),
    since: (durationMs) => {
      const firstMs = clock.now().getTime() - durationMs;
      return samples.filter(({ atMs }) => atMs >= firstMs);
    },
    stop: async () => {
      isStopped = true;
      cancel?.();
      await sampling;
    },
  };
}
