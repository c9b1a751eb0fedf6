import { aSession, aCompletion, forever, play, type startCompletionFixture } from './testing/completion-fixture';
import { useCompletionFixture } from './testing/use-completion-fixture';

const bytes = (text: string): readonly number[] => [...Buffer.from(text)];

describe('a completion', () => {
  const fixture = useCompletionFixture();
  const { start, lastPrompt } = fixture;

  describe('with a budget', () => {
    const listPrompts = async (limits: Parameters<typeof startCompletionFixture>[1], maxNewTokens?: number) => {
      await start('sglang', limits);
      const session = aSession();
      await play(fixture.runCompletion(session, aCompletion({ maxNewTokens }), forever()));
      return { asked: fixture.fake.calls.at(-1)?.request.maxNewTokens, session };
    };

    it('requests what its caller wants', async () => {
      expect((await listPrompts({}, 7)).asked).toBe(7);
    });

    it('never requests more than the limit of a completion', async () => {
      expect((await listPrompts({ limits: { maxNewTokens: 9 } }, 70)).asked).toBe(9);
    });

    it('requests no more than the context has room for', async () => {
      const { asked } = await listPrompts({ engine: { contextLength: 60 } }, 64);
      expect((asked ?? 0) + lastPrompt().length).toBe(60);
    });

    it('requests no more than the remaining budget of the session, and then refuses', async () => {
      const { session } = await listPrompts({ limits: { maxSessionTokens: 10 } }, 6);
      await play(fixture.runCompletion(session, aCompletion({ maxNewTokens: 6 }), forever()));
      expect(fixture.fake.calls.at(-1)?.request.maxNewTokens).toBe(4);
      const third = play(fixture.runCompletion(session, aCompletion(), forever()));
      await expect(third).rejects.toMatchObject({ code: 'invalid_request', reason: 'session_tokens_spent' });
    });

    it('ends with length if the engine was interrupted', async () => {
      await start('sglang');
      fixture.fake.setScript(() => bytes('cut off').slice(0, 3));
      const { result, output } = await play(
        fixture.runCompletion(aSession(), aCompletion({ maxNewTokens: 3 }), forever()),
      );
      expect([result.finishReason, output.content]).toEqual(['length', 'cut']);
    });
  });
});
