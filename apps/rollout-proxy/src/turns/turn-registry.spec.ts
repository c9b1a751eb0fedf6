import type { TurnIdentity } from './turn';
import { createTurnLog } from './turn-log';
import { createTurnRegistry } from './turn-registry';

const call = (bodyDigest: string, more: Partial<TurnIdentity> = {}): TurnIdentity => ({
  key: undefined,
  bodyDigest,
  attempt: 0,
  ...more,
});
const turn = () => createTurnLog(() => Promise.resolve());

describe('turns that are known', () => {
  it('answer a retry of the same body, and no first attempt', () => {
    const registry = createTurnRegistry();
    const known = turn();
    registry.remember(call('a'), known);

    expect(registry.find(call('a', { attempt: 1 }))).toBe(known);
    expect(registry.find(call('a'))).toBeUndefined();
    expect(registry.find(call('b', { attempt: 1 }))).toBeUndefined();
  });

  it('answer everybody with the same key and body', () => {
    const registry = createTurnRegistry();
    const known = turn();
    registry.remember(call('a', { key: 'k' }), known);

    expect(registry.find(call('a', { key: 'k' }))).toBe(known);
    expect(registry.find(call('a', { key: 'other', attempt: 1 }))).toBeUndefined();
    expect(() => registry.find(call('b', { key: 'k' }))).toThrow(
      expect.objectContaining({ code: 'conflict', reason: 'idempotency_key_reused' }) as Error,
    );
  });

  it('are forgotten when they fail', async () => {
    const registry = createTurnRegistry();
    const broken = createTurnLog(() => Promise.reject(new Error('broken')));
    registry.remember(call('a', { key: 'k' }), broken);
    await broken.settled;

    expect(registry.find(call('a', { key: 'k' }))).toBeUndefined();
    expect(registry.find(call('a', { attempt: 1 }))).toBeUndefined();
  });

  it('answer nobody once they were left by everybody', async () => {
    const registry = createTurnRegistry();
    const left = createTurnLog(
      (_emit, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => setImmediate(reject))),
    );
    registry.remember(call('a', { key: 'k' }), left);
    const leaving = new AbortController();
    const follower = left.follow(leaving.signal).next();
    leaving.abort();
    await expect(follower).rejects.toMatchObject({ name: 'AbortError' });

    expect(registry.find(call('a', { attempt: 1 }))).toBeUndefined();
    expect(registry.find(call('a', { key: 'k' }))).toBeUndefined();
    await left.settled;
  });

  it('are the latest ones only', () => {
    const registry = createTurnRegistry(2);
    for (const digest of ['a', 'b', 'c']) registry.remember(call(digest, { key: digest }), turn());

    expect(registry.find(call('a', { attempt: 1 }))).toBeUndefined();
    expect(registry.find(call('a', { key: 'a' }))).toBeUndefined();
    expect(registry.find(call('c', { key: 'c' }))).toBeDefined();
  });
});
