import { waitFor } from '@weir/test-kit';
import { aSession, aCompletion, forever, play } from './testing/completion-fixture';
import { useCompletionFixture } from './testing/use-completion-fixture';

describe('a completion', () => {
  const fixture = useCompletionFixture();
  const { start, says } = fixture;

  describe.each([true, false])('without remaining followers, streaming %s', (isStreaming) => {
    it('ends at the engine and is not recorded', async () => {
      await start('sglang');
      const before = await says('never mind', { faults: isStreaming ? { holdAfterTokens: 2 } : { isHeld: true } });
      const session = aSession();
      const aborting = new AbortController();
      const events = play(fixture.runCompletion(session, aCompletion({ isStreaming }), aborting.signal));
      await waitFor(() => fixture.fake.calls.length > before, { what: 'the engine to be asked' });
      aborting.abort();
      await expect(events).rejects.toThrow();
      await waitFor(() => fixture.fake.calls.at(-1)?.isDisconnected === true, { what: 'the engine to be left' });
      await waitFor(() => session.runningCompletions === 0, { what: 'the completion to end' });
      expect(session.cache.size).toBe(0);
    });
  });

  it('ends at the engine when its loop is left', async () => {
    await start('sglang');
    await says('never mind', { faults: { holdAfterTokens: 2 } });
    const session = aSession();
    for await (const event of fixture.runCompletion(session, aCompletion(), forever()))
      if (event.kind === 'text') break;
    await waitFor(() => fixture.fake.calls.at(-1)?.isDisconnected === true, { what: 'the engine to be left' });
    await waitFor(() => session.runningCompletions === 0, { what: 'the completion to end' });
    expect(session.cache.size).toBe(0);
  });

  it('is aborted when its session is removed', async () => {
    await start('sglang');
    const before = await says('never mind', { faults: { holdAfterTokens: 2 } });
    const session = aSession();
    const events = play(fixture.runCompletion(session, aCompletion(), forever()));
    await waitFor(() => fixture.fake.calls.length > before, { what: 'the engine to be asked' });
    session.disconnect();
    await expect(events).rejects.toThrow('The session went away.');
    expect([session.cache.size, session.runningCompletions]).toEqual([0, 0]);
  });
});
