import type { GenerationRequest } from '../port/inference-engine';
import { toStatusFailure } from '../http/engine-failure';
import type { AnswerLedger } from '../http/answer-ledger';
import { asObject } from '@weir/foundation';
import { asCount, asList, asText, type JsonObject } from '../http/json-value';
import {
  definedOnly,
  sharedSampling,
  type AnswerReader,
  type SendControl,
  type Dialect,
  type EngineDescription,
} from '../http/dialect';
import { readSglangChoices, readSglangScores } from '../http/read-scores';
import { readInt32Experts } from '../http/read-experts';
import { sglangAdapters } from './adapters';
import { updateSglangWeights } from './update-weights';

/** SGLang's `/generate`. */
export const sglangDialect: Dialect = {
  name: 'sglang',
  path: '/generate',
  promptField: 'input_ids',
  canStream: true,
  healthPath: '/health',
  canGrammar: true,
  promptLogprobs: 'streamed',
  samplingMask: 'streamed',
  routedExperts: 'streamed',
  remarks: ['A seed takes effect only where the server was started for deterministic inference.'],
  body: (request) => ({
    rid: request.requestId,
    sampling_params: samplingParams(request),
    return_logprob: true,
    // -1 scores the answer alone. 0 would score the prompt as well, and defeat the prefix cache.
    logprob_start_len: request.promptLogprobsFrom === undefined ? -1 : request.promptLogprobsFrom - 1,
    top_logprobs_num: request.topLogprobs,
    return_text_in_logprobs: false,
    stream: request.isStreaming,
    ...(request.samplingMask === true ? { return_sampling_mask: true } : {}),
    ...(request.routedExperts === undefined
      ? {}
      : { return_routed_experts: true, routed_experts_start_len: request.routedExperts.from }),
  }),
  createReader,
  abortCall: (requestId) => ({ path: '/abort_request', body: { rid: requestId } }),
  describe,
  tokenizeCall: (text) => ({ path: '/tokenize', body: { prompt: text, add_special_tokens: false } }),
  adapters: sglangAdapters,
  updateWeights: updateSglangWeights,
};

function samplingParams(request: GenerationRequest): JsonObject {
  return definedOnly({
    ...sharedSampling(request),
    max_new_tokens: request.maxNewTokens,
    sampling_seed: request.sampling.seed,
    ignore_eos: false,
    no_stop_trim: true,
    ebnf: request.grammar,
  });
}

function createReader(request: GenerationRequest): AnswerReader {
  return {
    read(body, ledger) {
      const meta = asObject(body.meta_info) ?? {};
      const finish = asObject(meta.finish_reason);
      if (body.error !== undefined || (finish?.type === 'abort' && asCount(finish.status_code) !== undefined)) {
        throw toFailure(asObject(body.error) ?? finish ?? {});
      }
      ledger.comparePromptCount(meta.prompt_tokens);
      const promptIds = asList(meta.prompt_token_ids) ?? asList(body.prompt_token_ids);
      if (promptIds !== undefined) ledger.comparePrompt(promptIds);
      ledger.setCachedTokens(meta.cached_tokens);
      if (meta.weight_versions === undefined) ledger.setVersionLabel(meta.weight_version);
      readTokens(body, meta, request, ledger);
      if (meta.input_token_logprobs !== undefined) {
        ledger.readPrompt((scores, wanted) => readSglangScores(body, wanted, scores));
      }
      const experts = asText(meta.routed_experts);
      if (request.routedExperts !== undefined && experts !== undefined) {
        ledger.setExperts(readInt32Experts(experts, request.routedExperts));
      }
      if (meta.weight_versions !== undefined) ledger.setVersionSpans(meta.weight_versions);
      if (finish !== undefined) readFinish(finish, meta, ledger);
    },
  };
}

/**
 * Lists contain all tokens so far or only the new ones, depending on a flag of the server; `completion_tokens` shows
 * which. The ids of the triples are the sampled ones; `output_ids` is compared with them, and used if there are no
 * triples.
 */
function readTokens(body: JsonObject, meta: JsonObject, request: GenerationRequest, ledger: AnswerLedger): void {
  const triples = asList(meta.output_token_logprobs);
  const outputIds = asList(body.output_ids);
  const tops = asList(meta.output_top_logprobs);
  const masks = asList(meta.output_token_sampling_mask) ?? [];
  const length = triples?.length ?? 0;
  const count = asCount(meta.completion_tokens);
  const ids = triples !== undefined && length > 0 ? triples.map((triple) => asList(triple)?.[1]) : (outputIds ?? []);
  const from = findFirstNew(ids, count, ledger);
  if (from === undefined) {
    ledger.doubt('ids_miscounted');
    return;
  }
  if (outputIds !== undefined && length > 0 && !isSameTail(ids, outputIds)) ledger.doubt('ids_differ');
  for (let index = from; index < ids.length && !ledger.hasTooManyTokens; index += 1) {
    const top = request.topLogprobs > 0 ? readSglangChoices(tops?.[index], request.topLogprobs) : undefined;
    // Masks are those of all tokens so far, also where the other lists have only the new ones.
    ledger.push(ids[index], asList(triples?.[index])?.[0], { top, mask: masks[masks.length - ids.length + index] });
  }
  if (count !== undefined && count !== ledger.count && !ledger.hasTooManyTokens) ledger.doubt('ids_miscounted');
}

/** Index of the first new id; `undefined` when the list is consistent with neither. */
function findFirstNew(ids: readonly unknown[], count: number | undefined, ledger: AnswerLedger): number | undefined {
  const known = ledger.count;
  if (ids.length >= known && (count === undefined || count === ids.length) && startsWithKnown(ids, ledger))
    return known;
  if (count === undefined) return 0;
  return known + ids.length === count || known === 0 ? 0 : undefined;
}

function startsWithKnown(ids: readonly unknown[], ledger: AnswerLedger): boolean {
  for (let index = 0; index < ledger.count; index += 1) if (ids[index] !== ledger.idAt(index)) return false;
  return true;
}

/** One list may contain all tokens and the other the new ones; then the shorter is the end of the longer. */
function isSameTail(left: readonly unknown[], right: readonly unknown[]): boolean {
  const length = Math.min(left.length, right.length);
  for (let back = 1; back <= length; back += 1) if (left.at(-back) !== right.at(-back)) return false;
  return length > 0;
}

function readFinish(finish: JsonObject, meta: JsonObject, ledger: AnswerLedger): void {
  const count = asCount(meta.completion_tokens);
  if (count === undefined) ledger.doubt('ids_miscounted');
  if (finish.type === 'length' || finish.type === 'stop') ledger.setEndReason(finish.type);
  else if (finish.type === 'abort') ledger.setEndReason('aborted');
}

/** An abort with a status is an error after the head of the answer. */
function toFailure(finish: JsonObject): Error {
  return toStatusFailure(asCount(finish.status_code) ?? asCount(finish.code) ?? 500, asText(finish.message) ?? '');
}

async function describe(ask: SendControl): Promise<EngineDescription> {
  const server = asObject((await ask('GET', '/get_server_info')).json) ?? {};
  const models = asObject((await ask('GET', '/v1/models')).json);
  const model = asObject(asList(models?.data)?.[0]);
  return definedOnly({
    version: asText(server.version),
    model: asText(model?.id) ?? asText(server.served_model_name) ?? asText(server.model_path),
    contextLength: asCount(model?.max_model_len) ?? asCount(server.context_length),
  });
}
