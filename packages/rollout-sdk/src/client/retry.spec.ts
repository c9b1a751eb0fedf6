import { ApiError } from '@weir/api-client';
import { retryUntilAnswered } from './retry';

const forever = (): AbortSignal => new AbortController().signal;
const answer = (status: number, headers: Record<string, string> = {}) =>
  new ApiError(new Response(null, { status, headers }), '');

/** Fails with these errors one after the other, then succeeds. */
function failing(...errors: readonly Error[]) {
  const delays: number[] = [];
  let calls = 0;
  return {
    delays,
    calls: () => calls,
    call: () => {
      calls += 1;
      const error = errors[calls - 1];
      return error === undefined ? Promise.resolve('answer') : Promise.reject(error);
    },
    sleep: (milliseconds: number) => {
      delays.push(milliseconds);
      return Promise.resolve();
    },
  };
}

describe('retryUntilAnswered', () => {
  it('repeats with growing delays while there is no capacity or no connection', async () => {
    const { call, delays, sleep } = failing(answer(429), new TypeError('fetch failed'), answer(503));
    expect(await retryUntilAnswered(call, { signal: forever(), maxWaitMs: 60_000, sleep })).toBe('answer');
    expect(delays).toEqual([100, 200, 400]);
  });

  it('waits as long as the server requests, within limits', async () => {
    const { call, delays, sleep } = failing(
      answer(429, { 'retry-after': '2' }),
      answer(429, { 'retry-after': '3600' }),
    );
    await retryUntilAnswered(call, { signal: forever(), maxWaitMs: 60_000, sleep });
    expect(delays).toEqual([2_000, 5_000]);
  });

  it.each([400, 401, 403, 404, 409, 500])('does not repeat after %p', async (status) => {
    const { call, calls, sleep } = failing(answer(status));
    await expect(retryUntilAnswered(call, { signal: forever(), maxWaitMs: 60_000, sleep })).rejects.toMatchObject({
      status,
    });
    expect(calls()).toBe(1);
  });

  it('throws the last error when the time is over', async () => {
    const errors = [answer(429), answer(429), answer(503), answer(429)];
    const { call, delays, sleep } = failing(...errors);
    const repeated = retryUntilAnswered(call, { signal: forever(), maxWaitMs: 300, sleep });
    await expect(repeated).rejects.toBe(errors[2]);
    expect(delays).toEqual([100, 200]);
  });

  it('stops when its signal aborts', async () => {
    const controller = new AbortController();
    const call = () => {
      controller.abort(new Error('enough'));
      return Promise.reject(answer(429));
    };
    await expect(retryUntilAnswered(call, { signal: controller.signal, maxWaitMs: 60_000 })).rejects.toThrow('enough');
  });
});
