import type { ModelProvider } from '@weir/workflow-contract/schemas';
import type { ModelProtocol } from './agent-settings';

interface ModelService {
  readonly protocol: ModelProtocol;
  /** Used where a model has none of its own. */
  readonly baseUrl: string;
  /** Whether the usual address answers nobody without a key. */
  readonly needsKey: boolean;
}

const openAi: ModelService = { protocol: 'openai', baseUrl: 'https://api.openai.com/v1', needsKey: true };

export const modelServices: Readonly<Record<ModelProvider, ModelService>> = {
  anthropic: { protocol: 'anthropic', baseUrl: 'https://api.anthropic.com', needsKey: true },
  openai: openAi,
  'openai-codex': openAi,
  gemini: { ...openAi, baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  openrouter: { ...openAi, baseUrl: 'https://openrouter.ai/api/v1' },
  // Where Ollama listens.
  local: { ...openAi, baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false },
  zai: { ...openAi, baseUrl: 'https://api.z.ai/api/paas/v4' },
};

/** Where a model is called. Without a slash at its end. */
export function addressOfModel({
  provider,
  baseUrl,
}: {
  readonly provider: ModelProvider;
  readonly baseUrl: string | null;
}): string {
  return (baseUrl ?? modelServices[provider].baseUrl).replace(/\/+$/, '');
}
