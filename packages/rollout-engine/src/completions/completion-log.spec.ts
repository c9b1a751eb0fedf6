import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompletionEvent } from './completion';
import { createCompletionLog } from './completion-log';

const text = (words: string): CompletionEvent => ({ kind: 'text', text: words });
const deferred = () => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};
const never = new AbortController().signal;

const collect = async (events: AsyncIterable<CompletionEvent>): Promise<readonly CompletionEvent[]> => {
  const all: CompletionEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
};

describe('a completion with followers', () => {
  it('is replayed from the beginning for a late follower', async () => {
    const gate = deferred();
    const log = createCompletionLog(async (emit) => {
      emit(text('a'));
      await gate.promise;
      emit(text('b'));
    });
    const first = collect(log.follow(never));
    await nextTurn();
    const second = collect(log.follow(never));
    gate.resolve();

    expect(await first).toEqual([text('a'), text('b')]);
    expect(await second).toEqual([text('a'), text('b')]);
  });

  it('rejects for every follower when the work fails, after the events so far', async () => {
    const log = createCompletionLog(async (emit) => {
      emit(text('a'));
      await nextTurn();
      throw new Error('broken');
    });

    await expect(collect(log.follow(never))).rejects.toThrow('broken');
    await expect(collect(log.follow(never))).rejects.toThrow('broken');
    await log.settled;
  });

  it('continues while it has followers, and is aborted when the last one disconnects', async () => {
    const aborted = deferred();
    const log = createCompletionLog(async (emit, signal) => {
      emit(text('a'));
      signal.addEventListener('abort', () => aborted.resolve());
      await aborted.promise;
    });
    const aborting = new AbortController();
    const first = collect(log.follow(aborting.signal)).catch((error: unknown) => error);
    const stay = log.follow(never);
    await stay.next();
    aborting.abort();

    expect(await first).toMatchObject({ name: 'AbortError' });
    const isOver = await Promise.race([log.settled.then(() => true), nextTurn(false)]);
    expect(isOver).toBe(false);

    await stay.return();
    await aborted.promise;
    await log.settled;
  });
});
