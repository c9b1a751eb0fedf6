import { z } from 'zod';
import { samplingFields, stopTexts } from '../sampling-fields';
import { jsonSchemaObject, maxTools, toolName } from '../tool-fields';
import { blocks } from './content-blocks';

const maxMessages = 100_000;
const maxTokens = 10_000_000;

const message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system'], 'must be user, assistant or system'),
  content: blocks,
});

const tool = z.looseObject({
  type: z.literal('custom', 'can only be custom here').nullish(),
  name: toolName,
  description: z.string().nullish(),
  input_schema: jsonSchemaObject,
  strict: z.boolean().nullish(),
});

const toolChoice = z.looseObject({
  type: z.enum(['auto', 'any', 'tool', 'none'], 'must be auto, any, tool or none'),
  name: z.string().optional(),
  disable_parallel_tool_use: z.boolean().nullish(),
});

const outputFormat = z.looseObject({ type: z.literal('json_schema'), schema: jsonSchemaObject });

const prompt = {
  model: z.string('must be a string').max(512),
  messages: z.array(message, 'must be a list of messages').min(1, 'must not be empty').max(maxMessages),
  system: blocks.nullish(),
  tools: z.array(tool).max(maxTools).nullish(),
  tool_choice: toolChoice.nullish(),
};

/**
 * The schema lists the fields that are read; `fieldRules` lists the others. Limits of numbers are those of the
 * protocol.
 */
export const MessagesRequest = z.looseObject({
  ...prompt,
  max_tokens: z.number('must be a number').int().min(1).max(maxTokens),
  stop_sequences: stopTexts,
  stream: z.boolean().nullish(),
  ...samplingFields,
  output_format: outputFormat.nullish(),
  output_config: z.looseObject({ format: outputFormat.nullish() }).nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
  thread: z.unknown().optional(),
});
export type MessagesRequest = z.output<typeof MessagesRequest>;

export const CountRequest = z.looseObject(prompt);
export type CountRequest = z.output<typeof CountRequest>;

const harmless = [
  'cache_control',
  'context_management',
  'diagnostics',
  'metadata',
  'service_tier',
  'speed',
  'thinking',
  'user_profile_id',
];

export const fieldRules = { known: new Set(Object.keys(MessagesRequest.shape)), ignored: new Set(harmless) };

/** Rules of the objects within a body. */
export const innerRules = {
  tool: {
    known: new Set(Object.keys(tool.shape)),
    ignored: new Set(['allowed_callers', 'cache_control', 'defer_loading', 'eager_input_streaming', 'input_examples']),
  },
  outputConfig: { known: new Set(['format']), ignored: new Set(['effort']) },
} as const;

/** Requests to count tokens may contain the fields of generations, which are ignored. */
export const countRules = {
  known: new Set(Object.keys(prompt)),
  ignored: new Set([...harmless, ...Object.keys(MessagesRequest.shape)]),
};
