import { createInteractionCache } from './interaction-cache';
import { aDraft } from './testing/session-builder';

const failure = (code: string, reason: string) => expect.objectContaining({ code, reason }) as Error;

function aSession() {
  const cache = createInteractionCache();
  const first = cache.add(aDraft());
  const second = cache.add(aDraft());
  return { rewards: cache.rewards, first: first.id, second: second.id };
}

describe('rewards of a session', () => {
  it('apply to a named call, and a correction counts as a revision', () => {
    const { rewards, first, second } = aSession();
    expect(rewards.set(first, 0.5)).toEqual({ reward: 0.5, revision: 1 });
    expect(rewards.set(first, -1)).toEqual({ reward: -1, revision: 2 });
    expect(rewards.get(first)).toEqual({ reward: -1, revision: 2 });
    expect(rewards.get(second)).toBeUndefined();
    expect(rewards.size).toBe(1);
  });

  it('apply to the call that was completed last', () => {
    const { rewards, second } = aSession();
    expect(rewards.setLast(1)).toEqual({ id: second, reward: 1, revision: 1 });
  });

  it('are set from a dictionary, all or none', () => {
    const { rewards, first, second } = aSession();
    expect(() => rewards.setAll({ [first]: 1, unknown: 2 })).toThrow(failure('not_found', 'unknown_interaction'));
    expect(rewards.size).toBe(0);
    rewards.setAll({ [first]: 1, [second]: 2 });
    expect([rewards.get(first)?.reward, rewards.get(second)?.reward]).toEqual([1, 2]);
  });

  it.each([[Number.NaN], [Infinity], [1e300], [null], [undefined], ['1'], [true], [1n]])('are never %p', (reward) => {
    const { rewards, first } = aSession();
    expect(() => rewards.set(first, reward)).toThrow(failure('invalid_request', 'reward_invalid'));
    expect(() => rewards.setLast(reward)).toThrow(failure('invalid_request', 'reward_invalid'));
    expect(rewards.size).toBe(0);
  });

  it('are refused for an unknown id, and before any call was completed', () => {
    const { rewards } = createInteractionCache();
    expect(() => rewards.set('unknown', 1)).toThrow(failure('not_found', 'unknown_interaction'));
    expect(() => rewards.setLast(1)).toThrow(failure('conflict', 'no_interactions'));
  });
});
