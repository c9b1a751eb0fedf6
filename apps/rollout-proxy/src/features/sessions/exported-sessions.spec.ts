import { startTestProxy, type TestProxy } from '../testing/test-proxy';

async function exportEpisode(proxy: TestProxy, episode: number): Promise<string> {
  const { id, key } = await proxy.start(`task-${episode}`);
  const said = await proxy.call('/chat/completions', { key, body: { messages: [{ role: 'user', content: 'hello' }] } });
  await proxy.call('/rl/end_session', { key });
  const made = await proxy.call('/export_trajectories', { body: { session_id: id } });
  expect([episode, said.status, made.status]).toEqual([episode, 200, 200]);
  return id;
}

describe('exported sessions without an acknowledgement', () => {
  it.each([
    ['bytes', { ROLLOUT_MAX_BYTES: '2048' }],
    ['session slots', { ROLLOUT_MAX_SESSIONS: '2' }],
  ])('are replaced by new ones when %s run out', async (_what, env) => {
    const proxy = await startTestProxy({ env });
    const ids: string[] = [];
    for (let episode = 0; episode < 12; episode += 1) ids.push(await exportEpisode(proxy, episode));
    const again = (id = '') => proxy.call('/export_trajectories', { body: { session_id: id } });
    // The oldest are gone; the newest can be exported once more.
    expect((await again(ids[0])).status).toBe(404);
    expect((await again(ids.at(-1))).status).toBe(200);
    await proxy.stop();
  });

  it('are the only ones that are replaced', async () => {
    const proxy = await startTestProxy({ env: { ROLLOUT_MAX_BYTES: '1024' } });
    const { key, id } = await proxy.start();
    const body = { messages: [{ role: 'user', content: 'hello' }] };
    await proxy.call('/chat/completions', { key, body });
    await proxy.call('/rl/end_session', { key });
    const second = await proxy.start();
    const refused = await proxy.call('/chat/completions', { key: second.key, body });
    expect([refused.status, refused.body.reason]).toEqual([429, 'bytes_exhausted']);
    await proxy.call('/export_trajectories', { body: { session_id: id } });
    expect((await proxy.call('/chat/completions', { key: second.key, body })).status).toBe(200);
    await proxy.stop();
  });
});
