import { createPermits } from './permits';

const never = new AbortController().signal;

describe('createSlots', () => {
  it('gives out as many as there are, and the next one when one comes back', async () => {
    const slots = createPermits(1);
    const first = await slots.acquire(never);
    const order: string[] = [];
    const second = slots.acquire(never).then((release) => {
      order.push('second');
      return release;
    });
    const third = slots.acquire(never).then(() => order.push('third'));
    first?.();
    first?.();
    (await second)?.();
    await third;

    expect(order).toEqual(['second', 'third']);
  });

  it('gives nothing to who was aborted, before or while waiting', async () => {
    const slots = createPermits(1);
    const release = await slots.acquire(never);
    const controller = new AbortController();
    const waiting = slots.acquire(controller.signal);
    controller.abort();

    await expect(waiting).resolves.toBeUndefined();
    await expect(slots.acquire(controller.signal)).resolves.toBeUndefined();
    release?.();
    await expect(slots.acquire(never)).resolves.toBeDefined();
  });
});
