import { createSeededIds } from './seeded-ids';

describe('createSeededIds', () => {
  it('repeats itself for the same seed and differs for another', () => {
    const take = (seed: string) => Array.from({ length: 5 }, createSeededIds(seed));
    expect(take('a')).toEqual(take('a'));
    expect(new Set([...take('a'), ...take('b')]).size).toBe(10);
  });

  it('gives ids in the form of version 4 UUIDs', () => {
    expect(createSeededIds()()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
