import { runInNewContext } from 'node:vm';
import { releaseMemory } from './release-memory';

const anArray = () => Array.from({ length: 1_000_000 }, (_, index) => ({ index }));

describe('releaseMemory', () => {
  it('gives back the heap that is no longer used', () => {
    const sizes = [anArray()].map(({ length }) => length);
    const before = process.memoryUsage().heapTotal;
    releaseMemory();

    expect(sizes).toEqual([1_000_000]);
    expect(process.memoryUsage().heapTotal).toBeLessThan(before - 10_000_000);
  });

  it('hides the function for collecting garbage from code that is executed later', () => {
    releaseMemory();

    expect(runInNewContext('typeof gc')).toBe('undefined');
  });
});
