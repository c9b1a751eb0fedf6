import { createInteractionCache } from '../cache/interaction-cache';
import { aChain, aDraft, user } from '../cache/testing/session-builder';
import { findRetryOrphans } from './retry-orphans';

describe('findRetryOrphans', () => {
  it('finds none in a chain', () => {
    const cache = createInteractionCache();
    aChain(cache, 3);
    expect(findRetryOrphans(cache)).toEqual({ orphans: [], unresolved: [] });
  });

  it('finds all except the latest of calls with the same request', () => {
    const cache = createInteractionCache();
    const [first, second, last] = [cache.add(aDraft()), cache.add(aDraft()), cache.add(aDraft())];
    expect(findRetryOrphans(cache)).toEqual({ orphans: [first, second], unresolved: [last] });
  });

  it('finds those that no later call continues, including the latest', () => {
    const cache = createInteractionCache();
    const [first, parent, last] = [cache.add(aDraft()), cache.add(aDraft()), cache.add(aDraft())];
    cache.add(aDraft({ parent }));
    expect(findRetryOrphans(cache)).toEqual({ orphans: [first, last], unresolved: [] });
  });

  it('keeps all that have children', () => {
    const cache = createInteractionCache();
    const calls = [cache.add(aDraft()), cache.add(aDraft())];
    for (const parent of calls) cache.add(aDraft({ parent }));
    expect(findRetryOrphans(cache)).toEqual({ orphans: [], unresolved: [] });
  });

  it('does not compare calls of different parents, questions or tools', () => {
    const cache = createInteractionCache();
    const calls = [
      cache.add(aDraft()),
      cache.add(aDraft({ contextKey: 'other' })),
      cache.add(aDraft({ newMessages: [user('?')] })),
    ];
    for (const parent of calls) cache.add(aDraft({ parent }));
    expect(findRetryOrphans(cache)).toEqual({ orphans: [], unresolved: [] });
  });
});
