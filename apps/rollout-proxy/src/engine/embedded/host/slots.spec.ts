import { Slots, type Slot } from './slots';

const forever = (): AbortSignal => new AbortController().signal;
const ids = (...numbers: readonly number[]): Int32Array => Int32Array.from(numbers);

/** Uses a slot for one answer, which leaves its tokens there. */
async function use(slots: Slots<string>, sessionId: string, tokens: Int32Array): Promise<Slot<string>> {
  const slot = await slots.acquire({ sessionId, ids: tokens }, forever());
  slot.held = tokens;
  slots.release(slot);
  return slot;
}

describe('Slots', () => {
  it('gives a conversation the place that holds it', async () => {
    const slots = new Slots(['a', 'b', 'c']);
    const first = await use(slots, 'one', ids(1, 2, 3, 4));
    await use(slots, 'two', ids(5, 6, 7, 8));

    expect(await use(slots, 'one', ids(1, 2, 3, 4, 9))).toBe(first);
  });

  it('spares a long conversation that another one shares only its beginning with', async () => {
    const slots = new Slots(['a', 'b']);
    const first = await use(slots, 'one', ids(1, 2, 3, 4, 5, 6));

    expect(await use(slots, 'two', ids(1, 2, 9))).not.toBe(first);
  });

  it('takes the place unused for longest when none is free of worth', async () => {
    const slots = new Slots(['a', 'b']);
    const first = await use(slots, 'one', ids(1, 2));
    const second = await use(slots, 'two', ids(3, 4));
    await use(slots, 'one', ids(1, 2, 3));

    expect(await use(slots, 'three', ids(7, 8))).toBe(second);
    expect(await use(slots, 'four', ids(9, 9))).toBe(first);
  });

  it('serves those who wait in the order in which they came', async () => {
    const slots = new Slots(['only']);
    const held = await slots.acquire({ sessionId: 'one', ids: ids(1) }, forever());
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      const slot = await slots.acquire({ sessionId: 'one', ids: ids(1) }, forever());
      order.push(number);
      slots.release(slot);
    });
    slots.release(held);
    await Promise.all(waiting);

    expect(order).toEqual([1, 2, 3]);
  });

  it('forgets who was cancelled while waiting', async () => {
    const slots = new Slots(['only']);
    const held = await slots.acquire({ sessionId: 'one', ids: ids(1) }, forever());
    const controller = new AbortController();
    const cancelled = slots.acquire({ sessionId: 'two', ids: ids(1) }, controller.signal);
    controller.abort(new Error('gone'));
    const patient = slots.acquire({ sessionId: 'three', ids: ids(1) }, forever());
    slots.release(held);

    await expect(cancelled).rejects.toThrow('gone');
    expect((await patient).sessionId).toBe('three');
  });
});
