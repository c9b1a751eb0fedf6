import { z } from 'zod';

/** The services that models are called at; each decides the protocol and the usual address. */
export const ModelProvider = z
  .enum(['anthropic', 'openai', 'openai-codex', 'gemini', 'openrouter', 'local', 'zai'])
  .meta({ id: 'AgentModelProvider', description: 'Service of a model; "local" is a server of your own.' });
export type ModelProvider = z.output<typeof ModelProvider>;

export const ThinkingEffort = z
  .enum(['low', 'medium', 'high', 'xhigh'])
  .meta({ id: 'AgentThinkingEffort', description: 'How much a model reasons before it answers.' });
export type ThinkingEffort = z.output<typeof ThinkingEffort>;

/** Ids of models and souls: given, or made of the name. */
export const slug = z
  .string()
  .max(128)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words and numbers, joined by "-"');

const maxNameLength = 200;
/** 2^31 - 1, the largest number of a column. */
const maxTokens = 2_147_483_647;
export const settingName = z.string().max(maxNameLength);
export const settingDescription = z.string().max(1000);
const tokens = z.int().min(0).max(maxTokens);
const cost = z.number().min(0).max(1_000_000);

const facts = {
  contextWindow: tokens.optional().describe('How many tokens the model reads at most.'),
  maxOutputTokens: tokens.optional().describe('How many tokens it writes at most.'),
  inputCostPer1M: cost.optional().describe('US dollars for a million tokens that it reads.'),
  cachedInputCostPer1M: cost
    .optional()
    .describe('US dollars for a million tokens that it reads from a cache of its service. Default: inputCostPer1M.'),
  outputCostPer1M: cost.optional().describe('US dollars for a million tokens that it writes.'),
  supportsThinking: z.boolean().optional().describe('Whether its effort can be chosen. Default: false.'),
  thinkingEffort: ThinkingEffort.optional(),
  description: settingDescription.optional().describe('Purpose of the model.'),
};

const baseUrl = z
  .string()
  .max(2048)
  .refine(isModelAddress, 'must be an http or https address without credentials, query and fragment');

const writable = {
  apiKey: z.string().max(8192).optional().describe('Key of the service. Stored encrypted, and never returned.'),
  baseUrl: baseUrl
    .optional()
    .describe('Address of the service in place of the usual one. An empty text means the usual one.'),
};

export const ModelConfigResponse = z
  .object({
    id: z.string().describe('Stable id.'),
    name: z.string().describe('Unique name, shown in lists.'),
    provider: ModelProvider,
    model: z.string().describe('Name of the model at the service.'),
    apiKeyConfigured: z.boolean().describe('Whether a key is stored. The key itself cannot be read.'),
    baseUrl: z.string().optional().describe('Address of the service; omitted for the usual one.'),
    ...facts,
  })
  .meta({ id: 'ModelConfigResponse', description: 'A model that the agent may use.' });
export type ModelConfigResponse = z.output<typeof ModelConfigResponse>;

export const CreateModelConfigRequest = z
  .object({
    id: slug.optional().describe('Stable id. Default: made of the name.'),
    name: settingName.describe('Unique name.'),
    provider: ModelProvider,
    model: settingName.describe('Name of the model at the service.'),
    ...writable,
    ...facts,
  })
  .meta({ id: 'CreateModelConfigRequest', description: 'A new model.' });
export type CreateModelConfigRequest = z.output<typeof CreateModelConfigRequest>;

export const UpdateModelConfigRequest = z
  .object({
    name: settingName.optional().describe('New unique name; a blank one changes nothing.'),
    provider: ModelProvider.optional(),
    model: settingName.optional().describe('New name at the service; a blank one changes nothing.'),
    ...writable,
    apiKey: writable.apiKey.describe('New key; an empty text removes it.'),
    ...facts,
  })
  .meta({ id: 'UpdateModelConfigRequest', description: 'The fields to change; omitted fields are not changed.' });
export type UpdateModelConfigRequest = z.output<typeof UpdateModelConfigRequest>;

const defaultModelId = z
  .string()
  .optional()
  .describe('Id of the model that sessions use; omitted where there is none.');

export const ListModelsResponse = z
  .object({ models: z.array(ModelConfigResponse).describe('Oldest first.'), defaultModelId })
  .meta({ id: 'ListModelsResponse', description: 'All models.' });

export const SetDefaultModelRequest = z
  .object({ modelId: z.string().min(1).max(128).describe('Id of the model.') })
  .meta({ id: 'SetDefaultModelRequest', description: 'The model that sessions use.' });

export const SetDefaultModelResponse = z
  .object({ defaultModelId })
  .meta({ id: 'SetDefaultModelResponse', description: 'The model that sessions use.' });

export const ModelPreset = z
  .object({
    name: z.string().describe('Name of the model.'),
    provider: ModelProvider,
    model: z.string().describe('Name of the model at the service.'),
    ...facts,
  })
  .meta({ id: 'ModelPreset', description: 'A known model with its facts, to be copied into a new one.' });
export type ModelPreset = z.output<typeof ModelPreset>;

export const ListModelPresetsResponse = z
  .object({ presets: z.array(ModelPreset).describe('By provider and name.') })
  .meta({ id: 'ListModelPresetsResponse', description: 'Known models.' });

/** Whether a model can be called at this address. An empty text is for the usual one. */
function isModelAddress(text: string): boolean {
  if (text === '') return true;
  if (/[?#]/.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
