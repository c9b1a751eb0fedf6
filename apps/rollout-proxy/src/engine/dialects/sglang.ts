import type { GenerationRequest, TokenChoice } from '../inference-engine';
import { failureOfStatus } from '../http/engine-failure';
import type { AnswerLedger } from '../http/answer-ledger';
import { countOf, listOf, objectOf, textOf, type JsonObject } from '../http/json-value';
import {
  byLikelihood,
  definedOnly,
  sharedSampling,
  type AnswerReader,
  type Ask,
  type Dialect,
  type EngineDescription,
} from './dialect';

/** SGLang's `/generate`. */
export const sglangDialect: Dialect = {
  name: 'sglang',
  path: '/generate',
  promptField: 'input_ids',
  canStream: true,
  healthPath: '/health',
  canGrammar: true,
  remarks: ['A seed counts only where the server was started for deterministic inference.'],
  body: (request) => ({
    rid: request.requestId,
    sampling_params: samplingParams(request),
    return_logprob: true,
    // -1: of the answer alone. 0 would score the prompt as well, and defeat the prefix cache.
    logprob_start_len: -1,
    top_logprobs_num: request.topLogprobs,
    return_text_in_logprobs: false,
    stream: request.isStreaming,
  }),
  createReader,
  abortCall: (requestId) => ({ path: '/abort_request', body: { rid: requestId } }),
  describe,
  tokenizeCall: (text) => ({ path: '/tokenize', body: { prompt: text, add_special_tokens: false } }),
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
      const meta = objectOf(body.meta_info) ?? {};
      const finish = objectOf(meta.finish_reason);
      if (body.error !== undefined || (finish?.type === 'abort' && countOf(finish.status_code) !== undefined)) {
        throw failureOf(objectOf(body.error) ?? finish ?? {});
      }
      ledger.comparePromptCount(meta.prompt_tokens);
      const promptIds = listOf(meta.prompt_token_ids) ?? listOf(body.prompt_token_ids);
      if (promptIds !== undefined) ledger.comparePrompt(promptIds);
      ledger.cached(meta.cached_tokens);
      if (meta.weight_versions === undefined) ledger.labelled(meta.weight_version);
      readTokens(body, meta, request, ledger);
      if (meta.weight_versions !== undefined) ledger.spanned(meta.weight_versions);
      if (finish !== undefined) readFinish(finish, meta, ledger);
    },
  };
}

/**
 * Lists hold all tokens so far, or only the new ones, as a flag of the server says; `completion_tokens` tells which.
 * The ids of the triples are those sampled; `output_ids` is compared with them, and stands in where there are none.
 */
function readTokens(body: JsonObject, meta: JsonObject, request: GenerationRequest, ledger: AnswerLedger): void {
  const triples = listOf(meta.output_token_logprobs);
  const outputIds = listOf(body.output_ids);
  const tops = listOf(meta.output_top_logprobs);
  const length = triples?.length ?? 0;
  const count = countOf(meta.completion_tokens);
  const ids = triples !== undefined && length > 0 ? triples.map((triple) => listOf(triple)?.[1]) : (outputIds ?? []);
  const from = startOf(ids, count, ledger);
  if (from === undefined) {
    ledger.doubt('ids_miscounted');
    return;
  }
  if (outputIds !== undefined && length > 0 && !isSameTail(ids, outputIds)) ledger.doubt('ids_differ');
  for (let index = from; index < ids.length && !ledger.isOverfull; index += 1) {
    const top = request.topLogprobs > 0 ? choicesOf(tops?.[index], request.topLogprobs) : undefined;
    ledger.push(ids[index], listOf(triples?.[index])?.[0], top);
  }
  if (count !== undefined && count !== ledger.count && !ledger.isOverfull) ledger.doubt('ids_miscounted');
}

/** Index of the first new one; `undefined` when the list fits neither way. */
function startOf(ids: readonly unknown[], count: number | undefined, ledger: AnswerLedger): number | undefined {
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

/** One list may be of all tokens and the other of the new ones; the shorter is then the end of the longer. */
function isSameTail(left: readonly unknown[], right: readonly unknown[]): boolean {
  const length = Math.min(left.length, right.length);
  for (let back = 1; back <= length; back += 1) if (left.at(-back) !== right.at(-back)) return false;
  return length > 0;
}

function choicesOf(value: unknown, count: number): readonly TokenChoice[] {
  const choices: TokenChoice[] = [];
  for (const item of listOf(value) ?? []) {
    const [logprob, id] = listOf(item) ?? [];
    const known = countOf(id);
    if (known !== undefined && typeof logprob === 'number') choices.push({ id: known, logprob });
  }
  return byLikelihood(choices, count);
}

function readFinish(finish: JsonObject, meta: JsonObject, ledger: AnswerLedger): void {
  const count = countOf(meta.completion_tokens);
  if (count === undefined) ledger.doubt('ids_miscounted');
  if (finish.type === 'length' || finish.type === 'stop') ledger.ended(finish.type);
  else if (finish.type === 'abort') ledger.ended('aborted');
}

/** An abort with a status is an error that came after the head of the answer. */
function failureOf(finish: JsonObject): Error {
  return failureOfStatus(countOf(finish.status_code) ?? countOf(finish.code) ?? 500, textOf(finish.message) ?? '');
}

async function describe(ask: Ask): Promise<EngineDescription> {
  const server = objectOf((await ask('GET', '/get_server_info')).json) ?? {};
  const models = objectOf((await ask('GET', '/v1/models')).json);
  const model = objectOf(listOf(models?.data)?.[0]);
  return definedOnly({
    version: textOf(server.version),
    model: textOf(model?.id) ?? textOf(server.served_model_name) ?? textOf(server.model_path),
    contextLength: countOf(model?.max_model_len) ?? countOf(server.context_length),
  });
}
