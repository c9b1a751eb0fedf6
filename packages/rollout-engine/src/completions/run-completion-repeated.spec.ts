import { waitFor } from '@weir/test-kit';
import type { CompletionIdentity } from './completion';
import { aSession, aCompletion, forever, play } from './testing/completion-fixture';
import { useCompletionFixture } from './testing/use-completion-fixture';

describe('a completion', () => {
  const fixture = useCompletionFixture();
  const { start, says } = fixture;

  describe('asked for again', () => {
    const identity = (attempt: number, key?: string): CompletionIdentity => ({ key, bodyDigest: 'the body', attempt });

    it('by an SDK that retries while it runs is executed once', async () => {
      await start('sglang');
      const before = await says('once', { faults: { holdAfterTokens: 1 } });
      const session = aSession();
      const completions = [0, 1, 2].map((attempt) =>
        play(fixture.runCompletion(session, aCompletion({ identity: identity(attempt) }), forever())),
      );
      await waitFor(() => fixture.fake.heldCount() === 1, { what: 'the engine to hold its answer' });
      fixture.fake.release();
      const [first, ...others] = await Promise.all(completions);
      for (const other of others) expect(other.events).toEqual(first?.events);
      expect([fixture.fake.calls.length - before, session.cache.size]).toEqual([1, 1]);
    });

    it('continues when the first client disconnects', async () => {
      await start('sglang');
      const before = await says('patience', { faults: { holdAfterTokens: 1 } });
      const session = aSession();
      const aborting = new AbortController();
      const first = play(fixture.runCompletion(session, aCompletion({ identity: identity(0) }), aborting.signal));
      const second = play(fixture.runCompletion(session, aCompletion({ identity: identity(1) }), forever()));
      await waitFor(() => fixture.fake.heldCount() === 1, { what: 'the engine to hold its answer' });
      aborting.abort();
      await expect(first).rejects.toThrow();
      fixture.fake.release();
      expect((await second).output.content).toBe('patience');
      expect([fixture.fake.calls.length - before, session.cache.size]).toEqual([1, 1]);
    });

    it('without a retry mark is another completion', async () => {
      await start('sglang');
      const before = await says('twice');
      const session = aSession();
      for (const attempt of [0, 0]) {
        await play(fixture.runCompletion(session, aCompletion({ identity: identity(attempt) }), forever()));
      }
      expect([fixture.fake.calls.length - before, session.cache.size]).toEqual([2, 2]);
    });

    it('with its idempotency key gets the same answer, and another body is refused', async () => {
      await start('sglang');
      const before = await says('kept');
      const session = aSession();
      const ask = (bodyDigest: string) =>
        play(
          fixture.runCompletion(session, aCompletion({ identity: { key: 'k', bodyDigest, attempt: 0 } }), forever()),
        );
      const first = await ask('one');
      expect((await ask('one')).events).toEqual(first.events);
      await expect(ask('two')).rejects.toMatchObject({ code: 'conflict', reason: 'idempotency_key_reused' });
      expect(fixture.fake.calls.length - before).toBe(1);
    });

    it('after it failed is executed again', async () => {
      await start('sglang');
      fixture.fake.setScript(() => ({ ids: [], faults: { status: 500 } }));
      const session = aSession();
      const failing = play(fixture.runCompletion(session, aCompletion({ identity: identity(0, 'k') }), forever()));
      await expect(failing).rejects.toMatchObject({ code: 'upstream_failed' });
      await says('well');
      const repeated = await play(
        fixture.runCompletion(session, aCompletion({ identity: identity(1, 'k') }), forever()),
      );
      expect([repeated.output.content, session.cache.size]).toEqual(['well', 1]);
    });
  });
});
