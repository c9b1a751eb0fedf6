import type { GenerationRequest } from '../port/inference-engine';
import { readVllmScores } from '../http/read-scores';
import { readNumpyExperts } from '../http/read-experts';
import { toStatusFailure } from '../http/engine-failure';
import type { AnswerLedger } from '../http/answer-ledger';
import { asObject } from '@weir/foundation';
import { asCount, asList, asText, type JsonObject } from '../http/json-value';
import {
  definedOnly,
  sharedSampling,
  type Dialect,
  type SendControl,
  type ControlCall,
  type EngineDescription,
} from '../http/dialect';

/** Sampling as both of vLLM's token endpoints name it. */
export function vllmSampling(request: GenerationRequest): JsonObject {
  return definedOnly({
    ...sharedSampling(request),
    // Always sent: the raw default is 16.
    max_tokens: request.maxNewTokens,
    seed: request.sampling.seed,
    include_stop_str_in_output: true,
    spaces_between_special_tokens: false,
    // 0 asks only for the log-probability of the sampled token.
    logprobs: request.topLogprobs,
    prompt_logprobs: request.promptLogprobsFrom === undefined ? undefined : 0,
    structured_outputs: request.grammar === undefined ? undefined : { grammar: request.grammar },
  });
}

/** Throws for an error after the head of the answer. */
export function throwVllmError(body: JsonObject): void {
  const error = asObject(body.error) ?? (body.object === 'error' ? body : undefined);
  if (error !== undefined) throw toStatusFailure(asCount(error.code) ?? 500, asText(error.message) ?? '');
}

/** Reads answers of both endpoints, which differ in how they report tokens. */
export function createVllmReader(
  readTokens: (choice: JsonObject, request: GenerationRequest, ledger: AnswerLedger) => void,
): Dialect['createReader'] {
  return (request) => ({
    read(body, ledger) {
      throwVllmError(body);
      const choice = asObject(asList(body.choices)?.[0]);
      if (choice !== undefined) readTokens(choice, request, ledger);
      readMetadata(body, choice, ledger);
      readPrompt(choice?.prompt_logprobs ?? body.prompt_logprobs, ledger);
      readExperts(choice, request, ledger);
    },
  });
}

/** Reads the metadata that both endpoints report besides the tokens. */
function readMetadata(body: JsonObject, choice: JsonObject | undefined, ledger: AnswerLedger): void {
  const promptIds = asList(choice?.prompt_token_ids) ?? asList(body.prompt_token_ids);
  if (promptIds !== undefined) ledger.comparePrompt(promptIds);
  const usage = asObject(body.usage);
  ledger.comparePromptCount(usage?.prompt_tokens);
  ledger.setCachedTokens(asObject(usage?.prompt_tokens_details)?.cached_tokens);
  const spans = choice?.weight_versions ?? body.weight_versions;
  if (spans !== undefined && spans !== null) ledger.setVersionSpans(spans);
  const reason = choice?.finish_reason;
  if (reason === 'stop' || reason === 'length') ledger.setEndReason(reason);
  else if (reason === 'abort') ledger.setEndReason('aborted');
  const count = asCount(usage?.completion_tokens);
  // Some servers send usage with every event; only the last one is complete.
  if (count !== undefined && ledger.reason !== undefined && count !== ledger.count && !ledger.hasTooManyTokens) {
    ledger.doubt('ids_miscounted');
  }
}

function readPrompt(list: unknown, ledger: AnswerLedger): void {
  if (list !== undefined && list !== null) ledger.readPrompt((scores, wanted) => readVllmScores(list, wanted, scores));
}

/** Experts come where the server was started with `--enable-return-routed-experts`, without being asked for. */
function readExperts(choice: JsonObject | undefined, request: GenerationRequest, ledger: AnswerLedger): void {
  const text = asText(choice?.routed_experts);
  if (request.routedExperts === undefined || text === undefined) return;
  ledger.setExperts(readNumpyExperts(text, request.routedExperts, request.promptIds.length + ledger.count));
}

/** Parses `token_id:17`, the form of `return_tokens_as_token_ids`. */
export function parseTokenId(text: unknown): number | undefined {
  const digits = typeof text === 'string' ? /^token_id:(\d+)$/.exec(text)?.[1] : undefined;
  return digits === undefined ? undefined : asCount(Number(digits));
}

export async function describeVllm(ask: SendControl): Promise<EngineDescription> {
  const models = asObject((await ask('GET', '/v1/models')).json);
  const model = asObject(asList(models?.data)?.[0]);
  return definedOnly({
    version: asText(asObject((await ask('GET', '/version')).json)?.version),
    model: asText(model?.id),
    contextLength: asCount(model?.max_model_len),
  });
}

export function vllmTokenizeCall(text: string, model: string | undefined): ControlCall {
  return { path: '/tokenize', body: definedOnly({ model, prompt: text, add_special_tokens: false }) };
}
