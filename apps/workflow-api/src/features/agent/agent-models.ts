import type { ModelAccess } from '@weir/workflow-engine';
import type { UsableModel } from '../agent-settings';

/** Returns the address, key and settings for calls of the model. */
export function toModelAccess(model: UsableModel): ModelAccess {
  const { protocol, model: name, baseUrl, apiKey, maxOutputTokens, thinkingEffort } = model;
  return {
    protocol,
    name,
    baseUrl,
    apiKey: apiKey?.reveal() ?? '',
    ...(maxOutputTokens === undefined || maxOutputTokens === 0 ? {} : { maxTokens: maxOutputTokens }),
    reasoningEffort: thinkingEffort,
  };
}

const usualLength = 400_000;
const charactersPerToken = 3;

/** Returns how many characters of conversation fit, with room for the reply. */
export function maxConversation({ contextWindow }: Pick<UsableModel, 'contextWindow'>): number {
  if (contextWindow === undefined || contextWindow === 0) return usualLength;
  return Math.floor(contextWindow * charactersPerToken * 0.75);
}
