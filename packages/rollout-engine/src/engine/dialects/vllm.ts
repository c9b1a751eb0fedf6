import type { GenerationRequest, TokenChoice } from '../port/inference-engine';
import type { AnswerLedger } from '../http/answer-ledger';
import { asObject } from '@weir/foundation';
import { asList, type JsonObject } from '../http/json-value';
import { mostLikely, definedOnly, type Dialect } from '../http/dialect';
import { createVllmReader, describeVllm, parseTokenId, vllmSampling, vllmTokenizeCall } from './vllm-shared';
import { vllmAdapters } from './adapters';
import { updateVllmWeights } from './update-weights';

/** vLLM's `/v1/completions` with ids for a prompt. */
export const vllmDialect: Dialect = {
  name: 'vllm',
  path: '/v1/completions',
  promptField: 'prompt',
  canStream: true,
  healthPath: '/health',
  canGrammar: true,
  promptLogprobs: 'whole',
  samplingMask: 'none',
  routedExperts: 'whole',
  remarks: ['Generations are aborted by closing their connection; this endpoint has no call for it.'],
  body: (request, model) =>
    definedOnly({
      model,
      request_id: request.requestId,
      ...vllmSampling(request),
      add_special_tokens: false,
      return_token_ids: true,
      return_tokens_as_token_ids: true,
      // Servers that do not know it send the rows of the whole sequence.
      routed_experts_prompt_start: request.routedExperts?.from,
      stream: request.isStreaming,
      stream_options: request.isStreaming ? { include_usage: true } : undefined,
    }),
  createReader: createVllmReader(readTokens),
  abortCall: () => undefined,
  describe: describeVllm,
  tokenizeCall: vllmTokenizeCall,
  adapters: vllmAdapters,
  updateWeights: updateVllmWeights,
};

function readTokens(choice: JsonObject, request: GenerationRequest, ledger: AnswerLedger): void {
  const logprobs = asObject(choice.logprobs);
  const values = asList(logprobs?.token_logprobs) ?? [];
  const texts = asList(logprobs?.tokens) ?? [];
  const tops = asList(logprobs?.top_logprobs);
  const given = asList(choice.token_ids);
  // Servers without `return_token_ids` send the ids only as texts.
  const ids = given ?? texts.map(parseTokenId);
  if (values.length !== ids.length) ledger.doubt('logprobs_miscounted');
  for (let index = 0; index < ids.length && !ledger.hasTooManyTokens; index += 1) {
    const named = given === undefined ? undefined : parseTokenId(texts[index]);
    if (named !== undefined && named !== ids[index]) ledger.doubt('ids_differ');
    const top = request.topLogprobs > 0 ? readChoices(tops?.[index], request.topLogprobs) : undefined;
    ledger.push(ids[index], values[index], { top });
  }
}

function readChoices(value: unknown, count: number): readonly TokenChoice[] {
  const choices: TokenChoice[] = [];
  for (const [text, logprob] of Object.entries(asObject(value) ?? {})) {
    const id = parseTokenId(text);
    if (id !== undefined && typeof logprob === 'number') choices.push({ id, logprob });
  }
  return mostLikely(choices, count);
}
