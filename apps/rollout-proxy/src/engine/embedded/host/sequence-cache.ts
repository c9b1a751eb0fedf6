import type { LlamaContextSequence } from 'node-llama-cpp';
import { commonPrefix, type PooledSequence } from './sequence-pool';

type PooledLlamaSequence = PooledSequence<LlamaContextSequence>;

/** So many tokens of a prompt are evaluated between two looks at the signal. */
const chunkLength = 512;

export async function clearCache(pooled: PooledLlamaSequence): Promise<void> {
  pooled.cachedIds = new Int32Array(0);
  await pooled.sequence.clearHistory();
}

/**
 * Brings the cache to hold all of the prompt but its last token, and answers how much of it was there already. The
 * last one is never taken from the cache: its distribution is wanted.
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
    // Until it is done nothing is sure.
    pooled.cachedIds = new Int32Array(0);
    await pooled.sequence.eraseContextTokenRanges([{ start: prefix, end: pooled.sequence.nextTokenIndex }]);
    // Some kinds of models cannot go back, and begin anew.
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

/** Evaluates what `ids` have beyond what is held. Fails with nothing held. */
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
