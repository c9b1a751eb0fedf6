import { SequencePool, type PooledSequence } from './sequence-pool';

const forever = (): AbortSignal => new AbortController().signal;
const ids = (...numbers: readonly number[]): Int32Array => Int32Array.from(numbers);

/** Uses a sequence for one answer, whose tokens stay in it. */
async function use(pool: SequencePool<string>, sessionId: string, tokens: Int32Array): Promise<PooledSequence<string>> {
  const pooled = await pool.acquire({ sessionId, ids: tokens }, forever());
  pooled.cachedIds = tokens;
  pool.release(pooled);
  return pooled;
}

describe('SequencePool', () => {
  it('assigns a conversation to the sequence that has its tokens', async () => {
    const pool = new SequencePool(['a', 'b', 'c']);
    const first = await use(pool, 'one', ids(1, 2, 3, 4));
    await use(pool, 'two', ids(5, 6, 7, 8));

    expect(await use(pool, 'one', ids(1, 2, 3, 4, 9))).toBe(first);
  });

  it('keeps a long conversation that shares only its beginning with another one', async () => {
    const pool = new SequencePool(['a', 'b']);
    const first = await use(pool, 'one', ids(1, 2, 3, 4, 5, 6));

    expect(await use(pool, 'two', ids(1, 2, 9))).not.toBe(first);
  });

  it('replaces the least recently used sequence when none is empty', async () => {
    const pool = new SequencePool(['a', 'b']);
    const first = await use(pool, 'one', ids(1, 2));
    const second = await use(pool, 'two', ids(3, 4));
    await use(pool, 'one', ids(1, 2, 3));

    expect(await use(pool, 'three', ids(7, 8))).toBe(second);
    expect(await use(pool, 'four', ids(9, 9))).toBe(first);
  });

  it('serves waiting callers in the order of their arrival', async () => {
    const pool = new SequencePool(['only']);
    const held = await pool.acquire({ sessionId: 'one', ids: ids(1) }, forever());
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      const pooled = await pool.acquire({ sessionId: 'one', ids: ids(1) }, forever());
      order.push(number);
      pool.release(pooled);
    });
    pool.release(held);
    await Promise.all(waiting);

    expect(order).toEqual([1, 2, 3]);
  });

  it('drops a waiter that was cancelled', async () => {
    const pool = new SequencePool(['only']);
    const held = await pool.acquire({ sessionId: 'one', ids: ids(1) }, forever());
    const controller = new AbortController();
    const cancelled = pool.acquire({ sessionId: 'two', ids: ids(1) }, controller.signal);
    controller.abort(new Error('gone'));
    const patient = pool.acquire({ sessionId: 'three', ids: ids(1) }, forever());
    pool.release(held);

    await expect(cancelled).rejects.toThrow('gone');
    expect((await patient).sessionId).toBe('three');
  });
});
