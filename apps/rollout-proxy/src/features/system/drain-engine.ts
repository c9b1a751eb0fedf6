import { AppError } from '@weir/foundation';
import type { EngineGate } from './engine-gate';

/** Rejects with `upstream_timeout` (reason `engine_not_drained`) where generations still run after that time. */
export async function drainEngine(engine: EngineGate, withinMs: number, signal: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(withinMs);
  try {
    await engine.waitUntilDrained(AbortSignal.any([signal, late]));
  } catch (cause) {
    if (!late.aborted) throw cause;
    throw new AppError('upstream_timeout', 'Generation is paused, but generations still run at the engine.', {
      reason: 'engine_not_drained',
      cause,
    });
  }
}
