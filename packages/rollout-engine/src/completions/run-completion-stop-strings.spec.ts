import { aSession, aCompletion, forever, play } from './testing/completion-fixture';
import { useCompletionFixture } from './testing/use-completion-fixture';

describe('a completion', () => {
  const fixture = useCompletionFixture();
  const { start, says } = fixture;

  describe('with stop strings', () => {
    it.each([
      ['in one piece', 100],
      ['token by token', 1],
    ])('ends with the first one, which arrives %s and is not reported', async (_how, tokensPerPiece) => {
      await start('sglang');
      await says('one, STOP two', { tokensPerPiece });
      const session = aSession();
      const completion = await play(fixture.runCompletion(session, aCompletion({ stop: ['two', 'STOP'] }), forever()));
      expect([completion.output.content, completion.text]).toEqual(['one, ', 'one, ']);
      expect(completion.result).toMatchObject({ finishReason: 'stop', stopText: 'STOP' });
      const { sampled } = session.cache.get(completion.id) ?? {};
      const { ids = new Int32Array() } = fixture.fake.calls.at(-1) ?? {};
      expect(sampled?.ids).toEqual(ids.slice(0, sampled?.ids.length));
      expect(completion.result.usage.completionTokens).toBe(sampled?.ids.length);
    });

    it('keeps a doubt from before the stop string', async () => {
      await start('vllm');
      await says('odd STOP', { faults: { logprobs: 'null' } });
      const session = aSession();
      const { id } = await play(fixture.runCompletion(session, aCompletion({ stop: ['STOP'] }), forever()));
      expect(session.cache.get(id)?.quarantine).toBe('logprobs_missing');
    });

    it('has the versions that the engine reports at its end, a few tokens after the stop string', async () => {
      await start('vllm');
      await says('abSTOP and', { versionChangeAfter: 1 });
      const session = aSession();
      const { id, result } = await play(fixture.runCompletion(session, aCompletion({ stop: ['STOP'] }), forever()));
      const { sampled, quarantine } = session.cache.get(id) ?? {};
      expect([result.stopText, quarantine]).toEqual(['STOP', undefined]);
      expect([...(sampled?.versions ?? [])]).toEqual([3, ...(sampled?.versions.slice(1).fill(4) ?? [])]);
      expect(sampled?.ids.length).toBeLessThan(fixture.fake.calls.at(-1)?.ids.length ?? 0);
    });

    it('is quarantined if the engine continues for long without reporting them', async () => {
      await start('vllm', { limits: { maxNewTokens: 64 } });
      await says(`STOP${' and'.repeat(50)}`);
      const session = aSession();
      const { id } = await play(fixture.runCompletion(session, aCompletion({ stop: ['STOP'] }), forever()));
      expect(session.cache.get(id)?.quarantine).toBe('versions_unconfirmed');
    });

    it('is complete when the engine fails after the stop string', async () => {
      await start('vllm');
      await says('fine STOP and more', { faults: { resetAfterTokens: 10 } });
      const session = aSession();
      const { id, output } = await play(fixture.runCompletion(session, aCompletion({ stop: ['STOP'] }), forever()));
      expect([output.content, session.cache.get(id)?.quarantine]).toEqual(['fine ', 'versions_unconfirmed']);
    });

    it('ignores one within reasoning', async () => {
      await start('sglang');
      await says('<think>\nmaybe\n</think>\n\nyes STOP no');
      const { output } = await play(fixture.runCompletion(aSession(), aCompletion({ stop: ['STOP'] }), forever()));
      expect(output).toEqual({ role: 'assistant', reasoning: 'maybe', content: 'yes ' });
    });
  });
});
