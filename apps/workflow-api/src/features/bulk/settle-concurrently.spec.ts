import { settleConcurrently } from './settle-concurrently';

interface Work {
  readonly finish: () => void;
}

const begun = new Map<number, Work>();
const work = (item: number): Promise<number> =>
  new Promise((resolve) => begun.set(item, { finish: () => resolve(item * 10) }));

async function* numbers(onReturn: () => void = () => undefined): AsyncGenerator<number> {
  try {
    for (let number = 1; ; number += 1) yield await Promise.resolve(number);
  } finally {
    onReturn();
  }
}

const untilBegun = async (count: number): Promise<void> => {
  while (begun.size < count) await new Promise(setImmediate);
};

beforeEach(() => begun.clear());

describe('settleConcurrently', () => {
  it('begins as many items as allowed, and yields each answer as soon as it is known', async () => {
    const answers = settleConcurrently(numbers(), { concurrency: 2, signal: new AbortController().signal }, work);
    const first = answers.next();
    await untilBegun(2);
    begun.get(2)?.finish();

    await expect(first).resolves.toEqual({ done: false, value: 20 });
    expect([...begun.keys()]).toEqual([1, 2]);

    const second = answers.next();
    await untilBegun(3);
    begun.get(1)?.finish();
    await expect(second).resolves.toEqual({ done: false, value: 10 });
    begun.get(3)?.finish();
    await answers.return(undefined);
  });

  it('begins no item after the abort, and yields the answers of those in progress', async () => {
    const abort = new AbortController();
    const answers = settleConcurrently(numbers(), { concurrency: 2, signal: abort.signal }, work);
    const first = answers.next();
    await untilBegun(2);
    abort.abort();
    for (const { finish } of begun.values()) finish();

    await expect(first).resolves.toMatchObject({ value: 10 });
    await expect(answers.next()).resolves.toMatchObject({ value: 20 });
    await expect(answers.next()).resolves.toEqual({ done: true, value: undefined });
    expect(begun.size).toBe(2);
  });

  it('waits for items in progress, and closes its source, when its reader leaves', async () => {
    const closed = jest.fn();
    const signal = new AbortController().signal;
    const answers = settleConcurrently(numbers(closed), { concurrency: 2, signal }, work);
    const first = answers.next();
    await untilBegun(2);
    begun.get(1)?.finish();
    await first;
    const left = answers.return(undefined);
    begun.get(2)?.finish();
    await left;

    expect(closed).toHaveBeenCalledTimes(1);
    expect(begun.size).toBe(2);
  });
});
