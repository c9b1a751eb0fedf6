import { createRecordingLogger } from '@weir/test-kit';
import { ClaimLoop } from './claim-loop';

const pollMs = 10_000;
const recoverMs = 4_000;

describe('the claim loop', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Searches for lost runs and claims, at the times that the timers of the loop say. */
  function startLoop() {
    const done: string[] = [];
    const stopping = new AbortController();
    let searchedAt = performance.now();
    const loop = new ClaimLoop(
      { pollMs, recoverMs, mayHaveChanged: () => true, stopping: stopping.signal, logger: createRecordingLogger() },
      {
        active: { start: () => Promise.resolve() },
        claims: {
          claimAll: (from) => {
            done.push(from);
            return Promise.resolve(true);
          },
        },
        lost: {
          searchDueInMs: (everyMs) => everyMs - (performance.now() - searchedAt),
          search: () => {
            searchedAt = performance.now();
            done.push('search');
            return Promise.resolve();
          },
        },
      },
    );
    const running = loop.run();
    const stop = async (): Promise<void> => {
      stopping.abort();
      loop.wake();
      await running;
    };
    return { loop, done, stop };
  }

  it('searches for lost runs in time, even if runs were queued often meanwhile', async () => {
    const { loop, done, stop } = startLoop();
    for (let index = 0; index < 3; index += 1) {
      await jest.advanceTimersByTimeAsync(1_300);
      loop.wake();
    }
    await jest.advanceTimersByTimeAsync(recoverMs - 3 * 1_300);

    expect(done.filter((what) => what === 'search')).toHaveLength(1);
    await stop();
  });

  it('polls for queued runs when nothing has woken it, even if it has searched in between', async () => {
    const { done, stop } = startLoop();
    await jest.advanceTimersByTimeAsync(pollMs);

    expect(done).toEqual(['queue', 'search', 'search', 'queue']);
    await stop();
  });
});
