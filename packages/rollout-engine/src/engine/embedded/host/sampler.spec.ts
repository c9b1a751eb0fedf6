import type { SamplingRule } from './host-messages';
import { mostLikely, Sampler, type Distribution } from './sampler';

const neutral: SamplingRule = {
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  seed: 1,
  logitBias: new Map(),
};

/** Ids are 10, 11, 12, … by falling probability. */
function aDistribution(...probabilities: readonly number[]): Distribution {
  return {
    ids: Int32Array.from(probabilities, (_, index) => 10 + index),
    probabilities: Float64Array.from(probabilities),
    size: probabilities.length,
  };
}

const usual = aDistribution(0.5, 0.2, 0.15, 0.1, 0.05);
const draws = 20_000;

/** The share of draws of each id; each draw has a new sampler with its own seed if nothing may be counted. */
function shares(
  rule: Partial<SamplingRule>,
  isAllowed?: (id: number) => boolean,
  from = usual,
): Record<number, number> {
  const sampler = new Sampler({ ...neutral, ...rule });
  const counts: Record<number, number> = {};
  for (let draw = 0; draw < draws; draw++) {
    const id = sampler.sample(from, isAllowed)?.id ?? -1;
    counts[id] = (counts[id] ?? 0) + 1 / draws;
  }
  return counts;
}

function expectShares(actual: Record<number, number>, expected: Record<number, number>): void {
  expect(Object.keys(actual)).toEqual(Object.keys(expected));
  for (const [id, share] of Object.entries(expected))
    expect(Math.abs((actual[Number(id)] ?? 0) - share)).toBeLessThan(0.02);
}

describe('Sampler', () => {
  it.each<readonly [string, Partial<SamplingRule>, Record<number, number>]>([
    ['as they are', {}, { 10: 0.5, 11: 0.2, 12: 0.15, 13: 0.1, 14: 0.05 }],
    ['from the first two', { topK: 2 }, { 10: 5 / 7, 11: 2 / 7 }],
    ['from as few as make up 0.6', { topP: 0.6 }, { 10: 5 / 7, 11: 2 / 7 }],
    ['from one at least', { topP: 0.01 }, { 10: 1 }],
    ['from those with a fifth of the highest', { minP: 0.2 }, { 10: 0.526, 11: 0.211, 12: 0.158, 13: 0.105 }],
    [
      'with a bias',
      { logitBias: new Map([[14, Math.log(10)]]) },
      { 10: 0.345, 11: 0.138, 12: 0.103, 13: 0.069, 14: 0.345 },
    ],
    [
      'with a bias at temperature 0.5',
      { temperature: 0.5, logitBias: new Map([[14, Math.log(2)]]) },
      { 10: 0.435, 11: 0.174, 12: 0.13, 13: 0.087, 14: 0.174 },
    ],
    ['cut off after the bias', { topK: 1, logitBias: new Map([[12, 9]]) }, { 12: 1 }],
    ['the likeliest', { temperature: 0 }, { 10: 1 }],
    ['the likeliest with the bias', { temperature: 0, logitBias: new Map([[13, 5]]) }, { 13: 1 }],
  ])('draws %s', (_name, rule, expected) => {
    expectShares(shares(rule), expected);
  });

  it('draws from the allowed tokens in proportion to their probabilities', () => {
    expectShares(
      shares({}, (id) => id >= 12),
      { 12: 0.5, 13: 1 / 3, 14: 1 / 6 },
    );
  });

  it('extends beyond the cut-off when nothing within it is allowed', () => {
    expectShares(
      shares({ topK: 2 }, (id) => id >= 13),
      { 13: 2 / 3, 14: 1 / 3 },
    );
  });

  it('finds the few allowed ones among many', () => {
    const many = aDistribution(...new Array<number>(200).fill(0.005));

    expectShares(
      shares({}, (id) => id === 90 || id === 200, many),
      { 90: 0.5, 200: 0.5 },
    );
  });

  it.each([0, 1])('draws nothing when nothing is allowed, at temperature %d', (temperature) => {
    expect(new Sampler({ ...neutral, temperature }).sample(usual, () => false)).toBeUndefined();
  });

  it('never draws a token without probability', () => {
    expectShares(shares({}, undefined, aDistribution(0.6, 0.4, 0, 0)), { 10: 0.6, 11: 0.4 });
  });

  it('penalizes tokens drawn before, by presence and by count', () => {
    const sampler = new Sampler({ ...neutral, temperature: 0, presencePenalty: 0.5, frequencyPenalty: 0.5 });
    const ids = Array.from({ length: 6 }, () => sampler.sample(usual, undefined)?.id);

    expect(ids).toEqual([10, 11, 10, 12, 10, 13]);
  });

  it('records the original probability, regardless of changes to it', () => {
    const rule = { topK: 1, logitBias: new Map([[12, 9]]) };

    expect(new Sampler({ ...neutral, ...rule }).sample(usual, undefined)?.logprob).toBeCloseTo(Math.log(0.15), 12);
  });

  it.each([0, -5, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER])('accepts %d as seed', (seed) => {
    const draw = (): (number | undefined)[] => {
      const sampler = new Sampler({ ...neutral, seed });
      return Array.from({ length: 20 }, () => sampler.sample(usual, undefined)?.id);
    };

    expect(draw()).toEqual(draw());
    expect(new Set(draw()).size).toBeGreaterThan(1);
  });
});

describe('likeliest', () => {
  it('returns at most the existing tokens, with finite numbers', () => {
    expect(mostLikely(aDistribution(1, 0), 5)).toEqual([
      { id: 10, logprob: 0 },
      { id: 11, logprob: Math.log(1e-45) },
    ]);
  });
});
