import { checkNamed, readReward } from './read-reward';

describe('readReward', () => {
  it.each([
    ['a float', 0.5, 0.5],
    ['an integer', 2, 2],
    ['true', true, 1],
    ['false', false, 0],
  ])('assigns %s to the last interaction', (_kind, returned, reward) => {
    expect(readReward(returned)).toEqual({ kind: 'last', reward });
  });

  it.each([undefined, null])('sets nothing for %p', (returned) => {
    expect(readReward(returned)).toEqual({ kind: 'none' });
  });

  it('assigns the rewards of an object by id', () => {
    const rewards = new Map([
      ['a', 0.5],
      ['b', 1],
    ]);
    expect(readReward({ a: 0.5, b: true })).toEqual({ kind: 'named', rewards });
  });

  it.each([
    ['a string', '1'],
    ['a list', [1]],
    ['a map', new Map([['a', 1]])],
    ['not a number', Number.NaN],
    ['a number beyond float32', 1e300],
    ['an object with a string', { a: '1' }],
    ['a function', () => 1],
  ])('refuses %s', (_kind, returned) => {
    expect(() => readReward(returned)).toThrow(expect.objectContaining({ reason: 'reward_invalid' }) as Error);
  });
});

describe('checkNamed', () => {
  it('refuses an unknown interaction id', () => {
    expect(() => checkNamed(new Map([['b', 1]]), ['a'])).toThrow(
      expect.objectContaining({ reason: 'reward_unknown_interaction' }) as Error,
    );
  });

  it('accepts a subset of the interactions', () => {
    expect(() => checkNamed(new Map([['a', 1]]), ['a', 'b'])).not.toThrow();
  });
});
