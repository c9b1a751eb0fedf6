import fc from 'fast-check';
import { leastLoaded, selectReplica } from './replica-choice';

const replicas = (keys: readonly string[]): readonly { key: string; load: number }[] =>
  keys.map((key, load) => ({ key, load }));

describe('selectReplica', () => {
  it('moves a session only when its own replica is removed', () => {
    const keys = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(keys, fc.string(), fc.nat(), (all, session, nth) => {
        const chosen = selectReplica(session, replicas(all))?.key;
        const gone = all[nth % all.length];
        const after = selectReplica(session, replicas(all.filter((key) => key !== gone)))?.key;
        if (chosen !== gone) expect(after).toBe(chosen);
      }),
    );
  });

  it('spreads sessions evenly over replicas with similar keys', () => {
    const all = replicas(['http://10.0.0.1:8000', 'http://10.0.0.2:8000', 'http://10.0.0.3:8000']);
    const counts = new Map<string, number>();
    for (let index = 0; index < 3_000; index += 1) {
      const key = selectReplica(`session-${index}`, all)?.key ?? '';
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const { key } of all) expect(counts.get(key)).toBeGreaterThan(900);
  });

  it('selects none of an empty list', () => {
    expect(selectReplica('session', replicas([]))).toBeUndefined();
  });
});

describe('leastLoaded', () => {
  it('selects the first of those with the least load', () => {
    expect(
      leastLoaded([
        { key: 'a', load: 2 },
        { key: 'b', load: 1 },
        { key: 'c', load: 1 },
      ])?.key,
    ).toBe('b');
  });
});
