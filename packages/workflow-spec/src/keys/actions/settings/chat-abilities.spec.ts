import type { JsonObject } from '../../../model/json';
import { listChatProblems } from './chat-abilities';

describe('listChatProblems', () => {
  it.each<[string, JsonObject]>([
    ['no provider', { thinking: { effort: 'high' }, web_search: { user_location: { city: 'Bern' } } }],
    ['a budget beside an effort', { provider: 'openai', thinking: { effort: 'high', budget_tokens: 10 } }],
    ['a budget of anthropic', { provider: 'anthropic', thinking: { budget_tokens: 1_024 }, max_tokens: 1_025 }],
    [
      'what is off',
      { provider: 'local', thinking: { enabled: false, budget_tokens: 1 }, web_search: { enabled: false } },
    ],
    ['a provider with a reference', { provider: '${params.p}', web_search: {} }],
    ['a budget with a reference', { provider: 'anthropic', thinking: { budget_tokens: '${params.b}' } }],
  ])('finds none in %s', (_, settings) => {
    expect(listChatProblems(settings)).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ thinking: { budget_tokens: 10 } }, 'thinking.budget_tokens is not known to openai: write effort'],
    [
      { provider: 'mine', thinking: { budget_tokens: 10 } },
      'thinking.budget_tokens is not known to mine: write effort',
    ],
    [
      { provider: 'anthropic', thinking: { budget_tokens: 1_023 } },
      'thinking.budget_tokens of anthropic must be 1024 or more',
    ],
    [
      { provider: 'anthropic', thinking: { budget_tokens: 2_000 }, max_tokens: 2_000 },
      'thinking.budget_tokens must be less than max_tokens, which includes it',
    ],
    [{ provider: 'gemini', web_search: {} }, 'web_search is not offered by gemini'],
    [{ provider: 'openai', web_search: { max_uses: 2 } }, 'web_search.max_uses is not known to openai'],
    [{ provider: 'openrouter', web_search: { max_uses: 2 } }, 'web_search.max_uses is not known to openrouter'],
  ])('finds what is wrong in %j', (settings, problem) => {
    expect(listChatProblems(settings)).toEqual([problem]);
  });
});
