import { mapConcurrently } from './map-concurrently';

const { signal } = new AbortController();

describe('inParallel', () => {
  it('processes as many items at the same time as allowed, and keeps their order in the result', async () => {
    let active = 0;
    let most = 0;
    const answers = await mapConcurrently([30, 10, 20, 5], { concurrency: 2, signal }, async (ms, index) => {
      active += 1;
      most = Math.max(most, active);
      await Promise.all(Array.from({ length: ms }, () => Promise.resolve()));
      active -= 1;
      return index;
    });

    expect(answers).toEqual([0, 1, 2, 3]);
    expect(most).toBe(2);
  });

  it('starts nothing once the signal is aborted', async () => {
    const stop = new AbortController();
    const answers = await mapConcurrently(['a', 'b', 'c'], { concurrency: 1, signal: stop.signal }, (item) => {
      if (item === 'b') stop.abort();
      return Promise.resolve(item);
    });

    expect(answers).toEqual(['a', 'b', undefined]);
  });

  it('rejects only when all started items have settled, and starts no more', async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const started: string[] = [];
    let isOver = false;
    const work = mapConcurrently(['bad', 'slow', 'never'], { concurrency: 2, signal }, (item) => {
      started.push(item);
      return item === 'bad' ? Promise.reject(new Error('bad')) : held;
    }).finally(() => {
      isOver = true;
    });
    const caught = expect(work).rejects.toThrow('bad');
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    letGo();
    await caught;

    expect(started).toEqual(['bad', 'slow']);
  });
});
