import type { ModelProvider } from '@weir/workflow-contract/schemas';
import type { ModelProtocol } from './agent-settings';

interface ModelService {
  readonly protocol: ModelProtocol;
  /** The address of models without one of their own. */
  readonly baseUrl: string;
  /** Whether the usual address refuses calls without a key. */
  readonly needsKey: boolean;
}

const openAi: ModelService = { protocol: 'openai', baseUrl: 'https://api.openai.com/v1', needsKey: true };

export const modelServices: Readonly<Record<ModelProvider, ModelService>> = {
  anthropic: { protocol: 'anthropic', baseUrl: 'https://api.anthropic.com', needsKey: true },
  openai: openAi,
  'openai-codex': openAi,
  gemini: { ...openAi, baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  openrouter: { ...openAi, baseUrl: 'https://openrouter.ai/api/v1' },
  // Ollama listens at this address.
  local: { ...openAi, baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false },
  zai: { ...openAi, baseUrl: 'https://api.z.ai/api/paas/v4' },
};

/** Returns the address of a model, without a trailing slash. */
export function addressOfModel({
  provider,
  baseUrl,
}: {
  readonly provider: ModelProvider;
  readonly baseUrl: string | null;
}): string {
  return (baseUrl ?? modelServices[provider].baseUrl).replace(/\/+$/, '');
}
