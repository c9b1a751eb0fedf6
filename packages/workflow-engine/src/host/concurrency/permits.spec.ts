import { createPermits } from './permits';

const never = new AbortController().signal;

describe('createPermits', () => {
  it('lets one more begin while a holder lends its place', async () => {
    const { signal } = new AbortController();
    const permits = createPermits(1);
    const release = await permits.acquire(signal);
    const takeBack = permits.lend();
    const other = await permits.acquire(signal);
    const third = permits.acquire(signal);
    const isGranted = jest.fn();
    void third.then(isGranted);
    takeBack();
    takeBack();
    release?.();
    await Promise.resolve();
    expect(isGranted).not.toHaveBeenCalled();

    other?.();
    await expect(third).resolves.toBeDefined();
  });

  it('hands out all permits, and the next one when one is released', async () => {
    const permits = createPermits(1);
    const first = await permits.acquire(never);
    const order: string[] = [];
    const second = permits.acquire(never).then((release) => {
      order.push('second');
      return release;
    });
    const third = permits.acquire(never).then(() => order.push('third'));
    first?.();
    first?.();
    (await second)?.();
    await third;

    expect(order).toEqual(['second', 'third']);
  });

  it('gives no permit to an aborted caller, before or while it waits', async () => {
    const permits = createPermits(1);
    const release = await permits.acquire(never);
    const controller = new AbortController();
    const waiting = permits.acquire(controller.signal);
    controller.abort();

    await expect(waiting).resolves.toBeUndefined();
    await expect(permits.acquire(controller.signal)).resolves.toBeUndefined();
    release?.();
    await expect(permits.acquire(never)).resolves.toBeDefined();
  });
});
