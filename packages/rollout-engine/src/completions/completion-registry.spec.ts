import type { CompletionIdentity } from './completion';
import { createCompletionLog } from './completion-log';
import { createCompletionRegistry } from './completion-registry';

const call = (bodyDigest: string, more: Partial<CompletionIdentity> = {}): CompletionIdentity => ({
  key: undefined,
  bodyDigest,
  attempt: 0,
  ...more,
});
const completion = () => createCompletionLog(() => Promise.resolve());

describe('known completions', () => {
  it('answer a retry of the same body, and no first attempt', () => {
    const registry = createCompletionRegistry();
    const known = completion();
    registry.add(call('a'), known);

    expect(registry.find(call('a', { attempt: 1 }))).toBe(known);
    expect(registry.find(call('a'))).toBeUndefined();
    expect(registry.find(call('b', { attempt: 1 }))).toBeUndefined();
  });

  it('answer every caller with the same key and body', () => {
    const registry = createCompletionRegistry();
    const known = completion();
    registry.add(call('a', { key: 'k' }), known);

    expect(registry.find(call('a', { key: 'k' }))).toBe(known);
    expect(registry.find(call('a', { key: 'other', attempt: 1 }))).toBeUndefined();
    expect(() => registry.find(call('b', { key: 'k' }))).toThrow(
      expect.objectContaining({ code: 'conflict', reason: 'idempotency_key_reused' }) as Error,
    );
  });

  it('are forgotten when they fail', async () => {
    const registry = createCompletionRegistry();
    const broken = createCompletionLog(() => Promise.reject(new Error('broken')));
    registry.add(call('a', { key: 'k' }), broken);
    await broken.settled;

    expect(registry.find(call('a', { key: 'k' }))).toBeUndefined();
    expect(registry.find(call('a', { attempt: 1 }))).toBeUndefined();
  });

  it('are not joined once all followers disconnected', async () => {
    const registry = createCompletionRegistry();
    const abandoned = createCompletionLog(
      (_emit, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => setImmediate(reject))),
    );
    registry.add(call('a', { key: 'k' }), abandoned);
    const aborting = new AbortController();
    const follower = abandoned.follow(aborting.signal).next();
    aborting.abort();
    await expect(follower).rejects.toMatchObject({ name: 'AbortError' });

    expect(registry.find(call('a', { attempt: 1 }))).toBeUndefined();
    expect(registry.find(call('a', { key: 'k' }))).toBeUndefined();
    await abandoned.settled;
  });

  it('include only the latest ones', () => {
    const registry = createCompletionRegistry(2);
    for (const digest of ['a', 'b', 'c']) registry.add(call(digest, { key: digest }), completion());

    expect(registry.find(call('a', { attempt: 1 }))).toBeUndefined();
    expect(registry.find(call('a', { key: 'a' }))).toBeUndefined();
    expect(registry.find(call('c', { key: 'c' }))).toBeDefined();
  });
});
