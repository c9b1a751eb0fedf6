import { exportTrajectories, type PromptContext } from '@weir/rollout-core';
import {
  aSession,
  aCompletion,
  forever,
  play,
  startCompletionFixture,
  type CompletionFixture,
} from './testing/completion-fixture';

describe('a stored completion', () => {
  let fixture: CompletionFixture;

  beforeAll(async () => {
    fixture = await startCompletionFixture('sglang');
  });

  afterAll(() => fixture.stop());

  it('is not trained on if a token is not in the vocabulary, but keeps the sampled tokens', async () => {
    const { tokenizer, fake, runCompletion } = fixture;
    const foreign = tokenizer.vocabularySize;
    const end = tokenizer.endIds[0] ?? -1;
    const session = aSession();
    for (const ids of [
      [104, foreign, end],
      [104, foreign - 1, end],
    ]) {
      fake.setScript(() => ({ ids, finishReason: 'stop' }));
      const { output } = await play(runCompletion(session, aCompletion(), forever()));
      expect([...(session.cache.last?.sampled.ids ?? [])]).toEqual(ids);
      expect(output.role).toBe('assistant');
    }
    const { entries, report } = exportTrajectories(session.cache);
    expect(report.quarantined).toMatchObject([{ reason: 'ids_outside_vocabulary' }]);
    expect(entries).toHaveLength(1);
  });

  it('includes the tools and template arguments of its prompt', async () => {
    const { tokenizer, fake, runCompletion } = fixture;
    fake.setScript(() => ({ ids: [104, tokenizer.endIds[0] ?? -1], finishReason: 'stop' }));
    const session = aSession();
    const stored: (PromptContext | undefined)[] = [];
    const startCompletion: typeof session.startCompletion = () => {
      const open = session.startCompletion();
      return {
        ...open,
        commit: (draft, promptIds, context) => {
          stored.push(context);
          return open.commit(draft, promptIds, context);
        },
      };
    };
    const context = { tools: [{ name: 'add' }], templateArguments: { enable_thinking: false } };
    await play(runCompletion({ ...session, startCompletion }, aCompletion(context), forever()));
    expect(stored).toEqual([context]);
  });
});
