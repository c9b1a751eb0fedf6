import type { Logger, Resource } from '@weir/service-kit';
import type { Clock } from '../../clock';
import type { LoadedAdapters } from './loaded-adapters';

export interface AdapterReleaseOptions {
  readonly loaded: LoadedAdapters;
  readonly idleMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const maxIntervalMs = 5_000;
const minIntervalMs = 50;
const deadlineMs = 130_000;

/** Unloads what is no longer needed, at an interval. What fails is left to the engine, which evicts adapters itself. */
export function startAdapterRelease({ loaded, idleMs, clock, logger }: AdapterReleaseOptions): Resource {
  const stopping = new AbortController();
  const intervalMs = Math.max(minIntervalMs, Math.min(maxIntervalMs, idleMs / 4));
  let isAdopted = false;
  const run = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(intervalMs, stopping.signal);
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(deadlineMs)]);
      try {
        // A server may be there only later.
        isAdopted ||= await loaded.adopt(signal);
        const released = await loaded.release(signal);
        for (const adapter of released) logger.info({ adapter }, 'adapter unloaded');
      } catch (error) {
        if (stopping.signal.aborted) return;
        logger.warn({ error }, 'adapters that are not in use could not be unloaded');
      }
    }
  };
  // The sleep ends with the stop.
  const ended = run().catch(() => undefined);
  return {
    name: 'release of adapters',
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
