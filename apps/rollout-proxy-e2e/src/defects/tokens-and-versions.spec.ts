import { waitFor } from '@weir/test-kit';
import { endId, toByteIds } from '../support/byte-tokenizer';
import { startEpisode, type Episode } from '../support/episode';
import { readJsonRows, sum } from '../support/exported-rows';
import { saying, startFakeSetting, type FakeSetting } from '../support/fake-setting';
import { hello, readContent, useDefects, user } from './testing/use-defects';

jest.setTimeout(60_000);

describe('defects of similar services', () => {
  const inUse = useDefects();

  it.each([true, false])('labels each token with the version that sampled it, streaming %s', async (stream) => {
    inUse.setting.answers(saying('abcdef', { versionChangeAfter: 3 }));
    await inUse.episode.chat({ ...hello, stream });
    await inUse.episode.end();
    const [row] = readJsonRows(await inUse.episode.exported());
    expect(row?.versions.slice(-sum(row.mask))).toEqual([7, 7, 7, 8, 8, 8, 8]);
  });
});

describe('the tokens of an export', () => {
  it.each(['sglang', 'vllm', 'vllm-generate', 'llama-cpp'] as const)('are those that %s sampled', async (dialect) => {
    const setting = await startFakeSetting(dialect, { engine: { weightVersion: '7' } });
    try {
      // 200 alone is no character: no text gives these ids.
      const ids = [...toByteIds('so '), 200, ...toByteIds(' it is'), endId];
      setting.answers({ ids, tokensPerPiece: 3, ...(dialect === 'llama-cpp' ? {} : { versionChangeAfter: 4 }) });
      const episode = await startEpisode(setting.proxy);
      const first = await episode.chat(hello);
      const messages = [...hello.messages, readContent(first), user('go on')];
      await episode
        .openai()
        .chat.completions.stream({ model: 'm', messages: messages as never })
        .done();
      await episode.end();
      const rows = readJsonRows(await episode.exported());
      const calls = setting.calls();
      expect([rows.length, calls.length]).toEqual([2, 2]);
      for (const [index, row] of rows.entries()) {
        const call = calls[index];
        expect(row.ids).toEqual([...(call?.request.promptIds ?? []), ...ids]);
        expect(row.logprobs.slice(-ids.length)).toEqual(call?.logprobs);
        // If an engine names no versions, its tokens have that of the service.
        const versions = [...(call?.versions ?? [])].map((version) => (dialect === 'llama-cpp' ? 0 : version));
        expect(row.versions.slice(-ids.length)).toEqual(versions);
      }
      expect(rows[1]?.ids.slice(0, rows[0]?.ids.length)).toEqual(rows[0]?.ids);
    } finally {
      await setting.stop();
    }
  });
});

describe('an update of the weights in the middle of a call', () => {
  let setting: FakeSetting;
  let episode: Episode;
  beforeEach(async () => {
    setting = await startFakeSetting('sglang', { engine: { versions: 'none' } });
    episode = await startEpisode(setting.proxy);
    setting.answers(saying('abcdef', { faults: { holdAfterTokens: 2 } }));
  });
  afterEach(() => setting.stop());

  /** A call that has told two tokens, and whose engine waits with the third. */
  const ask = async () => {
    const messages = [{ role: 'user' as const, content: 'x' }];
    const stream = episode.openai().chat.completions.stream({ model: 'm', messages });
    let text = '';
    stream.on('content', (delta) => (text += delta));
    const answer = stream.finalChatCompletion();
    await waitFor(() => text === 'ab', { what: 'two tokens' });
    return { answer };
  };

  it('labels the tokens before and after a pause with their own versions', async () => {
    const trainer = setting.proxy.createClient();
    const { answer } = await ask();
    await trainer.pauseGeneration();
    await trainer.setVersion({ body: { version: 5 } });
    setting.answers('gh');
    await trainer.continueGeneration();
    expect((await answer).choices[0]?.message.content).toBe('abgh');
    await episode.end();
    const [row] = readJsonRows(await episode.exported());
    expect(row?.versions.slice(-sum(row.mask))).toEqual([0, 0, 5, 5, 5]);
  });

  it('relabels no token of a call that was not paused: it is not trained on', async () => {
    const { answer } = await ask();
    await setting.proxy.createClient().setVersion({ body: { version: 5 } });
    await waitFor(() => setting.engine.heldCount() === 1, { what: 'the engine to hold its answer' });
    setting.engine.release();
    await answer;
    await episode.end();
    const { interactions, report } = await episode.exported();
    expect(interactions).toEqual({});
    expect(report.quarantined).toMatchObject([{ reason: 'version_changed_within_answer' }]);
  });
});
