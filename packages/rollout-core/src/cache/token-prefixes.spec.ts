import fc from 'fast-check';
import { createInteractionCache } from './interaction-cache';
import { collectPathIds } from './path-tokens';
import { aDraft, sessions } from './testing/session-builder';

const all = () => true;

/** Looks at every path, as a session must not. */
function longestPrefix(cache: ReturnType<typeof createInteractionCache>, ids: Int32Array): number {
  const lengths = [...cache].map((interaction) => {
    const path = collectPathIds(interaction);
    return path.length <= ids.length && path.every((id, at) => ids[at] === id) ? path.length : 0;
  });
  return Math.max(0, ...lengths);
}

describe('findByTokens', () => {
  it('finds the longest path that a prompt begins with, in any session', () => {
    fc.assert(
      fc.property(sessions, fc.nat(), fc.array(fc.nat({ max: 4 }), { maxLength: 3 }), (cache, choice, more) => {
        const interactions = [...cache];
        const some = interactions[choice % Math.max(1, interactions.length)];
        const ids = Int32Array.of(...(some === undefined ? [] : collectPathIds(some)), ...more);
        const found = cache.findByTokens(ids, all);
        expect(found?.pathTokens ?? 0).toBe(longestPrefix(cache, ids));
        if (found !== undefined) expect([...collectPathIds(found)]).toEqual([...ids.subarray(0, found.pathTokens)]);
      }),
    );
  });

  it('finds the latest of equal paths, and leaves out those that are not accepted', () => {
    const cache = createInteractionCache();
    const [first, second] = [cache.add(aDraft()), cache.add(aDraft())];
    const longer = cache.add(aDraft({ parent: second }));
    const ids = collectPathIds(longer);

    expect(cache.findByTokens(ids, all)).toBe(longer);
    expect(cache.findByTokens(ids, (each) => each !== longer)).toBe(second);
    expect(cache.findByTokens(collectPathIds(first).subarray(0, 2), all)).toBeUndefined();
  });

  it('finds a path that branches off in the middle of its parent', () => {
    const cache = createInteractionCache();
    const parent = cache.add(aDraft({ answer: [7, 8] }));
    const child = cache.add(aDraft({ parent, inheritedTokens: 3, context: [5] }));

    expect(cache.findByTokens(Int32Array.of(1, 2, 7, 5, 9, 6), all)).toBe(child);
  });
});
