import { describeRecorded, entropiesOf } from './describe-recorded';
import { createInteractionCache } from './interaction-cache';
import { aDraft } from './testing/session-builder';

const draft = aDraft({ context: [1, 2], answer: [16, 17] });
const top = {
  count: 2,
  ids: Int32Array.of(16, 5, 7, -1),
  logprobs: Float32Array.of(Math.log(0.5), Math.log(0.25), 0, -9999),
};

describe('describeRecorded', () => {
  it('places what the calls of a path have at the positions of their tokens', () => {
    const cache = createInteractionCache();
    const first = cache.add({
      ...draft,
      sampled: { ...draft.sampled, top, mask: { lengths: Int32Array.of(3, 0), ids: Int32Array.of(16, 5, 6) } },
    });
    const second = cache.add(
      aDraft({ parent: first, context: [3], answer: [18], contextLogprobs: Float32Array.of(-0.5) }),
    );
    cache.lossWeights.set(second.id, [{ from: 0, to: 1, weight: 0.25 }]);
    cache.addScores('teacher', first, { logprobs: Float32Array.of(-1, -2), top: { ...top, count: 2 } });

    const detail = describeRecorded(second, cache);
    const lists = [detail.promptLogprobs, detail.maskSizes, detail.lossWeights, detail.scores.get('teacher')];
    expect(lists.map((list) => [...(list ?? [])])).toEqual([
      [NaN, NaN, NaN, NaN, -0.5, NaN],
      [-1, -1, 3, 0, -1, -1],
      [NaN, NaN, 1, 1, NaN, 0.25],
      [NaN, NaN, -1, -2, NaN, NaN],
    ]);
    expect([...(detail.entropies ?? [])].map(Number.isNaN)).toEqual([true, true, false, false, true, true]);
    expect(detail.alternatives).toBe(2);
  });

  it('has nothing for a path of which nothing is recorded', () => {
    const cache = createInteractionCache();
    const { alternatives, scores, ...lists } = describeRecorded(cache.add(draft), cache);
    expect([alternatives, scores.size, Object.values(lists)]).toEqual([
      0,
      0,
      [undefined, undefined, undefined, undefined],
    ]);
  });
});

it('the entropy counts all tokens that are not among the likeliest as one, and none that is excluded', () => {
  const [first, second] = entropiesOf(top);
  // A half, and two quarters.
  expect(first).toBeCloseTo(1.5 * Math.log(2), 6);
  expect(second).toBe(0);
});
