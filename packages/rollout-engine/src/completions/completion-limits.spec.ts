import { limitNewTokens, type TokenBudget } from './completion-limits';

const limits = { defaultNewTokens: 512, maxNewTokens: 1_000, maxSessionTokens: 2_000 };
const budget = (more: Partial<TokenBudget> = {}): TokenBudget => ({
  promptTokens: 100,
  contextLength: 4_096,
  sessionTokens: 0,
  requested: undefined,
  ...more,
});

describe('the maximum number of tokens of an answer', () => {
  it.each<[string, Partial<TokenBudget>, number]>([
    ['is the default when nothing was asked for', {}, 512],
    ['is what was asked for', { requested: 7 }, 7],
    ['is cut to the largest answer', { requested: 5_000 }, 1_000],
    ['is cut to what the context has left', { promptTokens: 4_000, requested: 500 }, 96],
    ['is cut to what the session has left', { sessionTokens: 1_990 }, 10],
  ])('%s', (_, more, expected) => {
    expect(limitNewTokens(budget(more), limits)).toBe(expected);
  });

  it.each<[Partial<TokenBudget>, string]>([
    [{ promptTokens: 4_096 }, 'context_length_exceeded'],
    [{ sessionTokens: 2_000 }, 'session_tokens_spent'],
  ])('does not exist if there is no room: %j', (more, reason) => {
    expect(() => limitNewTokens(budget(more), limits)).toThrow(
      expect.objectContaining({ code: 'invalid_request', reason }) as Error,
    );
  });
});
