import { addUpModelUse, costOf, type ModelUse } from './model-use';

const use = (values: Partial<ModelUse> = {}): ModelUse => ({
  provider: 'openai',
  model: 'm',
  hasOwnAddress: false,
  inputTokens: 5,
  outputTokens: 2,
  cachedTokens: 1,
  ...values,
});

it('adds up what was asked of one model, and keeps others apart', () => {
  expect(addUpModelUse([use(), use({ provider: 'local' }), use(), use({ hasOwnAddress: true })])).toEqual([
    use({ inputTokens: 10, outputTokens: 4, cachedTokens: 2 }),
    use({ provider: 'local' }),
    use({ hasOwnAddress: true }),
  ]);
});

it.each([Number.NaN, -1, 0.5, 1e300])('counts no tokens where a server says that they are %d', (inputTokens) => {
  expect(addUpModelUse([use({ inputTokens })])).toEqual([use({ inputTokens: 0 })]);
});

it.each([
  ['for a million tokens', { inputCostPer1M: 2, outputCostPer1M: 10 }, 2],
  ['for tokens from a cache', { inputCostPer1M: 2, cachedInputCostPer1M: 0.5, outputCostPer1M: 10 }, 1.4],
  ['where there are none', {}, 0],
])('costs what the prices say %s', (_, prices, cost) => {
  expect(costOf({ inputTokens: 500_000, cachedTokens: 400_000, outputTokens: 100_000 }, prices)).toBe(cost);
});
