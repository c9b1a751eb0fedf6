import { setTimeout as sleepFor } from 'node:timers/promises';
import { AppError } from '@weir/foundation';
import type { Logger, Resource } from '@weir/service-kit';
import type { EngineInfo, InferenceEngine } from '@weir/rollout-engine';

export interface EngineInfoPoller extends Resource {
  /** Throws `unavailable` (reason `engine_not_ready`) before the first successful probe. */
  current(): EngineInfo;
  readonly isKnown: boolean;
}

const probeDeadlineMs = 60_000;
const retryMs = 1_000;

/** Probes the engine. An engine that cannot be reached yet is polled. */
export async function pollEngineInfo(engine: InferenceEngine, logger: Logger): Promise<EngineInfoPoller> {
  const stopped = new AbortController();
  let info: EngineInfo | undefined;
  const probe = async (): Promise<void> => {
    info = await engine.probe(AbortSignal.any([stopped.signal, AbortSignal.timeout(probeDeadlineMs)]));
    logInfo(info, logger);
  };
  const probeUntilKnown = async (): Promise<void> => {
    while (info === undefined && !stopped.signal.aborted) {
      await sleepFor(retryMs, undefined, { signal: stopped.signal });
      await probe().catch(() => undefined);
    }
  };
  await probe().catch((error: unknown) => logger.warn({ engine: engine.name, error }, 'the engine is not ready'));
  const polling = info === undefined ? probeUntilKnown().catch(() => undefined) : Promise.resolve();
  return {
    name: 'engine info',
    get isKnown() {
      return info !== undefined;
    },
    current: () => {
      if (info !== undefined) return info;
      throw new AppError('unavailable', 'The inference engine has not been reached yet.', {
        reason: 'engine_not_ready',
        details: { retryAfterSeconds: 1 },
      });
    },
    stop: async () => {
      stopped.abort();
      await polling;
    },
  };
}

function logInfo(info: EngineInfo, logger: Logger): void {
  if (info.mode === 'exact') logger.info({ ...info }, 'the engine is ready');
  else logger.warn({ ...info }, 'the engine is capture-only: answers are delivered, nothing is used for training');
}
