import type { ModelPreset, ModelProvider } from '@weir/workflow-contract/schemas';

/** The month when the facts were last compared with the pages of the providers. */
const asOf = 'December 2025';

type Sizes = readonly [contextWindow: number, maxOutputTokens: number];
/** US dollars for a million tokens. */
type Prices = readonly [input: number, output: number];

function preset(
  provider: ModelProvider,
  [name, model]: readonly [string, string],
  [contextWindow, maxOutputTokens]: Sizes,
  [inputCostPer1M, outputCostPer1M]: Prices,
): ModelPreset {
  return {
    name,
    provider,
    model,
    contextWindow,
    maxOutputTokens,
    inputCostPer1M,
    outputCostPer1M,
    supportsThinking: true,
    description: provider === 'local' ? 'Runs on your own machine.' : `Prices as of ${asOf}.`,
  };
}

const claude: Sizes = [200_000, 64_000];
const gpt: Sizes = [400_000, 128_000];
const gemini: Sizes = [1_048_576, 65_536];

/** A short list of models that work with tools. Admins add others by hand. */
export const modelPresets: readonly ModelPreset[] = [
  preset('anthropic', ['Claude Haiku 4.5', 'claude-haiku-4-5'], claude, [1, 5]),
  preset('anthropic', ['Claude Opus 4.5', 'claude-opus-4-5'], claude, [5, 25]),
  preset('anthropic', ['Claude Sonnet 4.5', 'claude-sonnet-4-5'], claude, [3, 15]),
  preset('gemini', ['Gemini 2.5 Flash', 'gemini-2.5-flash'], gemini, [0.3, 2.5]),
  preset('gemini', ['Gemini 2.5 Pro', 'gemini-2.5-pro'], gemini, [1.25, 10]),
  preset('local', ['Qwen3 8B on Ollama', 'qwen3:8b'], [40_960, 8192], [0, 0]),
  preset('openai', ['GPT-5', 'gpt-5'], gpt, [1.25, 10]),
  preset('openai', ['GPT-5 mini', 'gpt-5-mini'], gpt, [0.25, 2]),
  preset('openai', ['GPT-5 nano', 'gpt-5-nano'], gpt, [0.05, 0.4]),
  preset('openrouter', ['GPT-5 mini on OpenRouter', 'openai/gpt-5-mini'], gpt, [0.25, 2]),
  preset('zai', ['GLM-4.6', 'glm-4.6'], [200_000, 128_000], [0.6, 2.2]),
];
