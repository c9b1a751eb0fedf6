import { setTimeout as sleepFor } from 'node:timers/promises';
import { AppError } from '@weir/errors';
import type { Logger, Resource } from '@weir/service-kit';
import type { EngineFacts, InferenceEngine } from '../engine/inference-engine';

export interface KnownFacts extends Resource {
  /** Throws `unavailable` (reason `engine_not_ready`) before the engine was reached. */
  current(): EngineFacts;
  readonly isKnown: boolean;
}

const probeDeadlineMs = 60_000;
const retryMs = 1_000;

/** Asks the engine what it can do. An engine that cannot be reached yet is asked again and again. */
export async function learnFacts(engine: InferenceEngine, logger: Logger): Promise<KnownFacts> {
  const stopped = new AbortController();
  let facts: EngineFacts | undefined;
  const ask = async (): Promise<void> => {
    facts = await engine.probe(AbortSignal.any([stopped.signal, AbortSignal.timeout(probeDeadlineMs)]));
    report(facts, logger);
  };
  const askOn = async (): Promise<void> => {
    while (facts === undefined && !stopped.signal.aborted) {
      await sleepFor(retryMs, undefined, { signal: stopped.signal });
      await ask().catch(() => undefined);
    }
  };
  await ask().catch((error: unknown) => logger.warn({ engine: engine.name, error }, 'the engine is not ready'));
  const asking = facts === undefined ? askOn().catch(() => undefined) : Promise.resolve();
  return {
    name: 'engine facts',
    get isKnown() {
      return facts !== undefined;
    },
    current: () => {
      if (facts !== undefined) return facts;
      throw new AppError('unavailable', 'The inference engine has not been reached yet.', {
        reason: 'engine_not_ready',
        details: { retryAfterSeconds: 1 },
      });
    },
    stop: async () => {
      stopped.abort();
      await asking;
    },
  };
}

function report(facts: EngineFacts, logger: Logger): void {
  if (facts.mode === 'exact') logger.info({ ...facts }, 'the engine is ready');
  else logger.warn({ ...facts }, 'the engine cannot prove what it samples: answers are given, nothing is trained on');
}
