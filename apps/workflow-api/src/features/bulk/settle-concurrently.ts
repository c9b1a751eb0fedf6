export interface Concurrency {
  readonly concurrency: number;
  /** After its abort, no further item is begun. */
  readonly signal: AbortSignal;
}

/**
 * Does the work for every item, with a limited number at the same time, and yields each answer as soon as it is
 * known. The reader sets the pace: no item is begun while it does not ask for the next answer. `work` must not
 * reject. A reader that leaves waits for the work in progress.
 */
export async function* settleConcurrently<Item, Answer>(
  items: AsyncIterable<Item>,
  { concurrency, signal }: Concurrency,
  work: (item: Item) => Promise<Answer>,
): AsyncGenerator<Answer> {
  const pending = new Map<number, Promise<{ readonly key: number; readonly answer: Answer }>>();
  const source = items[Symbol.asyncIterator]();
  let begun = 0;
  let isExhausted = false;
  try {
    for (;;) {
      while (!isExhausted && !signal.aborted && pending.size < concurrency) {
        const next = await source.next();
        isExhausted = next.done === true;
        if (next.done === true) break;
        const key = begun++;
        pending.set(
          key,
          work(next.value).then((answer) => ({ key, answer })),
        );
      }
      if (pending.size === 0) return;
      const { key, answer } = await Promise.race(pending.values());
      pending.delete(key);
      yield answer;
    }
  } finally {
    await Promise.all(pending.values());
    await source.return?.();
  }
}
