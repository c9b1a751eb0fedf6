import { setTimeout as moment } from 'node:timers/promises';
import { endId, toByteIds } from './support/byte-tokenizer';
import { joinEpisode, startEpisode } from './support/episode';
import { readJsonRows, sum } from './support/exported-rows';
import { startFakeSetting, type FakeSetting } from './support/fake-setting';
import { adminKey, type RolloutProxy } from './support/rollout-proxy';
import { createSeededChoice } from './support/seeded-choice';

jest.setTimeout(140_000);

const rounds = 2;
const longestMomentMs = 25;

describe('a proxy that is killed within an update of the weights', () => {
  let setting: FakeSetting;
  let proxy: RolloutProxy;
  beforeAll(async () => {
    setting = await startFakeSetting('sglang', { env: {} });
    proxy = setting.proxy;
    setting.engine.setScript(({ callNumber, maxNewTokens }) =>
      [...toByteIds(`answer ${callNumber}`), endId].slice(0, maxNewTokens),
    );
  });
  afterAll(async () => {
    await proxy.dispose();
    await setting.stop();
  });

  it(`samples no token before the update is repeated, and loses none, in ${rounds} rounds`, async () => {
    const choice = createSeededChoice(344);
    const { id, key } = await startEpisode(proxy, 'weights');
    const ids: string[] = [];
    const ask = async (): Promise<void> => {
      const answer = await joinEpisode(proxy, id, key).chat({ messages: [{ role: 'user', content: `${ids.length}` }] });
      expect(answer.status).toBe(200);
      ids.push(String(answer.body.id));
    };
    for (let version = 1; version <= rounds; version += 1) {
      await ask();
      const update = () => proxy.request('/update_weights', { body: { file: `/weights/${version}`, version } });
      const running = update().catch(() => undefined);
      await moment(choice.below(longestMomentMs));
      proxy = await proxy.restart();
      await running;
      expect((await update()).body).toEqual({ version });
      expect([setting.engine.weightSource(), setting.engine.isPaused()]).toEqual([`/weights/${version}`, false]);
      await ask();
      expect([...(setting.engine.calls.at(-1)?.versions ?? [])]).toContain(version);
    }
    await proxy.request('/rl/end_session', { key: adminKey, body: { session_id: id } });
    const rows = readJsonRows(await joinEpisode(proxy, id, key).exported());
    expect(rows.map((row) => row.id).sort()).toEqual([...ids].sort());
    for (const row of rows) {
      const call = setting.engine.calls.find(({ request }) => request.requestId === row.id);
      expect(row.ids.slice(-sum(row.mask))).toEqual([...(call?.ids ?? [])]);
    }
  });
});
