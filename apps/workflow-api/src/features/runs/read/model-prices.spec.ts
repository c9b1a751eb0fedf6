import { presentModelUse, type ModelPrice } from './model-prices';

const use = {
  provider: 'openai',
  model: 'm',
  hasOwnAddress: false,
  inputTokens: 1_000,
  outputTokens: 500,
  cachedTokens: 100,
};
const price: ModelPrice = {
  provider: 'openai',
  model: 'm',
  baseUrl: null,
  facts: { inputCostPer1M: 2, outputCostPer1M: 8 },
};

it('has the cost of a model with a price', () => {
  expect(presentModelUse([use], [price])).toEqual([
    { provider: 'openai', model: 'm', inputTokens: 1_000, outputTokens: 500, cachedTokens: 100, cost: 0.006 },
  ]);
});

it.each<[string, Partial<ModelPrice>]>([
  ['another model', { model: 'n' }],
  ['another provider', { provider: 'openrouter' }],
  ['an address of its own', { baseUrl: 'https://a.test' }],
  ['no price', { facts: {} }],
])('has no cost by the price of %s', (_, values) => {
  expect(presentModelUse([use], [{ ...price, ...values }])[0]).not.toHaveProperty('cost');
});
