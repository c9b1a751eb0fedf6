import { createChangeWatch } from './change-watch';

describe('createChangeWatch', () => {
  const read = (...revisions: readonly (string | undefined)[]) => {
    let at = 0;
    return createChangeWatch({ readRevision: () => revisions[at++], longestMs: 1000, now: () => at * 100 });
  };
  const take = (hasChanged: () => boolean, count: number) => Array.from({ length: count }, hasChanged);

  it('reports each new revision once', () => {
    expect(take(read('a', 'a', 'b', 'b'), 4)).toEqual([true, false, true, false]);
  });

  it('always reports a change where the revision is not known', () => {
    expect(take(read(undefined, undefined, 'a', undefined), 4)).toEqual([true, true, true, true]);
  });

  it('reports a change after the longest time anyway', () => {
    expect(take(read(...Array.from({ length: 22 }, () => 'a')), 22).lastIndexOf(true)).toBe(20);
  });
});
