import type { LlamaContextSequence } from 'node-llama-cpp';
import type { TokenChoice } from '../../port/inference-engine';
import { evaluateMissing, cachePrompt } from './sequence-cache';
import type { HostGeneration, HostTokens } from './host-messages';
import type { TaskContext } from './task-context';
import { startGrammar, type GrammarState, type LoadedModel } from './llama-model';
import { createSampleNext } from './next-token';
import type { PooledSequence } from './sequence-pool';

export async function generate(generation: HostGeneration, context: TaskContext): Promise<void> {
  const { call, model, sequences, post, signal } = context;
  const { sessionId, promptIds } = generation;
  const grammar = await loadGrammar(generation.grammar, model);
  const pooled = await sequences.acquire({ sessionId, ids: promptIds }, signal);
  try {
    const cachedTokens = await cachePrompt(pooled, promptIds, signal);
    const reason = await sampleAnswer(pooled, { generation, grammar, context });
    post({ kind: 'end', call, reason, cachedTokens });
  } finally {
    sequences.release(pooled);
  }
}

interface AnswerContext {
  readonly generation: HostGeneration;
  readonly grammar: GrammarState | undefined;
  readonly context: TaskContext;
}

async function sampleAnswer(
  pooled: PooledSequence<LlamaContextSequence>,
  { generation, grammar, context }: AnswerContext,
): Promise<'stop' | 'length'> {
  const { promptIds, sampling, stopTokenIds, topLogprobs, isStreaming } = generation;
  const { call, model, post, signal } = context;
  const limit = Math.min(generation.maxNewTokens, model.info.contextLength - promptIds.length);
  const text = new Int32Array(promptIds.length + limit);
  text.set(promptIds);
  const written = new UnsentTokens(limit, topLogprobs > 0);
  const draw = createSampleNext({ rule: sampling, grammar, topLogprobs });
  const flush = (): void => {
    const tokens = written.take();
    if (tokens !== undefined) post({ kind: 'tokens', call, tokens });
  };
  for (let length = promptIds.length; ; length++) {
    signal.throwIfAborted();
    const { token, top } = await evaluateMissing(pooled, text.subarray(0, length), (fresh) =>
      draw(pooled.sequence, fresh),
    );
    if (token === undefined) break;
    text[length] = token.id;
    written.add(token.id, token.logprob, top);
    const isLast =
      stopTokenIds.includes(token.id) || (grammar !== undefined && model.model.isEogToken(asToken(token.id)));
    if (isLast) break;
    if (length + 1 === text.length) {
      flush();
      return 'length';
    }
    grammar?.accept(token.id);
    if (isStreaming) flush();
  }
  flush();
  return 'stop';
}

const asToken = (id: number): never => id as never;

async function loadGrammar(source: string | undefined, model: LoadedModel): Promise<GrammarState | undefined> {
  if (source === undefined) return undefined;
  try {
    return await startGrammar(model, await model.llama.createGrammar({ grammar: source }));
  } catch (error) {
    const invalid = new Error('The grammar was refused.', { cause: error });
    invalid.name = 'InvalidGrammar';
    throw invalid;
  }
}

/** Tokens that were not sent yet. */
class UnsentTokens {
  readonly #ids: Int32Array;
  readonly #logprobs: Float32Array;
  readonly #top: (readonly TokenChoice[])[] | undefined;
  #sent = 0;
  #length = 0;

  constructor(limit: number, hasTop: boolean) {
    this.#ids = new Int32Array(limit);
    this.#logprobs = new Float32Array(limit);
    this.#top = hasTop ? [] : undefined;
  }

  add(id: number, logprob: number, top: readonly TokenChoice[] | undefined): void {
    this.#ids[this.#length] = id;
    this.#logprobs[this.#length++] = logprob;
    if (top !== undefined) this.#top?.push(top);
  }

  take(): HostTokens | undefined {
    if (this.#sent === this.#length) return undefined;
    const [from, to] = [this.#sent, this.#length];
    this.#sent = to;
    // Copies: a part of a longer array would be sent with all of it.
    return {
      ids: this.#ids.slice(from, to),
      logprobs: this.#logprobs.slice(from, to),
      top: this.#top?.slice(from, to),
    };
  }
}
