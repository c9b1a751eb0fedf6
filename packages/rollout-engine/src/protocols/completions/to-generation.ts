import { z } from 'zod';
import type { CompletionIdentity } from '../../completions/completion';
import { ignoredFields, readBody } from '../fields';
import { notSupported } from '../invalid-request';
import type { ReadCall } from '../model-protocol';
import { readSampling, samplingFields, stopTexts } from '../sampling-fields';

export interface TextCall extends ReadCall {
  readonly includesUsage: boolean;
}

/** The default of the protocol, which is far below that of the service. */
const defaultNewTokens = 16;
const maxTokens = 10_000_000;
const maxPromptTokens = 4_000_000;

const tokenIds = z
  .array(z.number().int().min(0).max(0x7f_ff_ff_ff), 'must be token ids')
  .min(1, 'must not be empty')
  .max(maxPromptTokens);

const TextRequest = z.looseObject({
  model: z.string('must be a string').max(512),
  prompt: z.union(
    [
      z.string().min(1),
      tokenIds,
      z.tuple([z.string().min(1)]).transform(([only]) => only),
      z.tuple([tokenIds]).transform(([only]) => only),
    ],
    'must be one text, or one list of token ids',
  ),
  ...samplingFields,
  stop: stopTexts,
  n: z.literal(1, 'must be 1: one answer is recorded for each call').nullish(),
  best_of: z.literal(1, 'must be 1: one answer is recorded for each call').nullish(),
  echo: z.literal(false, 'can only be false here').nullish(),
  max_tokens: z.number().int().min(1).max(maxTokens).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  logprobs: z.number().int().min(0).max(20).nullish(),
  return_token_ids: z.boolean().nullish(),
  store: z.boolean().nullish(),
});

const fieldRules = {
  known: new Set([...Object.keys(TextRequest.shape), 'suffix']),
  ignored: new Set(['metadata', 'user', 'safety_identifier']),
};

export function readTextCall(value: unknown, identity: CompletionIdentity): TextCall {
  const body = readBody(TextRequest, value);
  const ignored = ignoredFields(value, fieldRules);
  if (body.suffix !== undefined && body.suffix !== null && body.suffix !== '') throw notSupported('suffix');
  return {
    request: {
      protocol: 'completions',
      model: body.model,
      messages: [],
      rawPrompt: typeof body.prompt === 'string' ? body.prompt : Int32Array.from(body.prompt),
      tools: [],
      toolChoice: { kind: 'none' },
      parallelToolCalls: true,
      sampling: readSampling(body),
      maxNewTokens: body.max_tokens ?? defaultNewTokens,
      stop: body.stop ?? [],
      topLogprobs: body.logprobs ?? undefined,
      format: { kind: 'text' },
      templateArguments: {},
      isRecorded: body.store !== false,
      isStreaming: body.stream === true,
      returnsTokenIds: body.return_token_ids === true,
      identity,
    },
    ignored,
    includesUsage: body.stream_options?.include_usage === true,
  };
}
