import { waitFor } from './wait-for';

describe('waitFor', () => {
  it('returns the result of the condition once it is truthy', async () => {
    let tries = 0;
    const value = await waitFor(() => (tries += 1) > 2 && `try ${tries}`, { what: 'three tries', intervalMs: 1 });
    expect(value).toBe('try 3');
  });

  it('treats an error as not yet fulfilled', async () => {
    let tries = 0;
    const condition = () => {
      tries += 1;
      if (tries < 3) throw new Error('not ready');
      return Promise.resolve(tries);
    };
    await expect(waitFor(condition, { what: 'it', intervalMs: 1 })).resolves.toBe(3);
  });

  it('names the awaited condition, and keeps the last failure as cause', async () => {
    const condition = () => Promise.reject(new Error('refused'));
    await expect(waitFor(condition, { what: 'the server', deadlineMs: 30, intervalMs: 5 })).rejects.toMatchObject({
      message: 'Waited 30 ms for the server.',
      cause: { message: 'refused' },
    });
  });

  it('polls less often the longer it waits', async () => {
    let polls = 0;
    const condition = () => {
      polls += 1;
      return false;
    };
    await expect(waitFor(condition, { what: 'nothing', deadlineMs: 500, intervalMs: 1 })).rejects.toThrow('nothing');
    // A poll every millisecond would make hundreds; a busy machine only makes fewer.
    expect(polls).toBeLessThan(100);
  });

  it('does not wait for ever on a condition that never settles', async () => {
    const condition = () => new Promise<boolean>(() => undefined);
    await expect(waitFor(condition, { what: 'an answer', deadlineMs: 30 })).rejects.toThrow('Waited 30 ms');
  });
});
