import { generate } from './generate';
import type { HostRescoring, HostTask } from './host-messages';
import { evaluateEach } from './llama-model';
import { evaluateMissing, clearCache } from './sequence-cache';
import type { TaskContext } from './task-context';

export async function executeTask(task: HostTask, context: TaskContext): Promise<void> {
  const { call, model, post } = context;
  switch (task.kind) {
    case 'generate':
      await generate(task.generation, context);
      return;
    case 'rescore':
      post({ kind: 'rescored', call, logprobs: await rescore(task.rescoring, context) });
      return;
    case 'encode':
      post({ kind: 'encoded', call, ids: Int32Array.from(model.model.tokenize(task.text, task.control)) });
  }
}

/** Numbers in one result: one for each token of the vocabulary at each position. */
const maxProbabilities = 131_072;

/** Evaluates the whole text without the cache: the check must be independent of the cache. */
async function rescore(
  { ids, temperature }: HostRescoring,
  { model, sequences, signal }: TaskContext,
): Promise<Float32Array> {
  const pooled = await sequences.acquire({ sessionId: undefined, ids: new Int32Array(0) }, signal);
  try {
    await clearCache(pooled);
    const step = Math.max(1, Math.min(256, Math.floor(maxProbabilities / model.info.vocabularySize)));
    const logprobs = new Float32Array(ids.length - 1);
    for (let from = 0; from < logprobs.length; from += step) {
      signal.throwIfAborted();
      const to = Math.min(from + step, logprobs.length);
      const successors = ids.subarray(from + 1, to + 1);
      const part = await evaluateMissing(pooled, ids.subarray(0, to), (fresh) =>
        evaluateEach(pooled.sequence, fresh, { successors, temperature }),
      );
      logprobs.set(part, from);
    }
    return logprobs;
  } finally {
    sequences.release(pooled);
  }
}
