import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isAppError } from '@weir/foundation';
import type {
  AdapterVersion,
  EngineInfo,
  GenerationEnd,
  GenerationEvent,
  GenerationRequest,
  InferenceEngine,
} from '../port/inference-engine';
import { GeneratedTokens } from './generated-tokens';
import type { PauseGate } from './pause-gate';
import type { RunningSegments, Segment } from './running-segments';

export interface SegmentDeps {
  readonly engine: InferenceEngine;
  readonly gate: PauseGate;
  readonly limits: { readonly maxSegments: number; readonly retryDelayMs: number };
  readonly running: RunningSegments;
  readonly version: () => number;
  /** The current version of an adapter. */
  readonly currentAdapter: (name: string) => Promise<AdapterVersion>;
  readonly engineVersions: () => EngineInfo['versions'] | 'unknown';
}

/** Runs one generation, which continues in a new segment after each interruption. */
export async function* runSegments(
  deps: SegmentDeps,
  request: GenerationRequest,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent> {
  const tokens = new GeneratedTokens(request);
  for (let segmentNumber = 1; ; segmentNumber += 1) {
    const adapter = await passGate(deps, tokens.count, request.adapterName, signal);
    const before = tokens.count;
    const end = yield* runSegment(withVersionOf(adapter, deps), tokens, segmentNumber, signal);
    if (!isContinued(end, tokens, request, segmentNumber, deps.limits.maxSegments)) {
      yield tokens.end(end);
      return;
    }
    if (tokens.count === before && !deps.gate.isClosed()) await sleep(deps.limits.retryDelayMs, undefined, { signal });
  }
}

function isContinued(
  end: GenerationEnd,
  tokens: GeneratedTokens,
  request: GenerationRequest,
  segmentNumber: number,
  maxSegments: number,
): boolean {
  if (end.reason !== 'aborted' || tokens.isComplete || segmentNumber >= maxSegments) return false;
  // The engine would restart the grammar in the middle of the answer.
  return request.grammar === undefined || tokens.count === 0;
}

/**
 * Resolves with the version of the adapter when the gate is open: then the segment must start without waiting again.
 * Tokens were delivered already, so the error must not invite a retry.
 */
async function passGate(
  { gate, currentAdapter }: Pick<SegmentDeps, 'gate' | 'currentAdapter'>,
  count: number,
  adapterName: string | undefined,
  signal: AbortSignal,
): Promise<AdapterVersion | undefined> {
  try {
    for (;;) {
      await gate.pass(signal);
      if (adapterName === undefined) return undefined;
      const adapter = await currentAdapter(adapterName);
      signal.throwIfAborted();
      if (!gate.isClosed()) return adapter;
    }
  } catch (error) {
    if (!isAppError(error) || error.code !== 'unavailable' || count === 0) throw error;
    if (error.reason !== 'paused') throw failureAfter(error, count);
    throw new AppError('upstream_timeout', 'Generation was paused for too long.', { reason: 'paused' });
  }
}

interface AdaptedDeps extends SegmentDeps {
  readonly adapter: AdapterVersion | undefined;
}

/**
 * A version of an adapter has a name of its own at the engine, so that one segment has exactly one. The label that an
 * engine reports is that of the weights below it.
 */
function withVersionOf(adapter: AdapterVersion | undefined, deps: SegmentDeps): AdaptedDeps {
  if (adapter === undefined) return { ...deps, adapter };
  return { ...deps, adapter, version: () => adapter.version, engineVersions: () => 'none' };
}

async function* runSegment(
  deps: AdaptedDeps,
  tokens: GeneratedTokens,
  segmentNumber: number,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, GenerationEnd> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const { adapter } = deps;
  const pinned = deps.version();
  let versionAtInterrupt: number | undefined;
  let isDropped = false;
  const interrupt = (): void => {
    versionAtInterrupt ??= deps.version();
    controller.abort(new Error('The generation was interrupted.'));
  };
  const segment: Segment = {
    adapterName: adapter?.name,
    interrupt,
    drop: () => {
      isDropped = true;
      interrupt();
    },
  };
  const throwIfDropped = (): void => {
    if (isDropped) throw failureAfter(generationDropped(), tokens.count);
  };
  const isInterrupted = (): boolean => versionAtInterrupt !== undefined;
  tokens.begin(pinned, deps.engineVersions());
  deps.running.add(segment);
  try {
    let end: GenerationEnd | undefined;
    for await (const event of deps.engine.generate({ ...tokens.request(segmentNumber), adapter }, controller.signal)) {
      if (event.kind === 'end') end = event;
      else if (!isInterrupted()) yield tokens.add(event, deps.version());
      if (end !== undefined || isInterrupted()) break;
    }
    signal.throwIfAborted();
    throwIfDropped();
    tokens.settle(end, versionAtInterrupt ?? deps.version());
    return end ?? { kind: 'end', reason: 'aborted' };
  } catch (error) {
    signal.throwIfAborted();
    throwIfDropped();
    // SGLang rejects queued requests when it is paused with abort: nothing was sampled, so the request waits here instead.
    const isRejectedWhilePaused = deps.gate.isClosed() && isAppError(error) && error.code === 'unavailable';
    if (!isInterrupted() && !isRejectedWhilePaused) throw failureAfter(error, tokens.count);
    tokens.settle(undefined, versionAtInterrupt ?? pinned);
    return { kind: 'end', reason: 'aborted' };
  } finally {
    deps.running.remove(segment);
    signal.removeEventListener('abort', abort);
  }
}

/** A later segment may fail before its first token; for the caller, tokens were sampled. */
function failureAfter(error: unknown, count: number): unknown {
  if (count === 0 || !isAppError(error) || error.code !== 'unavailable') return error;
  return new AppError('upstream_failed', 'The inference engine failed.', {
    reason: error.reason ?? 'engine_failed',
    cause: error.cause,
  });
}

function generationDropped(): AppError {
  return new AppError('unavailable', 'The generation was dropped for an update of the weights.', {
    reason: 'generation_dropped',
    details: { retryAfterSeconds: 1 },
  });
}
