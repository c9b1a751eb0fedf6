import { createTokenCollector } from './token-collector';
import type { TokenPiece } from '../engine/port/inference-engine';

const piece = (count: number, experts?: { from: number; ids: readonly number[] }): TokenPiece => ({
  kind: 'tokens',
  tokens: { ids: new Int32Array(count), logprobs: new Float32Array(count), versions: new Int32Array(count) },
  ...(experts && { experts: { ...experts, layers: 1, perToken: 2, ids: Int16Array.from(experts.ids) } }),
});

describe('the experts of the pieces of an answer', () => {
  it('are joined, and those of the first reading of a token stay', () => {
    const collector = createTokenCollector();
    collector.add(piece(1, { from: 2, ids: [1, 2, 3, 4] }));
    collector.add(piece(0, { from: 3, ids: [9, 9, 5, 6] }));
    expect(collector.experts).toMatchObject({ from: 2, ids: Int16Array.of(1, 2, 3, 4, 5, 6) });
  });

  it('end before a gap', () => {
    const collector = createTokenCollector();
    collector.add(piece(1, { from: 2, ids: [1, 2] }));
    collector.add(piece(1, { from: 4, ids: [5, 6] }));
    expect(collector.experts).toMatchObject({ from: 2, ids: Int16Array.of(1, 2) });
  });
});
