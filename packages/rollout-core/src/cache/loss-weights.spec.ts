import { createLossWeights } from './loss-weights';

const failure = (code: string, reason: string) => expect.objectContaining({ code, reason }) as Error;

describe('createLossWeights', () => {
  const calls: Readonly<Record<string, number>> = { a: 4, b: 2 };
  const create = () => createLossWeights((id) => calls[id]);
  const weightsOf = (weights: ReturnType<typeof create>, id: string) => {
    const target = new Float32Array(calls[id] ?? 0);
    weights.write(id, target);
    return [...target];
  };

  it('gives each token the latest weight of its own, else that of the session, else 1', () => {
    const weights = create();
    expect(weightsOf(weights, 'a')).toEqual([1, 1, 1, 1]);
    weights.set('a', [
      { from: 0, to: 3, weight: 2 },
      { from: 1, to: 2, weight: 0 },
    ]);
    weights.set('a', [{ from: 2, to: 3, weight: 4 }]);
    weights.setSession(0.5);
    expect(weightsOf(weights, 'a')).toEqual([2, 0, 4, 0.5]);
    expect(weightsOf(weights, 'b')).toEqual([0.5, 0.5]);
  });

  it.each([
    ['loss_weight_invalid', { from: 0, to: 1, weight: -1 }],
    ['loss_weight_invalid', { from: 0, to: 1, weight: Number.NaN }],
    ['loss_weight_invalid', { from: 0, to: 1, weight: 1e300 }],
    ['loss_range_invalid', { from: 1, to: 1, weight: 1 }],
    ['loss_range_invalid', { from: -1, to: 1, weight: 1 }],
    ['loss_range_invalid', { from: 0, to: 5, weight: 1 }],
    ['loss_range_invalid', { from: 0.5, to: 1, weight: 1 }],
  ])('refuses with %s, and sets nothing then: %p', (reason, range) => {
    const weights = create();
    expect(() => weights.set('a', [{ from: 0, to: 1, weight: 3 }, range])).toThrow(failure('invalid_request', reason));
    expect(weightsOf(weights, 'a')).toEqual([1, 1, 1, 1]);
  });

  it('refuses the weight of an unknown call, and of a session below 0', () => {
    expect(() => create().set('c', [])).toThrow(failure('not_found', 'unknown_interaction'));
    expect(() => create().setSession(-1)).toThrow(failure('invalid_request', 'loss_weight_invalid'));
  });
});
