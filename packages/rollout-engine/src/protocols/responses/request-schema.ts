import { z } from 'zod';
import { samplingFields, stopTexts } from '../sampling-fields';
import { jsonSchemaObject, maxTools, toolName } from '../tool-fields';
import { InputItem } from './input-items';

const maxItems = 100_000;
const maxTokens = 10_000_000;
const maxMetadata = 16;

const tool = z.looseObject({
  type: z.literal('function', 'can only be function here'),
  name: toolName,
  description: z.string().nullish(),
  parameters: jsonSchemaObject.nullish(),
  strict: z.boolean().nullish(),
});

const toolChoice = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    z.looseObject({ type: z.literal('function'), name: z.string('must be a string') }),
  ],
  'must be auto, none, required or a function',
);

const format = z.union(
  [
    z.looseObject({ type: z.enum(['text', 'json_object']) }),
    z.looseObject({ type: z.literal('json_schema'), name: z.string().max(64), schema: jsonSchemaObject }),
  ],
  'must be text, json_object or a json_schema with name and schema',
);

const metadata = z
  .record(z.string().max(64), z.string('must be a string').max(512))
  .refine((entries) => Object.keys(entries).length <= maxMetadata, `must have at most ${maxMetadata} entries`);

/** Values of `include`: one is supported, the others ask for content that never occurs. */
export const logprobsInclude = 'message.output_text.logprobs';
const includes = z.enum(
  [
    logprobsInclude,
    'code_interpreter_call.outputs',
    'computer_call_output.output.image_url',
    'file_search_call.results',
    'message.input_image.image_url',
    'reasoning.encrypted_content',
    'web_search_call.action.sources',
    'web_search_call.results',
  ],
  'is not known',
);

const prompt = {
  input: z.union([z.string(), z.array(InputItem).max(maxItems)], 'must be a string or a list of items').nullish(),
  instructions: z.string('must be a string').nullish(),
  previous_response_id: z.string('must be a string').max(256).nullish(),
  tools: z.array(tool).max(maxTools).nullish(),
};

/**
 * The schema lists the fields that are read; `fieldRules` lists the others. Limits of numbers are those of the
 * protocol.
 */
export const ResponsesRequest = z.looseObject({
  model: z.string('must be a string').max(512),
  ...prompt,
  ...samplingFields,
  stop: stopTexts,
  max_output_tokens: z.number().int().min(1).max(maxTokens).nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  include: z.array(includes).max(64).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z.looseObject({ format: format.nullish(), verbosity: z.string().max(64).nullish() }).nullish(),
  reasoning: z
    .looseObject({
      effort: z.string().max(64).nullish(),
      summary: z.string().max(64).nullish(),
    })
    .nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  truncation: z.literal('disabled', 'can only be disabled: nothing is cut from a conversation').nullish(),
  background: z.literal(false, 'cannot be true here').nullish(),
  metadata: metadata.nullish(),
  prompt_cache_key: z.string().max(1024).nullish(),
  safety_identifier: z.string().max(1024).nullish(),
  user: z.string().max(1024).nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
});
export type ResponsesRequest = z.output<typeof ResponsesRequest>;

export const CountRequest = z.looseObject(prompt);
export type CountRequest = z.output<typeof CountRequest>;

/** These fields are echoed and have no effect. */
const echoed = new Set(['prompt_cache_key', 'safety_identifier', 'user']);

export const fieldRules = {
  known: new Set(Object.keys(ResponsesRequest.shape).filter((name) => !echoed.has(name))),
  ignored: new Set([
    ...echoed,
    'client_metadata',
    'max_tool_calls',
    'prompt_cache_options',
    'prompt_cache_retention',
    'service_tier',
    'stream_options',
  ]),
};

/** Requests to count tokens may contain the fields of generations, which are ignored. */
export const countRules = {
  known: new Set(Object.keys(prompt)),
  ignored: new Set([...fieldRules.ignored, ...Object.keys(ResponsesRequest.shape), 'personality']),
};

const toolRules = {
  known: new Set(Object.keys(tool.shape)),
  ignored: new Set(['allowed_callers', 'async', 'cache_control', 'defer_loading', 'output_schema']),
};

/** Rules of the objects within a body. */
export const innerRules = {
  tool: toolRules,
  text: { known: new Set(['format']), ignored: new Set(['verbosity']) },
  reasoning: {
    known: new Set<string>(),
    ignored: new Set(['context', 'effort', 'generate_summary', 'mode', 'summary']),
  },
} as const;
