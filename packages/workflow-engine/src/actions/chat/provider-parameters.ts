import type { JsonObject } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ModelAccess, ModelRequest } from '../../host/models/conversation';
import type { ChatModel } from './chat-models';

type Settings = SettingsFor<'chat.completion'>;
type Thinking = NonNullable<Settings['thinking']>;
type WebSearch = NonNullable<Settings['web_search']>;

interface ProviderParameters extends Pick<ModelRequest, 'more' | 'serverTools'> {
  readonly access: ModelAccess;
  /** Tells the model the form of its answer, where its provider has no parameter for that. */
  readonly form?: string | undefined;
}

/** Of messages of Anthropic, whose limit of tokens includes the thoughts. */
const answerTokens = 4_096;
const thoughtTokens = 16_384;

/** Says what a chat step asks for in the words of the provider: each has its own for thinking and for searching. */
export function providerParameters(
  model: ChatModel,
  settings: Settings,
  schema: JsonObject | undefined,
): ProviderParameters {
  const thinking = settings.thinking?.enabled === false ? undefined : settings.thinking;
  const search = settings.web_search?.enabled === false ? undefined : settings.web_search;
  const sampling = settings.top_p === undefined ? {} : { top_p: settings.top_p };
  // Its chat completions neither show thoughts nor search.
  if (model.provider === 'anthropic' && (thinking ?? search) !== undefined) {
    const { effort, budget_tokens: budget } = thinking ?? {};
    const maxTokens = thinking && (model.maxTokens ?? (budget ?? thoughtTokens) + answerTokens);
    return {
      access: { protocol: 'anthropic', ...model, ...(maxTokens === undefined ? {} : { maxTokens }) },
      more: { ...sampling, ...(thinking && anthropicThinking(effort, budget)) },
      ...(search && { serverTools: [anthropicSearch(search)] }),
      form: formOf(settings, schema),
    };
  }
  const isOpenRouter = model.provider === 'openrouter';
  return {
    access: { protocol: 'openai', ...model },
    more: {
      ...sampling,
      ...(settings.reasoning_effort === undefined ? {} : { reasoning_effort: settings.reasoning_effort }),
      ...(thinking && openAiThinking(model.provider, thinking)),
      ...(settings.response_format === 'json' ? { response_format: { type: 'json_object' } } : {}),
      ...(settings.response_format === 'schema' && schema !== undefined
        ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }
        : {}),
      ...(search && !isOpenRouter ? { web_search_options: openAiSearch(search) } : {}),
    },
    ...(search && isOpenRouter ? { serverTools: [openRouterSearch(search)] } : {}),
  };
}

function openAiThinking(provider: string, { effort, budget_tokens: budget }: Thinking): JsonObject {
  if (provider === 'openrouter') {
    if (budget !== undefined) return { reasoning: { max_tokens: budget } };
    return { reasoning: effort === undefined ? { enabled: true } : { effort } };
  }
  if (provider === 'gemini' && budget !== undefined)
    return { extra_body: { google: { thinking_config: { thinking_budget: budget } } } };
  return { reasoning_effort: effort ?? 'medium' };
}

function anthropicThinking(effort: Thinking['effort'], budget: number | undefined): JsonObject {
  // Otherwise some models sign their thoughts without showing them.
  const display = 'summarized';
  // Older models need a budget, and newer ones decide by the effort.
  if (budget !== undefined) return { thinking: { type: 'enabled', budget_tokens: budget, display } };
  return {
    thinking: { type: 'adaptive', display },
    ...(effort === undefined ? {} : { output_config: { effort: effort === 'minimal' ? 'low' : effort } }),
  };
}

function openAiSearch({ user_location: near }: WebSearch): JsonObject {
  return near === undefined ? {} : { user_location: { type: 'approximate', approximate: { ...near } } };
}

function anthropicSearch({ enabled, user_location: near, ...limits }: WebSearch): JsonObject {
  return { type: 'web_search_20250305', name: 'web_search', ...limits, ...nearTo(near) };
}

function openRouterSearch({
  allowed_domains: allowed,
  blocked_domains: blocked,
  user_location: near,
}: WebSearch): JsonObject {
  const parameters = {
    ...(allowed === undefined ? {} : { allowed_domains: allowed }),
    ...(blocked === undefined ? {} : { excluded_domains: blocked }),
    ...nearTo(near),
  };
  return { type: 'openrouter:web_search', ...(Object.keys(parameters).length === 0 ? {} : { parameters }) };
}

function nearTo(near: WebSearch['user_location']): JsonObject {
  return near === undefined ? {} : { user_location: { type: 'approximate', ...near } };
}

function formOf({ response_format: format }: Settings, schema: JsonObject | undefined): string | undefined {
  if (format === 'json') return 'Answer with JSON, and nothing else.';
  if (format !== 'schema' || schema === undefined) return undefined;
  return `Answer with JSON that matches this JSON Schema, and nothing else: ${JSON.stringify(schema)}`;
}
