import { createNameLocks } from './name-locks';

describe('createNameLocks', () => {
  it('runs work for one name in order, and for different names concurrently', async () => {
    const locks = createNameLocks();
    const order: string[] = [];
    let release: () => void = () => undefined;
    const first = locks.run('a', async () => {
      await new Promise<void>((resolve) => (release = resolve));
      order.push('first');
    });
    const second = locks.run('a', () => Promise.resolve(order.push('second')));
    await locks.run('b', () => Promise.resolve(order.push('other')));
    release();
    await Promise.all([first, second]);

    expect(order).toEqual(['other', 'first', 'second']);
  });

  it('continues after work that failed', async () => {
    const locks = createNameLocks();
    const failing = locks.run('a', () => Promise.reject(new Error('full')));

    await expect(failing).rejects.toThrow('full');
    await expect(locks.run('a', () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('holds several names at once, in any order and with one of them twice', async () => {
    const locks = createNameLocks();
    const order: string[] = [];
    const note = (entry: string) => async () => {
      order.push(`${entry} begins`);
      await Promise.resolve();
      order.push(`${entry} ends`);
    };
    await Promise.all([
      locks.runAll(['a', 'b'], note('first')),
      locks.runAll(['b', 'a'], note('second')),
      locks.runAll(['b', 'b'], note('third')),
    ]);

    expect(order.map((entry) => entry.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends', 'begins', 'ends']);
  });
});
