import type { LlamaContextSequence } from 'node-llama-cpp';
import { commonPrefix, type PooledSequence } from './sequence-pool';

type PooledLlamaSequence = PooledSequence<LlamaContextSequence>;

/** Tokens of a prompt that are evaluated between two checks of the signal. */
const chunkLength = 512;

export async function clearCache(pooled: PooledLlamaSequence): Promise<void> {
  pooled.cachedIds = new Int32Array(0);
  await pooled.sequence.clearHistory();
}

/**
 * Brings all of the prompt but its last token into the cache, and returns how many tokens were cached before. The last
 * one is always evaluated, because its distribution is needed.
 */
export async function cachePrompt(
  pooled: PooledLlamaSequence,
  promptIds: Int32Array,
  signal: AbortSignal,
): Promise<number> {
  const wanted = promptIds.subarray(0, -1);
  const prefix = commonPrefix(pooled.cachedIds, wanted);
  if (prefix < pooled.cachedIds.length) {
    const cachedIds = pooled.cachedIds.slice(0, prefix);
    // The content is unknown until the evaluation is done.
    pooled.cachedIds = new Int32Array(0);
    await pooled.sequence.eraseContextTokenRanges([{ start: prefix, end: pooled.sequence.nextTokenIndex }]);
    // Some kinds of models cannot erase a part, so everything is evaluated again.
    pooled.cachedIds = pooled.sequence.nextTokenIndex === prefix ? cachedIds : await resetHistory(pooled);
  }
  const cached = pooled.cachedIds.length;
  for (let from = cached; from < wanted.length; from += chunkLength) {
    signal.throwIfAborted();
    const next = wanted.subarray(0, Math.min(from + chunkLength, wanted.length));
    await evaluateMissing(pooled, next, async (missing) => {
      await pooled.sequence.evaluateWithoutGeneratingNewTokens(Array.from(missing) as never[]);
    });
  }
  return cached;
}

/** Evaluates the part of `ids` that is not cached. A failure clears the cache. */
export async function evaluateMissing<Result>(
  pooled: PooledLlamaSequence,
  ids: Int32Array,
  evaluate: (missing: Int32Array) => Promise<Result>,
): Promise<Result> {
  const missing = ids.subarray(pooled.cachedIds.length);
  try {
    const result = await evaluate(missing);
    pooled.cachedIds = ids;
    return result;
  } catch (error) {
    await clearCache(pooled);
    throw error;
  }
}

async function resetHistory(pooled: PooledLlamaSequence): Promise<Int32Array> {
  await pooled.sequence.clearHistory();
  return new Int32Array(0);
}
