import { z } from 'zod';
import { samplingFields, stopTexts } from '../sampling-fields';
import { jsonSchemaObject, maxTools, toolName } from '../tool-fields';
import { content } from './contents';

const maxContents = 100_000;
const maxTokens = 10_000_000;

const declaration = z.looseObject({
  name: toolName,
  description: z.string().nullish(),
  parameters: jsonSchemaObject.nullish(),
  parametersJsonSchema: jsonSchemaObject.nullish(),
});

const tool = z.looseObject({ functionDeclarations: z.array(declaration).max(maxTools).nullish() });

const functionCallingConfig = z.looseObject({
  mode: z.enum(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE'], 'must be AUTO, ANY or NONE here').nullish(),
  allowedFunctionNames: z.array(z.string()).max(maxTools).nullish(),
});

const toolConfig = z.looseObject({ functionCallingConfig: functionCallingConfig.nullish() });

const thinkingConfig = z.looseObject({ includeThoughts: z.boolean().nullish() });

const generationConfig = z.looseObject({
  temperature: samplingFields.temperature,
  topP: samplingFields.top_p,
  topK: samplingFields.top_k,
  frequencyPenalty: samplingFields.frequency_penalty,
  presencePenalty: samplingFields.presence_penalty,
  seed: samplingFields.seed,
  stopSequences: stopTexts,
  maxOutputTokens: z.number().int().min(1).max(maxTokens).nullish(),
  candidateCount: z.literal(1, 'must be 1: one answer is recorded for each call').nullish(),
  responseModalities: z.array(z.literal('TEXT', 'can only be TEXT here')).nullish(),
  responseMimeType: z.enum(['text/plain', 'application/json'], 'must be text/plain or application/json here').nullish(),
  responseSchema: jsonSchemaObject.nullish(),
  responseJsonSchema: jsonSchemaObject.nullish(),
  responseLogprobs: z.boolean().nullish(),
  logprobs: z.number().int().min(0).max(20).nullish(),
  thinkingConfig: thinkingConfig.nullish(),
});

const model = z.string().max(512);

const prompt = {
  model: model.nullish(),
  contents: z.array(content, 'must be a list of contents').min(1, 'must not be empty').max(maxContents),
  systemInstruction: content.nullish(),
  tools: z.array(tool).max(maxTools).nullish(),
};

/**
 * The schema lists the fields that are read; `fieldRules` lists the others. Limits of numbers are those of the
 * protocol.
 */
export const GenerateContentRequest = z.looseObject({
  ...prompt,
  toolConfig: toolConfig.nullish(),
  generationConfig: generationConfig.nullish(),
  store: z.boolean().nullish(),
  min_p: samplingFields.min_p,
  repetition_penalty: samplingFields.repetition_penalty,
  logit_bias: samplingFields.logit_bias,
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
});
export type GenerateContentRequest = z.output<typeof GenerateContentRequest>;

export const Prompt = z.looseObject(prompt);
export type Prompt = z.output<typeof Prompt>;

/** The address of a call, which in this protocol names the model. */
export const Address = z.looseObject({ model: model.min(1), alt: z.string().optional(), key: z.string().optional() });

const harmless = ['labels', 'safetySettings', 'serviceTier'];
const known = (schema: { readonly shape: object }) => new Set(Object.keys(schema.shape));
const none: ReadonlySet<string> = new Set();

export const fieldRules = { known: known(GenerateContentRequest), ignored: new Set(harmless) };

/** Rules of the objects within a body. */
export const innerRules = {
  content: { known: known(content), ignored: none },
  tool: { known: known(tool), ignored: none },
  declaration: { known: known(declaration), ignored: new Set(['response', 'responseJsonSchema']) },
  toolConfig: { known: known(toolConfig), ignored: none },
  functionCallingConfig: { known: known(functionCallingConfig), ignored: none },
  generationConfig: { known: known(generationConfig), ignored: new Set(['mediaResolution']) },
  thinkingConfig: { known: known(thinkingConfig), ignored: new Set(['thinkingBudget', 'thinkingLevel']) },
} as const;

/** Requests to count tokens may contain the fields of generations, which are ignored. */
export const countRules = {
  known: new Set(Object.keys(prompt)),
  ignored: new Set([...harmless, ...Object.keys(GenerateContentRequest.shape)]),
};
