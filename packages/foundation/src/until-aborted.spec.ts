import { untilAborted } from './until-aborted';

const never = new Promise<never>(() => undefined);

describe('untilAborted', () => {
  it('settles like the promise', async () => {
    const { signal } = new AbortController();
    const failure = new Error('failed');

    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(untilAborted(Promise.reject(failure), signal)).rejects.toBe(failure);
  });

  it('rejects with the reason when the signal aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const outcome = untilAborted(never, controller.signal);
    controller.abort(reason);

    await expect(outcome).rejects.toBe(reason);
  });

  it('rejects if the signal is already aborted', async () => {
    const reason = new Error('stopped');

    await expect(untilAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
