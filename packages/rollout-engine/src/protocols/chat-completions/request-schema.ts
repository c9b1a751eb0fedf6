import { z } from 'zod';
import { samplingFields, stopTexts } from '../sampling-fields';
import { jsonSchemaObject, maxTools, toolName } from '../tool-fields';
import { ChatMessage } from './chat-message';

const maxMessages = 100_000;
const maxTokens = 10_000_000;

const tool = z.looseObject({
  type: z.literal('function', 'must be function'),
  function: z.looseObject({
    name: toolName,
    description: z.string().nullish(),
    parameters: jsonSchemaObject.nullish(),
    strict: z.boolean().nullish(),
  }),
});

const toolChoice = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
  ],
  'must be auto, none, required or a function',
);

const responseFormat = z.union(
  [
    z.looseObject({ type: z.enum(['text', 'json_object']) }),
    z.looseObject({
      type: z.literal('json_schema'),
      json_schema: z.looseObject({ name: z.string(), schema: jsonSchemaObject }),
    }),
  ],
  'must be text, json_object or a json_schema with name and schema',
);

/**
 * The schema lists the fields that are read; `fieldRules` lists the others. Limits of numbers are those of the
 * protocol.
 */
export const ChatRequest = z.looseObject({
  model: z.string('must be a string').max(512),
  messages: z.array(ChatMessage, 'must be a list of messages').min(1, 'must not be empty').max(maxMessages),
  ...samplingFields,
  stop: stopTexts,
  n: z.literal(1, 'must be 1: one answer is recorded for each call').nullish(),
  max_tokens: z.number().int().min(1).max(maxTokens).nullish(),
  max_completion_tokens: z.number().int().min(1).max(maxTokens).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(tool).max(maxTools).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  response_format: responseFormat.nullish(),
  modalities: z.array(z.literal('text', 'can only be text here')).nullish(),
  store: z.boolean().nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

export const fieldRules = {
  known: new Set(Object.keys(ChatRequest.shape)),
  ignored: new Set([
    'metadata',
    'prompt_cache_key',
    'prompt_cache_options',
    'prompt_cache_retention',
    'reasoning_effort',
    'safety_identifier',
    'service_tier',
    'user',
    'verbosity',
  ]),
};

/** Rules of the objects within a body. */
export const innerRules = {
  tool: { known: new Set(['type', 'function']), ignored: new Set(['cache_control']) },
  function: {
    known: new Set(['name', 'description', 'parameters', 'strict']),
    ignored: new Set(['cache_control', 'defer_loading']),
  },
} as const;
