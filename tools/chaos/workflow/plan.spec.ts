import { createSeededRandom } from '@weir/test-kit';
import { planFaults } from './plan';

const machines = { server: ['s1', 's2'], worker: ['w1', 'w2', 'w3', 'w4'] };
const plan = (seed: number) =>
  planFaults({ machines, count: 40, spanMs: 60_000, longestMs: 20_000, random: createSeededRandom(seed) });

describe('planFaults', () => {
  it('repeats itself for the same seed and differs for another', () => {
    expect(plan(1)).toEqual(plan(1));
    expect(plan(1)).not.toEqual(plan(2));
  });

  it('leaves one machine of each role as it is at any moment', () => {
    for (const { beginMs } of plan(1)) {
      const affected = plan(1).filter((fault) => fault.beginMs <= beginMs && beginMs < fault.endMs);
      for (const group of Object.values(machines)) {
        expect(affected.filter(({ machine }) => group.includes(machine)).length).toBeLessThan(group.length);
      }
    }
  });
});
