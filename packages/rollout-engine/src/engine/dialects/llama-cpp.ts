import type { GenerationRequest, TokenChoice } from '../port/inference-engine';
import { toStatusFailure } from '../http/engine-failure';
import type { AnswerLedger } from '../http/answer-ledger';
import { asObject } from '@weir/foundation';
import { asCount, asList, asText, type JsonObject } from '../http/json-value';
import { llamaCppAdapters } from './adapters';
import { mostLikely, definedOnly, type SendControl, type Dialect, type EngineDescription } from '../http/dialect';

/** llama.cpp server's `/completion`. */
export const llamaCppDialect: Dialect = {
  name: 'llama-cpp',
  path: '/completion',
  promptField: 'prompt',
  // Its stream omits the ids of tokens that end within a character; a complete answer contains all of them.
  canStream: false,
  healthPath: '/health',
  canGrammar: true,
  promptLogprobs: 'none',
  samplingMask: 'none',
  routedExperts: 'none',
  remarks: [
    'Answers come in one piece: the stream of llama.cpp omits ids of tokens that end within a character.',
    'An answer with such tokens, or one that a stop string ended, lacks some log-probabilities and is not used for training.',
  ],
  body: (request) => ({ ...samplingFields(request), stream: false }),
  createReader: (request) => ({
    read(body, ledger) {
      const error = asObject(body.error);
      if (error !== undefined) {
        throw toStatusFailure(asCount(error.code) ?? 500, asText(error.type) ?? asText(error.message) ?? '');
      }
      readTokens(body, request, ledger);
      readRest(body, ledger);
    },
  }),
  abortCall: () => undefined,
  describe,
  tokenizeCall: (text) => ({
    path: '/tokenize',
    body: { content: text, add_special: false, parse_special: true },
  }),
  adapters: llamaCppAdapters,
};

/** Its defaults cut off and penalise, so every neutral value is sent. */
function samplingFields({ sampling, ...request }: GenerationRequest): JsonObject {
  return definedOnly({
    n_predict: request.maxNewTokens,
    temperature: sampling.temperature ?? 1,
    top_k: Math.max(0, sampling.topK ?? 0),
    top_p: sampling.topP ?? 1,
    min_p: sampling.minP ?? 0,
    typical_p: 1,
    xtc_probability: 0,
    dry_multiplier: 0,
    repeat_penalty: sampling.repetitionPenalty ?? 1,
    repeat_last_n: -1,
    frequency_penalty: sampling.frequencyPenalty ?? 0,
    presence_penalty: sampling.presencePenalty ?? 0,
    seed: sampling.seed,
    logit_bias: sampling.logitBias && Array.from(sampling.logitBias),
    stop: request.stop.length > 0 ? request.stop : undefined,
    grammar: request.grammar,
    n_probs: Math.max(1, request.topLogprobs),
    post_sampling_probs: true,
    return_tokens: true,
    cache_prompt: true,
  });
}

function readTokens(body: JsonObject, request: GenerationRequest, ledger: AnswerLedger): void {
  const ids = asList(body.tokens) ?? [];
  const entries = asList(body.completion_probabilities) ?? [];
  if (entries.length !== ids.length) ledger.doubt(entries.length < ids.length ? 'logprobs_missing' : 'ids_miscounted');
  const ends = new Set(request.stopTokenIds);
  let at = 0;
  for (const id of ids) {
    // Entries may be missing, but they are in order.
    const entry = asObject(entries[at]);
    const isOwn = entry !== undefined && entry.id === id;
    if (isOwn) at += 1;
    else if (entries.length === ids.length) ledger.doubt('ids_differ');
    const top = request.topLogprobs > 0 ? readChoices(entry, request.topLogprobs) : undefined;
    ledger.push(id, isOwn ? readLogprob(entry) : undefined, { top });
    if (ledger.hasTooManyTokens) return;
    // It knows only the stop ids of its vocabulary; tokens after one of ours are no part of the answer.
    if (ends.has(id as number)) {
      ledger.setEndReason('stop');
      return;
    }
  }
}

/** It reports a probability after sampling, or a logarithm before it. */
function readLogprob(entry: JsonObject): unknown {
  return typeof entry.prob === 'number' ? Math.log(entry.prob) : entry.logprob;
}

function readChoices(entry: JsonObject | undefined, count: number): readonly TokenChoice[] {
  const choices: TokenChoice[] = [];
  for (const item of asList(entry?.top_probs) ?? asList(entry?.top_logprobs) ?? []) {
    const choice = asObject(item) ?? {};
    const id = asCount(choice.id);
    const logprob = readLogprob(choice);
    if (id !== undefined && typeof logprob === 'number' && logprob > -Infinity) choices.push({ id, logprob });
  }
  return mostLikely(choices, count);
}

function readRest(body: JsonObject, ledger: AnswerLedger): void {
  if (body.truncated === true) ledger.doubt('context_shifted');
  // Cached tokens of the prompt; the others are counted as evaluated.
  const timings = asObject(body.timings);
  const cached = asCount(timings?.cache_n);
  ledger.setCachedTokens(cached);
  const evaluated = asCount(timings?.prompt_n);
  if (cached !== undefined && evaluated !== undefined) ledger.comparePromptCount(cached + evaluated);
  const predicted = asCount(body.tokens_predicted);
  if (predicted !== undefined && predicted !== asList(body.tokens)?.length) ledger.doubt('ids_miscounted');
  if (body.stop_type === 'eos' || body.stop_type === 'word') ledger.setEndReason('stop');
  else if (body.stop_type === 'limit') ledger.setEndReason('length');
}

async function describe(ask: SendControl): Promise<EngineDescription> {
  const props = asObject((await ask('GET', '/props')).json) ?? {};
  const settings = asObject(props.default_generation_settings);
  return definedOnly({
    version: asText(props.build_info),
    model: asText(props.model_alias) ?? asText(props.model_path)?.split(/[\\/]/).at(-1),
    contextLength: asCount(settings?.n_ctx) ?? asCount(props.n_ctx),
  });
}
