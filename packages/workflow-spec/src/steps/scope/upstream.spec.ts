import fc from 'fast-check';
import { createUpstream } from './upstream';

const size = 70;
const edge = fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).filter(([from, to]) => from > to);

describe('createUpstream', () => {
  it('gives the same answers as a walk over the dependencies', () => {
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 120 }), fc.nat(size - 1), fc.nat(size - 1), (edges, from, to) => {
        const depends = (step: number) => [...new Set(edges.filter(([own]) => own === step).map(([, other]) => other))];
        const steps = Array.from({ length: size }, (_, step) => ({
          name: `${step}`,
          depends: depends(step).map(String),
        }));
        const seen = new Set(depends(from));
        for (const step of seen) depends(step).forEach((next) => seen.add(next));
        expect(createUpstream(steps)(`${from}`, `${to}`)).toBe(seen.has(to));
      }),
    );
  });

  it('returns true for steps on or behind a cycle, and false for an unknown step', () => {
    const isUpstream = createUpstream([
      { name: 'start', depends: [] },
      { name: 'a', depends: ['b', 'start'] },
      { name: 'b', depends: ['a'] },
      { name: 'after', depends: ['b'] },
    ]);
    expect([
      isUpstream('a', 'b'),
      isUpstream('after', 'start'),
      isUpstream('start', 'a'),
      isUpstream('a', 'x'),
    ]).toEqual([true, true, false, false]);
  });

  it('handles a chain of ten thousand steps', () => {
    const steps = Array.from({ length: 10_000 }, (_, index) => ({
      name: `${index}`,
      depends: index === 0 ? [] : [`${index - 1}`],
    }));
    const isUpstream = createUpstream(steps);
    expect([isUpstream('9999', '0'), isUpstream('0', '9999')]).toEqual([true, false]);
  });
});
