import { randomInt } from 'node:crypto';
import { AppError } from '@weir/foundation';
import type {
  EngineInfo,
  GenerationEvent,
  GenerationRequest,
  InferenceEngine,
  SamplingParameters,
} from '../port/inference-engine';
import type { EmbeddedHost } from './embedded-host';
import { parameterNotSupported } from '../http/engine-failure';
import { compareTokenizers, type EncodeText } from '../port/tokenizer-parity';
import type { LoadedModelInfo, HostTokens, SamplingRule } from './host/host-messages';

export interface RescoreRequest {
  readonly ids: Int32Array;
  /** The temperature of the sampling. Default 1, which is also used for greedy answers (0). */
  readonly temperature?: number;
}

export interface EmbeddedEngine extends InferenceEngine {
  /**
   * Log-probabilities of `ids[1]`, `ids[2]`, … by teacher forcing in one fresh pass, equal to the recorded ones within
   * 1e-4. Rejects with `invalid_request` (reason `prompt_too_long`).
   */
  rescore(request: RescoreRequest, signal: AbortSignal): Promise<Float32Array>;
}

export interface EmbeddedEngineOptions {
  readonly host: EmbeddedHost;
  /** The tokenizer of the prompts, which `probe` compares with the one in the model's file. */
  readonly encode?: EncodeText;
}

/**
 * Samples with llama.cpp in a separate process. Each token's log-probability is of softmax(logits / temperature) over
 * the whole vocabulary, before cut-offs, penalties, bias and grammar, so that teacher forcing reproduces it. With
 * temperature 0 it is that of temperature 1. Versions are 0. The caller matches `stop` strings: it then gets every
 * token as it is sampled, and leaves the loop. Rejects `repetitionPenalty` (`invalid_request`, reason
 * `parameter_not_supported`): it needs logits, and the library exposes probabilities. Penalties count the tokens of the
 * answer.
 */
export function createEmbeddedEngine({ host, encode }: EmbeddedEngineOptions): EmbeddedEngine {
  return {
    name: 'embedded',
    generate: (request, signal) => generate(host, request, signal),
    probe: (signal) => probe(host, encode, signal),
    rescore: (request, signal) => rescore(host, request, signal),
    stop: () => host.stop(),
  };
}

async function* generate(
  host: EmbeddedHost,
  request: GenerationRequest,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent> {
  const { sessionId, promptIds, maxNewTokens, stopTokenIds, grammar, topLogprobs, isStreaming, stop } = request;
  // Only its own operation scores tokens.
  if (request.promptLogprobsFrom !== undefined) throw parameterNotSupported('prompt_logprobs');
  if (request.samplingMask === true) throw parameterNotSupported('sampling_mask');
  if (request.routedExperts !== undefined) throw parameterNotSupported('routed_experts');
  if (request.adapter !== undefined) throw parameterNotSupported('adapter');
  const sampling = toSamplingRule(request.sampling);
  const info = await host.info(signal);
  checkIds(promptIds, info);
  if (promptIds.length >= info.contextLength) throw tooLong('The prompt', info.contextLength);
  const generation = {
    sessionId,
    promptIds,
    maxNewTokens,
    sampling,
    stopTokenIds,
    grammar,
    topLogprobs,
    // The caller matches stop strings, so it must see tokens while they are sampled.
    isStreaming: isStreaming || stop.length > 0,
  };
  for await (const message of host.run({ kind: 'generate', generation }, signal)) {
    if (message.kind === 'tokens') yield toPiece(message.tokens);
    else if (message.kind === 'end') yield { kind: 'end', reason: message.reason, cachedTokens: message.cachedTokens };
  }
}

function toPiece({ ids, logprobs, top }: HostTokens): GenerationEvent {
  const tokens = { ids, logprobs, versions: new Int32Array(ids.length) };
  return { kind: 'tokens', tokens, ...(top === undefined ? {} : { top }) };
}

async function rescore(
  host: EmbeddedHost,
  { ids, temperature = 1 }: RescoreRequest,
  signal: AbortSignal,
): Promise<Float32Array> {
  const info = await host.info(signal);
  checkIds(ids, info);
  if (ids.length > info.contextLength) throw tooLong('The text', info.contextLength);
  for await (const message of host.run({ kind: 'rescore', rescoring: { ids, temperature } }, signal)) {
    if (message.kind === 'rescored') return message.logprobs;
  }
  throw noAnswer();
}

async function probe(host: EmbeddedHost, encode: EncodeText | undefined, signal: AbortSignal): Promise<EngineInfo> {
  const info = await host.info(signal);
  const tokenizerParity = await compareTokenizers(encode, async (text) => {
    for await (const message of host.run({ kind: 'encode', text, control: true }, signal)) {
      if (message.kind === 'encoded') return message.ids;
    }
    throw noAnswer();
  });
  return describe(info, tokenizerParity);
}

function describe(info: LoadedModelInfo, tokenizerParity: EngineInfo['tokenizerParity']): EngineInfo {
  return {
    engine: 'embedded',
    version: `llama.cpp ${info.version}`,
    ...(info.model === undefined ? {} : { model: info.model }),
    contextLength: info.contextLength,
    acceptsIds: true,
    returnsIds: true,
    logprobs: 'processed',
    versions: 'none',
    canAbort: true,
    grammar: info.grammar,
    tokenizerParity,
    mode: tokenizerParity === 'different' ? 'capture-only' : 'exact',
    remarks: [
      'Log-probabilities are those of the whole distribution after temperature, before cut-offs, penalties, bias and grammar.',
      ...(tokenizerParity === 'different' ? ['The tokenizer in the model file gives other ids.'] : []),
    ],
  };
}

function toSamplingRule(sampling: SamplingParameters): SamplingRule {
  const { temperature = 1, topP = 1, topK = 0, minP = 0, frequencyPenalty = 0, presencePenalty = 0 } = sampling;
  if (sampling.repetitionPenalty !== undefined && sampling.repetitionPenalty !== 1) {
    throw new AppError('invalid_request', 'The embedded engine has no repetition penalty.', {
      reason: 'parameter_not_supported',
      details: { parameter: 'repetition_penalty' },
    });
  }
  const seed = sampling.seed ?? randomInt(2 ** 48 - 1);
  const logitBias = sampling.logitBias ?? new Map<number, number>();
  // Some engines disable the cut-off by -1, others by 0.
  return { temperature, topP, topK: Math.max(0, topK), minP, frequencyPenalty, presencePenalty, seed, logitBias };
}

function checkIds(ids: Int32Array, { vocabularySize }: LoadedModelInfo): void {
  if (ids.length === 0) {
    throw new AppError('invalid_request', 'The prompt is empty.', { reason: 'prompt_empty' });
  }
  if (ids.some((id) => id < 0 || id >= vocabularySize)) {
    throw new AppError('invalid_request', 'The prompt contains a token that the model does not have.', {
      reason: 'token_unknown',
    });
  }
}

function noAnswer(): AppError {
  return new AppError('upstream_failed', 'The embedded engine gave no answer.', { reason: 'engine_failed' });
}

function tooLong(what: string, contextLength: number): AppError {
  return new AppError('invalid_request', `${what} is longer than the ${contextLength} tokens that the model can see.`, {
    reason: 'prompt_too_long',
    details: { contextLength },
  });
}
