import type { LlamaContextSequence } from 'node-llama-cpp';
import { commonPrefix, type Slot } from './slots';

type LlamaSlot = Slot<LlamaContextSequence>;

/** So many tokens of a prompt are evaluated between two looks at the signal. */
const chunkLength = 512;

export async function holdNothing(slot: LlamaSlot): Promise<void> {
  slot.held = new Int32Array(0);
  await slot.sequence.clearHistory();
}

/**
 * Brings the cache to hold all of the prompt but its last token, and answers how much of it was there already. The
 * last one is never taken from the cache: its distribution is wanted.
 */
export async function holdPrompt(slot: LlamaSlot, promptIds: Int32Array, signal: AbortSignal): Promise<number> {
  const wanted = promptIds.subarray(0, -1);
  const prefix = commonPrefix(slot.held, wanted);
  if (prefix < slot.held.length) {
    const held = slot.held.slice(0, prefix);
    // Until it is done nothing is sure.
    slot.held = new Int32Array(0);
    await slot.sequence.eraseContextTokenRanges([{ start: prefix, end: slot.sequence.nextTokenIndex }]);
    // Some kinds of models cannot go back, and begin anew.
    slot.held = slot.sequence.nextTokenIndex === prefix ? held : await emptied(slot);
  }
  const cached = slot.held.length;
  for (let from = cached; from < wanted.length; from += chunkLength) {
    signal.throwIfAborted();
    const next = wanted.subarray(0, Math.min(from + chunkLength, wanted.length));
    await evaluateUpTo(slot, next, async (fresh) => {
      await slot.sequence.evaluateWithoutGeneratingNewTokens(Array.from(fresh) as never[]);
    });
  }
  return cached;
}

/** Evaluates what `ids` have beyond what is held. Fails with nothing held. */
export async function evaluateUpTo<Result>(
  slot: LlamaSlot,
  ids: Int32Array,
  evaluate: (fresh: Int32Array) => Promise<Result>,
): Promise<Result> {
  const fresh = ids.subarray(slot.held.length);
  try {
    const result = await evaluate(fresh);
    slot.held = ids;
    return result;
  } catch (error) {
    await holdNothing(slot);
    throw error;
  }
}

async function emptied(slot: LlamaSlot): Promise<Int32Array> {
  await slot.sequence.clearHistory();
  return new Int32Array(0);
}
