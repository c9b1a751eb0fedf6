import { waitFor } from '@weir/test-kit';
import { exported, say, useTestProxy } from '../testing/use-test-proxy';

const proxy = useTestProxy();
const { chat, exportSession } = proxy;

describe('calls out of order', () => {
  it('refuses a model call and a reward after the end, and ends twice with one answer', async () => {
    const { key } = await proxy.start();
    await chat(key);
    const first = await proxy.call('/rl/end_session', { key });
    expect((await proxy.call('/rl/end_session', { key })).body).toEqual(first.body);
    expect((await chat(key)).body.reason).toBe('session_ended');
    const reward = await proxy.call('/rl/set_reward', { key, body: { reward: 1 } });
    expect([reward.status, reward.body.reason]).toEqual([409, 'session_ended']);
  });

  it('refuses an export before the end, and waits for it when asked', async () => {
    const { id, key } = await proxy.start();
    await chat(key);
    const early = await exportSession(id);
    expect([early.status, early.body.reason]).toEqual([409, 'session_not_ended']);
    const waiting = exportSession(id, { wait_seconds: 20 });
    await proxy.call('/rl/end_session', { key });
    expect((await waiting).status).toBe(200);
  });

  it('changes nothing when the client of an export disconnects while it waits', async () => {
    const { id, key } = await proxy.start();
    await chat(key);
    const aborting = new AbortController();
    const waiting = proxy.call('/export_trajectories', { body: { session_id: id }, signal: aborting.signal });
    aborting.abort();
    await expect(waiting).rejects.toThrow();
    await proxy.call('/rl/end_session', { key });
    expect(Object.keys(exported(await exportSession(id)))).toHaveLength(1);
  });

  it('can export after a bad style, and again until it is acknowledged', async () => {
    const { id, key } = await proxy.start();
    await chat(key);
    await proxy.call('/rl/end_session', { key });
    expect((await exportSession(id, { style: 'nonsense' })).status).toBe(400);
    const first = await exportSession(id);
    expect((await exportSession(id)).body).toEqual(first.body);
    expect((await chat(key)).status).toBe(401);
  });

  it('aborts model calls when their session ends', async () => {
    const { key } = await proxy.start();
    const held = proxy.call('/chat/completions', { key, body: { ...say('x'), hold: true } });
    await waitFor(
      async () => {
        const { body } = await proxy.call('/rl/sessions', { method: 'GET' });
        return (body.sessions as { turns_under_way: number }[])[0]?.turns_under_way === 1;
      },
      { what: 'the call to begin' },
    );
    const ended = await proxy.call('/rl/end_session', { key });
    expect(ended.body).toEqual({ message: 'success', interaction_count: 0 });
    expect((await held).body.reason).toBe('session_ended');
  });

  it('exports a session without calls as empty, and reports it', async () => {
    const { id, key } = await proxy.start();
    await proxy.call('/rl/end_session', { key });
    expect((await exportSession(id)).body).toMatchObject({ interactions: {}, report: { interactions: 0 } });
  });
});
