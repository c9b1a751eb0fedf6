import { waitFor } from '@weir/test-kit';
import { readJsonRows } from '../support/exported-rows';
import type { Answer } from '../support/rollout-proxy';
import { hello, readContent, readError, useDefects, user } from './testing/use-defects';

jest.setTimeout(60_000);

describe('defects of similar services', () => {
  const inUse = useDefects();
  const { request, detail } = inUse;

  describe('a session that has ended', () => {
    beforeEach(async () => {
      await inUse.episode.chat(hello);
      await inUse.episode.end();
    });

    it('accepts no more model calls', async () => {
      const late = await inUse.episode.chat(hello);
      expect([late.status, readError(late).code]).toEqual([409, 'session_ended']);
      expect(readJsonRows(await inUse.episode.exported())).toHaveLength(1);
    });

    it('accepts no more rewards with its own key', async () => {
      const late = await request('/rl/set_reward', { key: inUse.episode.key, body: { reward: 5 } });
      expect([late.status, late.body.reason]).toEqual([409, 'session_ended']);
      expect(readJsonRows(await inUse.episode.exported())[0]?.reward).toBe(0);
    });

    it('can be exported after an export with a style that does not exist', async () => {
      const bad = await request('/export_trajectories', { body: { session_id: inUse.episode.id, style: 'tree' } });
      expect(bad.status).toBe(400);
      expect(readJsonRows(await inUse.episode.exported())).toHaveLength(1);
    });

    it('can be exported in both styles, one after the other, with different discounts', async () => {
      const first = readJsonRows(await inUse.episode.exported({ style: 'individual', discount: 0.1 }));
      expect(readJsonRows(await inUse.episode.exported({ style: 'concat', discount: 0.9 }))).toEqual(first);
    });
  });

  it('loses nothing when the client of an export disconnects', async () => {
    await inUse.episode.chat(hello);
    const aborting = new AbortController();
    const body = { session_id: inUse.episode.id, wait_seconds: 30 };
    const dropped = request('/export_trajectories', { body, signal: aborting.signal }).catch(() => 'dropped');
    await waitFor(async () => (await detail()).state === 'active', { what: 'the session to be seen' });
    aborting.abort();
    expect(await dropped).toBe('dropped');
    await inUse.episode.end();
    expect(readJsonRows(await inUse.episode.exported())).toHaveLength(1);
  });

  describe('a call that failed', () => {
    let good: Answer;
    beforeEach(async () => {
      good = await inUse.episode.chat(hello);
      inUse.setting.answers({ ids: [], faults: { status: 500, message: 'secret 1, 2, 3' } });
      const failed = await inUse.episode.chat({ messages: [user('again')] });
      expect(failed.status).toBe(502);
    });

    it('does not count as the last call for a reward', async () => {
      await inUse.episode.reward(1);
      await inUse.episode.end();
      expect(readJsonRows(await inUse.episode.exported())).toMatchObject([{ id: good.body.id, reward: 1 }]);
    });

    it('is not counted', async () => {
      expect(await inUse.episode.end()).toBe(1);
    });
  });

  it('does not leak the reward of a branch to its sibling', async () => {
    const root = await inUse.episode.chat(hello);
    const branch = (text: string) =>
      inUse.episode.chat({ messages: [...hello.messages, readContent(root), user(text)] });
    const [left, right] = [await branch('left'), await branch('right')];
    await inUse.episode.reward(1, String(left.body.id));
    await inUse.episode.reward(2, String(right.body.id));
    await inUse.episode.end();
    const rewards = readJsonRows(await inUse.episode.exported({ discount: 0.5 })).map(({ reward }) => reward);
    expect(rewards).toEqual([1.5, 1, 2]);
  });

  it.each(['NaN', '1e999', '-1e999', '1e300', '"1"', 'null', 'true'])('refuses %s as a reward', async (reward) => {
    await inUse.episode.chat(hello);
    const answer = await request('/rl/set_reward', { key: inUse.episode.key, body: `{"reward":${reward}}` });
    expect(answer.status).toBe(400);
    expect((await detail()).reward_revision).toBe(0);
  });

  it('accepts whole numbers and zero as rewards', async () => {
    await inUse.episode.chat(hello);
    for (const reward of [0, 3, -2]) await inUse.episode.reward(reward);
    await inUse.episode.end();
    expect(readJsonRows(await inUse.episode.exported())[0]?.reward).toBe(-2);
  });

  it('starts one session for a start that is repeated with its key, and uses one grant', async () => {
    const start = () =>
      request('/rl/start_session', {
        body: { task_id: 'twice' },
        headers: { 'idempotency-key': `start-${inUse.episode.id}` },
      });
    const unused = async () => Number((await request('/grant_capacity')).body.capacity);
    const before = await unused();
    const first = await start();
    expect((await start()).body).toEqual(first.body);
    expect(await unused()).toBe(before);
    await request(`/rl/sessions/${String(first.body.session_id)}`, { method: 'DELETE' });
  });

  it('records each of 300 calls of one prompt', async () => {
    for (let call = 0; call < 300; call += 1) expect((await inUse.episode.chat(hello)).status).toBe(200);
    expect(await inUse.episode.end()).toBe(300);
  });

  it('exports no row for an episode without calls, and reports that it had none', async () => {
    expect(await inUse.episode.end()).toBe(0);
    const exported = await inUse.episode.exported();
    expect(exported).toMatchObject({ interactions: {}, report: { interactions: 0, rows: 0 } });
  });
});
