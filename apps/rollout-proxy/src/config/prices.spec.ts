import { findPrice, priceTable } from './prices';

const price = (models: string, input: number) => ({ models, input, cachedInput: input, output: 2 });

describe('the table of prices', () => {
  it('has a price for a million tokens of each kind; a cached token costs as much as another one by default', () => {
    const text = '{"a":{"input":1,"cached_input":0.1,"output":2},"b*":{"input":3,"output":2}}';
    expect(priceTable.parse(text)).toEqual([{ ...price('a', 1), cachedInput: 0.1 }, price('b*', 3)]);
    expect(priceTable.parse('{}')).toEqual([]);
  });

  it.each([
    '',
    'cheap',
    '[]',
    '{"a":1}',
    '{"a":{"input":1}}',
    '{"a":{"input":-1,"output":1}}',
    '{"a":{"input":1,"output":1,"per":1}}',
  ])('refuses %p', (text) =>
    expect(priceTable.safeParse(text).error?.issues[0]?.message).toContain('must be JSON like'),
  );
});

describe('the price of a model', () => {
  it.each([
    ['qwen3-8b', 'qwen3-8b', true],
    ['qwen3-8b', 'qwen3-8', false],
    ['qwen3-*', 'qwen3-8b', true],
    ['*', '', true],
    ['*/*-it', 'google/gemma-it', true],
    ['a*a', 'a', false],
    ['a*b*a', 'abba', true],
    ['a*bb*a', 'aba', false],
  ])('%p is that of %p: %p', (models, name, isThat) => {
    expect(findPrice([price(models, 1)], name) !== undefined).toBe(isThat);
  });

  it('is the first one that has its name', () => {
    expect(findPrice([price('big', 9), price('*', 1)], 'big')?.input).toBe(9);
    expect(findPrice([price('*', 1), price('big', 9)], 'big')?.input).toBe(1);
  });
});
