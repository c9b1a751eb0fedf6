import type { GenerationRequest, TokenChoice } from '../port/inference-engine';
import type { AnswerLedger } from '../http/answer-ledger';
import { asObject } from '@weir/foundation';
import { asCount, asList, type JsonObject } from '../http/json-value';
import { mostLikely, definedOnly, type Dialect } from '../http/dialect';
import { createVllmReader, describeVllm, parseTokenId, vllmSampling, vllmTokenizeCall } from './vllm-shared';
import { vllmAdapters } from './adapters';
import { updateVllmWeights } from './update-weights';

/** vLLM's `/inference/v1/generate`: ids in, ids out. */
export const vllmGenerateDialect: Dialect = {
  name: 'vllm-generate',
  path: '/inference/v1/generate',
  promptField: 'token_ids',
  canStream: true,
  healthPath: '/health',
  canGrammar: true,
  promptLogprobs: 'whole',
  samplingMask: 'whole',
  routedExperts: 'whole',
  remarks: [],
  body: (request, model) =>
    definedOnly({
      model,
      request_id: request.requestId,
      sampling_params: vllmSampling(request),
      stream: request.isStreaming,
      stream_options: request.isStreaming ? { include_usage: true } : undefined,
    }),
  createReader: createVllmReader(readTokens),
  // The server adds this prefix to the id of the request.
  abortCall: (requestId) => ({
    path: '/inference/v1/abort_requests',
    body: { request_ids: [`generate-tokens-${requestId}`] },
  }),
  describe: describeVllm,
  tokenizeCall: vllmTokenizeCall,
  adapters: vllmAdapters,
  updateWeights: updateVllmWeights,
};

function readTokens(choice: JsonObject, request: GenerationRequest, ledger: AnswerLedger): void {
  const ids = asList(choice.token_ids) ?? [];
  const masks = asList(choice.sampling_mask) ?? [];
  const content = asList(asObject(choice.logprobs)?.content) ?? [];
  if (content.length !== ids.length) ledger.doubt('logprobs_miscounted');
  for (let index = 0; index < ids.length && !ledger.hasTooManyTokens; index += 1) {
    const entry = asObject(content[index]) ?? {};
    const named = readTokenId(entry);
    if (named !== undefined && named !== ids[index]) ledger.doubt('ids_differ');
    const top = request.topLogprobs > 0 ? readChoices(entry.top_logprobs, request.topLogprobs) : undefined;
    ledger.push(ids[index], entry.logprob, { top, mask: masks[index] });
  }
}

/** The id is a number since the current release, and was `token_id:17` before. */
function readTokenId(entry: JsonObject): number | undefined {
  return asCount(entry.token_id) ?? parseTokenId(entry.token);
}

function readChoices(value: unknown, count: number): readonly TokenChoice[] {
  const choices: TokenChoice[] = [];
  for (const item of asList(value) ?? []) {
    const entry = asObject(item) ?? {};
    const id = readTokenId(entry);
    if (id !== undefined && typeof entry.logprob === 'number') choices.push({ id, logprob: entry.logprob });
  }
  return mostLikely(choices, count);
}
