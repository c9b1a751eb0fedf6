import { exported, useTestProxy } from '../testing/use-test-proxy';

const proxy = useTestProxy();
const { chat, exportSession, follow } = proxy;

describe('rewards', () => {
  it.each([['"1"'], ['null'], ['NaN'], ['1e999'], ['1e300'], ['true']])('refuses %s', async (reward) => {
    const { key } = await proxy.start();
    await chat(key);
    const answer = await proxy.call('/rl/set_reward', { key, body: `{"reward":${reward}}` });
    expect(answer.status).toBe(400);
  });

  it('requires a completed call with a known id', async () => {
    const { key } = await proxy.start();
    const none = await proxy.call('/rl/set_reward', { key, body: { reward: 1 } });
    expect([none.status, none.body.reason]).toEqual([400, 'no_interactions']);
    await chat(key);
    const unknown = await proxy.call('/rl/set_reward', { key, body: { reward: 1, interaction_id: 'other' } });
    expect([unknown.status, unknown.body.reason]).toEqual([400, 'interaction_not_found']);
  });

  it('does not spread from a branch to its sibling', async () => {
    const { id, key } = await proxy.start();
    const root = await chat(key);
    const left = await follow(key, root, 'left');
    const right = await follow(key, root, 'right');
    for (const [branch, reward] of [
      [left, 1],
      [right, 2],
    ] as const) {
      await proxy.call('/rl/set_reward', { key, body: { reward, interaction_id: branch.body.id } });
    }
    await proxy.call('/rl/end_session', { key });
    const all = exported(await exportSession(id, { discount: 0.5 }));
    expect(Object.values(all).map(({ reward }) => reward)).toEqual([1.5, 1, 2]);
  });

  it('can be corrected by the admin after an export', async () => {
    const { id, key } = await proxy.start();
    await chat(key);
    await proxy.call('/rl/end_session', { key });
    await exportSession(id);
    const corrected = await proxy.call('/rl/set_reward', { body: { reward: 3, session_id: id } });
    expect(corrected.body).toMatchObject({ revision: 1 });
    expect(Object.values(exported(await exportSession(id)))[0]).toMatchObject({ reward: 3 });
  });
});
