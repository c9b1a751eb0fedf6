import type { JsonObject, JsonValue } from '../../../model/json';
import { atMostOne } from '../../../shapes/settings/key-choice';
import { keySpec } from '../../../shapes/object-kind';
import { nonEmptyText } from '../../../shapes/shapes';
import { flag, texts, whole, word } from '../../../shapes/settings/setting-shapes';
import { settingsShape } from '../../../shapes/settings/settings-shape';

export const thinking = settingsShape({
  title: 'thinking',
  keys: {
    enabled: keySpec('Whether the model is to think; true by default', flag),
    effort: keySpec('How much it thinks', word('minimal', 'low', 'medium', 'high', 'xhigh')),
    budget_tokens: keySpec('Maximum number of tokens that it thinks', whole(1, 1_000_000)),
  },
  unsupported: { include_in_output: 'thoughts in the answer: they are in the log of standard error' },
});

export const webSearch = settingsShape({
  title: 'web_search',
  keys: {
    enabled: keySpec('Whether the model may search the web; true by default', flag),
    max_uses: keySpec('Maximum number of searches of one request', whole(1, 1_000)),
    allowed_domains: keySpec('The only domains whose pages are found', texts('allowed_domains')),
    blocked_domains: keySpec('Domains whose pages are not found', texts('blocked_domains')),
    user_location: keySpec(
      'Where the results are to be near',
      settingsShape({
        title: 'user_location',
        keys: {
          city: keySpec('City', nonEmptyText),
          region: keySpec('Region or state', nonEmptyText),
          country: keySpec('Country in two letters, such as CH', nonEmptyText),
          timezone: keySpec('IANA time zone, such as Europe/Zurich', nonEmptyText),
        },
      }),
    ),
  },
  choices: [atMostOne('allowed_domains', 'blocked_domains')],
});

interface Abilities {
  readonly hasBudget: boolean;
  /** The settings of its search; missing where it has none. */
  readonly search?: ReadonlySet<string>;
}

const domains = ['allowed_domains', 'blocked_domains'];
const effortOnly: Abilities = { hasBudget: false };

/** By the names of providers; others are like `local`. */
const providers: ReadonlyMap<string, Abilities> = new Map<string, Abilities>([
  ['openai', { hasBudget: false, search: new Set(['user_location']) }],
  ['anthropic', { hasBudget: true, search: new Set(['max_uses', ...domains, 'user_location']) }],
  ['gemini', { hasBudget: true }],
  ['openrouter', { hasBudget: true, search: new Set([...domains, 'user_location']) }],
]);

const minAnthropicBudget = 1_024;

/**
 * Returns what the provider of a model cannot do of the `thinking` and `web_search` of a chat step. Settings with
 * references are left out: they are checked again once those are replaced.
 */
export function listChatProblems(settings: JsonObject): readonly string[] {
  const { provider = 'openai' } = settings;
  if (typeof provider !== 'string' || provider.includes('$')) return [];
  const abilities = providers.get(provider) ?? effortOnly;
  return [
    ...thinkingProblems(settings, provider, abilities),
    ...searchProblems(toMap(settings.web_search), provider, abilities),
  ];
}

/** The same for every model of the settings, each of which may have a provider of its own. */
export function listModelProblems(settings: JsonObject): readonly string[] {
  const models = Array.isArray(settings.model) ? (settings.model as readonly JsonValue[]) : [{}];
  const problems = models.flatMap((model) =>
    listChatProblems({ ...settings, ...(typeof model === 'string' ? {} : (model as JsonObject)) }),
  );
  return [...new Set(problems)];
}

function thinkingProblems(
  { thinking: given, max_tokens: maxTokens }: JsonObject,
  provider: string,
  { hasBudget }: Abilities,
): readonly string[] {
  const { enabled, effort, budget_tokens: budget } = toMap(given) ?? {};
  if (enabled === false || budget === undefined) return [];
  if (!hasBudget) {
    return effort === undefined ? [`thinking.budget_tokens is not known to ${provider}: write effort`] : [];
  }
  if (provider !== 'anthropic' || typeof budget !== 'number') return [];
  if (budget < minAnthropicBudget) return [`thinking.budget_tokens of anthropic must be ${minAnthropicBudget} or more`];
  const isTooSmall = typeof maxTokens === 'number' && maxTokens <= budget;
  return isTooSmall ? ['thinking.budget_tokens must be less than max_tokens, which includes it'] : [];
}

function searchProblems(given: JsonObject | undefined, provider: string, { search }: Abilities): readonly string[] {
  if (given === undefined || given.enabled === false) return [];
  if (search === undefined) return [`web_search is not offered by ${provider}`];
  return Object.keys(given)
    .filter((name) => name !== 'enabled' && !search.has(name))
    .map((name) => `web_search.${name} is not known to ${provider}`);
}

function toMap(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}
