import type { FakeAnswer } from '@weir/fake-engine';
import { waitFor } from '@weir/test-kit';
import { endId, toByteIds } from './support/byte-tokenizer';
import { startEpisode, type Episode } from './support/episode';
import { readJsonRows, sum, type ExportedRow } from './support/exported-rows';
import { startFakeSetting, type FakeSetting } from './support/fake-setting';

jest.setTimeout(120_000);

const oldText = 'old words';
const newText = 'new';
/** Tokens that a streamed call has before the engine makes it wait. */
const early = 4;

const messages = (content: string) => [{ role: 'user' as const, content }];

describe.each(['sglang', 'vllm', 'vllm-generate'] as const)(
  'POST /update_weights before %s, with calls in flight',
  (dialect) => {
    let setting: FakeSetting;
    let version = 0;
    beforeAll(async () => {
      setting = await startFakeSetting(dialect);
    });
    afterAll(() => setting.stop());

    /** Answers on the old weights wait for the case; those on the new weights are sent at once. */
    const holdOldAnswers = (): void => {
      const before = setting.engine.weightSource();
      setting.answers('');
      setting.engine.setScript(({ isStreaming }): FakeAnswer => {
        if (setting.engine.weightSource() !== before) return { ids: [...toByteIds(newText), endId] };
        const faults = isStreaming ? { holdAfterTokens: early } : { isHeld: true };
        return { ids: [...toByteIds(oldText), endId], faults };
      });
    };

    /** A streamed call that has its first tokens. */
    const startStream = async (episode: Episode, maxRetries: number) => {
      const events = await episode
        .openai({ maxRetries })
        .chat.completions.create({ model: 'any', messages: messages('stream'), stream: true });
      let text = '';
      let id = '';
      const read = async (): Promise<{ id: string; text: string }> => {
        for await (const event of events) {
          id = event.id;
          text += event.choices[0]?.delta.content ?? '';
        }
        return { id, text };
      };
      const done = read();
      done.catch(() => undefined);
      await waitFor(() => text.length === early, { what: 'the first tokens' });
      return { done };
    };
    const startWhole = (episode: Episode, maxRetries: number) => {
      const done = episode
        .openai({ maxRetries })
        .chat.completions.create({ model: 'any', messages: messages('whole') })
        .then(({ id, choices }) => ({ id, text: choices[0]?.message.content }));
      done.catch(() => undefined);
      return done;
    };

    const start = async (maxRetries = 0) => {
      holdOldAnswers();
      const episode = await startEpisode(setting.proxy);
      const { done: streamed } = await startStream(episode, maxRetries);
      const whole = startWhole(episode, maxRetries);
      await waitFor(() => setting.engine.heldCount() === 2, { what: 'the engine to hold both answers' });
      return { episode, streamed, whole };
    };
    const update = (in_flight: string) => {
      version += 1;
      return setting.proxy.request('/update_weights', { body: { file: `/weights/${version}`, version, in_flight } });
    };
    const untilMetric = (line: string): Promise<unknown> =>
      waitFor(
        async () => {
          const { text } = await setting.proxy.request('/metrics', { method: 'GET' });
          return text.split('\n').includes(`weir_rollout_${line}`);
        },
        { what: line },
      );
    const finishedRows = async (episode: Episode): Promise<ReadonlyMap<string, ExportedRow>> => {
      await episode.end();
      return new Map(readJsonRows(await episode.exported()).map((row) => [row.id, row]));
    };
    /** The sampled part of a row. */
    const sampled = (row: ExportedRow | undefined) => {
      const count = sum(row?.mask ?? []);
      return { ids: row?.ids.slice(-count), versions: row?.versions.slice(-count) };
    };
    const times = (count: number, value: number): readonly number[] => new Array<number>(count).fill(value);
    const [oldIds, newIds] = [
      [...toByteIds(oldText), endId],
      [...toByteIds(newText), endId],
    ];

    it('continues them on the new weights, each token with the version that sampled it', async () => {
      const { episode, streamed, whole } = await start();
      expect((await update('continue')).body).toEqual({ version });

      expect((await streamed).text).toBe(oldText.slice(0, early) + newText);
      expect((await whole).text).toBe(newText);
      const rows = await finishedRows(episode);
      expect(sampled(rows.get((await streamed).id))).toEqual({
        ids: [...oldIds.slice(0, early), ...newIds],
        versions: [...times(early, version - 1), ...times(newIds.length, version)],
      });
      expect(sampled(rows.get((await whole).id))).toEqual({ ids: newIds, versions: times(newIds.length, version) });
      expect(rows.size).toBe(2);
      // The second part is asked for with the tokens of the first one.
      const parts = setting.calls().filter(({ request }) => request.isStreaming);
      expect(parts[1]?.request.promptIds).toEqual([...(parts[0]?.request.promptIds ?? []), ...oldIds.slice(0, early)]);
    });

    it('lets them finish on the old weights, while later calls wait for the new ones', async () => {
      const { episode, streamed, whole } = await start();
      const before = setting.engine.weightCalls.length;
      const updated = update('finish');
      await untilMetric('generation_paused 1');
      const running = setting.calls().length;
      const late = episode.chat({ messages: messages('late') });
      await untilMetric('turns_under_way 3');
      expect([setting.calls().length, setting.engine.weightCalls.length]).toEqual([running, before]);
      setting.engine.release();

      expect((await updated).body).toEqual({ version });
      expect([(await streamed).text, (await whole).text]).toEqual([oldText, oldText]);
      const rows = await finishedRows(episode);
      for (const { id } of [await streamed, await whole]) {
        expect(sampled(rows.get(id))).toEqual({ ids: oldIds, versions: times(oldIds.length, version - 1) });
      }
      expect(sampled(rows.get(String((await late).body.id)))).toEqual({
        ids: newIds,
        versions: times(newIds.length, version),
      });
    });

    it('drops them, so that a client repeats calls without a token, and trains on none of the dropped', async () => {
      const { episode, streamed, whole } = await start(2);
      expect((await update('drop')).body).toEqual({ version });

      await expect(streamed).rejects.toMatchObject({ error: { code: 'generation_dropped' } });
      const repeated = await whole;
      expect(repeated.text).toBe(newText);
      const rows = await finishedRows(episode);
      expect([...rows.keys()]).toEqual([repeated.id]);
      expect(sampled(rows.get(repeated.id))).toEqual({ ids: newIds, versions: times(newIds.length, version) });
    });
  },
);
