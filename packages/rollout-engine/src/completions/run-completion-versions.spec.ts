import { aSession, aCompletion, forever, play, startCompletionFixture } from './testing/completion-fixture';
import type { CompletionFixture } from './testing/completion-fixture';

const bytes = (text: string): readonly number[] => [...Buffer.from(text)];

describe('an answer that its engine continues after a pause, with versions at the end of each part', () => {
  let fixture: CompletionFixture;
  afterEach(() => fixture.stop());

  /** The first part is sampled with other weights than were current when it began; the second one from its start. */
  const playParts = async (first: string, second: string) => {
    const parts = [
      { ids: bytes(first), versionChangeAfter: 1, finishReason: 'abort' as const },
      { ids: bytes(second), versionChangeAfter: 0, tokensPerPiece: 64 },
    ];
    const before = fixture.fake.calls.length;
    fixture.fake.setScript(({ callNumber }) => parts[callNumber - before] ?? []);
    const session = aSession();
    const { id, result } = await play(fixture.runCompletion(session, aCompletion({ stop: ['STOP'] }), forever()));
    const { sampled, quarantine } = session.cache.get(id) ?? {};
    return { stopText: result.stopText, versions: [...(sampled?.versions ?? [])], quarantine };
  };

  it.each(['vllm', 'vllm-generate'] as const)('%s: is cut in the second part', async (dialect) => {
    fixture = await startCompletionFixture(dialect);

    expect(await playParts('abc', 'STOP')).toEqual({
      stopText: 'STOP',
      versions: [3, 4, 4, 4, 4, 4, 4],
      quarantine: undefined,
    });
  });

  it.each(['vllm', 'vllm-generate'] as const)('%s: is cut in the first part', async (dialect) => {
    fixture = await startCompletionFixture(dialect);

    expect(await playParts('STOPa', 'b')).toEqual({ stopText: 'STOP', versions: [3, 4, 4, 4], quarantine: undefined });
  });
});
