import type { TokenPath } from '../api/read-tokens';
import { createJumps } from './token-jumps';
import { listAlternatives } from './list-alternatives';
import { coloursOf, markTokens, shadeOfProbability } from './token-shades';
import { tokenText } from './token-text';

/** Two calls: a prompt and an answer of version 1, and then both again, of versions 1 and 2. */
const path: TokenPath = {
  count: 7,
  segments: [
    { interaction_id: 'a', from: 0, sampled_from: 2, to: 3 },
    { interaction_id: 'b', from: 3, sampled_from: 4, to: 7 },
  ],
  ids: Int32Array.of(1, 2, 3, 4, 5, 6, 7),
  logprobs: Float32Array.of(NaN, NaN, -0.5, NaN, -3, -0.001, -1),
  versions: Int32Array.of(-1, -1, 1, -1, 1, 2, 2),
  sources: Int32Array.of(0, 0, 2, 0, 1, 1, 1),
  turns: Int32Array.of(0, 0, 0, 1, 1, 1, 1),
  lossMask: Uint8Array.of(0, 0, 0, 0, 1, 1, 1),
  control: Uint8Array.of(1, 0, 0, 0, 0, 0, 0),
  alternatives: 2,
  entropies: Float32Array.of(NaN, NaN, 0, NaN, 0.3, 2.5, 0.05),
  promptLogprobs: undefined,
  maskSizes: undefined,
  lossWeights: undefined,
  scores: new Map([['teacher', Float32Array.of(NaN, NaN, -0.5, NaN, -8, -0.4, NaN)]]),
  bytesOf: () => new TextEncoder().encode(' s'),
};

describe('the text of a token', () => {
  it.each([
    ['a\n', 'a⏎\n'],
    ['\t', '⇥\t'],
    [' x', ' x'],
  ])('%j is %j', (text, shown) => expect(tokenText(new TextEncoder().encode(text))).toBe(shown));

  it('is its bytes if they are a part of a character', () => {
    expect(tokenText(Uint8Array.of(0xe2, 0x80))).toBe('⟨e2 80⟩');
  });
});

describe('shades', () => {
  it.each([
    [0, 0],
    [Math.log(0.5), 4],
    [Math.log(0.05), 7],
    [NaN, -1],
  ])('of the log-probability %d are %d', (logprob, shade) => expect(shadeOfProbability(logprob)).toBe(shade));

  it.each([
    ['logprob', [-1, -1, 4, -1, 7, 0, 5]],
    ['mask', [-1, -1, -1, -1, 6, 6, 6]],
    ['version', [-1, -1, 1, -1, 1, 5, 5]],
    ['turn', [1, 1, 1, 5, 5, 5, 5]],
    ['source', [-1, -1, 3, -1, 6, 6, 6]],
    ['entropy', [-1, -1, 0, -1, 3, 7, 1]],
    ['score:teacher', [-1, -1, 0, -1, 7, 3, -1]],
  ] as const)('by %s', (colour, shades) => {
    const marks = markTokens(path, colour, path.lossMask);
    expect([...marks.shades]).toEqual(shades);
    expect([...marks.hatched]).toEqual([1, 1, 1, 1, 0, 0, 0]);
  });
});

describe('colours', () => {
  it('are only of what is recorded', () => {
    expect(coloursOf(path)).toEqual(['logprob', 'entropy', 'mask', 'version', 'turn', 'source', 'score:teacher']);
    expect(coloursOf({ entropies: undefined, scores: new Map() })).not.toContain('entropy');
  });
});

describe('the likeliest tokens of a position', () => {
  const bytes = btoa('e\n');
  const likeliest = [
    { id: 40, logprob: -0.1 },
    { id: 7, logprob: -1 },
  ];
  const recorded = {
    tokens: [40, 50].map((id) => ({ id, bytes, control: false })),
    positions: [
      { at: 6, rank: 2, likeliest, scores: [] },
      {
        at: 5,
        rank: null,
        likeliest: [{ id: 40, logprob: -0.1 }],
        scores: [{ scorer: 'teacher', rank: null, likeliest: [{ id: 50, logprob: -0.2 }] }],
      },
    ],
  };

  it('have the sampled one in its place', () => {
    const list = listAlternatives(path, recorded, 6);
    expect(list).toMatchObject({ isUnranked: false, scorers: [] });
    expect(list?.items.map(({ id, rank, isSampled, text }) => [id, rank, isSampled, text])).toEqual([
      [40, 1, false, 'e⏎'],
      [7, 2, true, ' s'],
    ]);
  });

  it('are followed by the sampled one, and by those of other models', () => {
    const list = listAlternatives(path, recorded, 5);
    expect(list).toMatchObject({ isUnranked: true, scorers: ['teacher'] });
    expect(list?.items.map(({ id, rank, logprob, scores }) => [id, rank, logprob, scores])).toEqual([
      [40, 1, -0.1, [undefined]],
      [6, undefined, path.logprobs[5], [path.scores.get('teacher')?.[5]]],
      [50, undefined, undefined, [-0.2]],
    ]);
  });

  it('are none where none are recorded', () => expect(listAlternatives(path, recorded, 4)).toBeUndefined());
});

describe('jumps', () => {
  const jumps = createJumps(path);

  it('go from the least probable token upwards, and wrap around', () => {
    const first = jumps.nextLowest(undefined);
    const second = jumps.nextLowest(first);
    expect([first, second, jumps.nextLowest(5)]).toEqual([4, 6, 4]);
    expect([jumps.rankOf(4), jumps.rankOf(5), jumps.rankOf(0)]).toEqual([1, 4, undefined]);
  });

  it('go to the next part, and to the next version', () => {
    expect([undefined, 0, 2, 3, 4].map(jumps.nextBoundary)).toEqual([0, 2, 3, 4, 0]);
    expect([undefined, 5].map(jumps.nextVersion)).toEqual([5, 5]);
  });

  it('have no target without tokens', () => {
    const empty = createJumps({ ...path, count: 0, segments: [], sources: new Int32Array() });
    expect([empty.nextLowest(undefined), empty.nextBoundary(3), empty.nextVersion(3)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
