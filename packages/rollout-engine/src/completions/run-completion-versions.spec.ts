import { waitFor } from '@weir/test-kit';
import type { CompletionEvent } from './completion';
import { aSession, aCompletion, forever, play, startCompletionFixture } from './testing/completion-fixture';
import type { CompletionFixture } from './testing/completion-fixture';
import { useCompletionFixture } from './testing/use-completion-fixture';

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

describe('a completion', () => {
  const fixture = useCompletionFixture();
  const { start, says } = fixture;

  it('is doubted if a version was set while an engine without versions was running', async () => {
    await start('sglang', { engine: { versions: 'none' } });
    await says('changing', { faults: { holdAfterTokens: 2 } });
    const session = aSession();
    const completion = play(fixture.runCompletion(session, aCompletion(), forever()));
    await waitFor(() => fixture.fake.heldCount() === 1, { what: 'the engine to hold its answer' });
    fixture.control.setVersion(4);
    fixture.fake.release();
    expect(session.cache.get((await completion).id)?.quarantine).toBe('version_changed_within_answer');
  });

  it('continues after a pause, each segment with the version that sampled it', async () => {
    await start('sglang', { engine: { versions: 'none' } });
    const before = await says('before', { faults: { holdAfterTokens: 2 } });
    const session = aSession();
    const pieces: CompletionEvent[] = [];
    const completion = (async () => {
      for await (const event of fixture.runCompletion(session, aCompletion(), forever())) pieces.push(event);
    })();
    await waitFor(() => pieces.filter(({ kind }) => kind === 'text').length === 2, { what: 'two tokens' });
    fixture.control.pause('abort');
    await fixture.control.waitUntilDrained(forever());
    fixture.control.setVersion(4);
    await says(' and after');
    fixture.control.resume();
    await completion;
    const interaction = session.cache.last;
    const [first, second] = fixture.fake.calls.slice(before);
    expect([...(second?.request.promptIds ?? [])]).toEqual([
      ...(first?.request.promptIds ?? []),
      ...(first?.ids.slice(0, 2) ?? []),
    ]);
    expect([...(interaction?.sampled.ids ?? [])]).toEqual([...(first?.ids.slice(0, 2) ?? []), ...(second?.ids ?? [])]);
    expect([...(interaction?.sampled.versions ?? [])]).toEqual([3, 3, ...(second?.ids ?? []).map(() => 4)]);
    expect(interaction?.quarantine).toBeUndefined();
  });
});
