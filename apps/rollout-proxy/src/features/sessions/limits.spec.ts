import { startTestProxy } from '../testing/test-proxy';
import { say } from '../testing/use-test-proxy';

describe('limits', () => {
  it('releases capacity exactly once, at end, expiry and deletion', async () => {
    const proxy = await startTestProxy({ env: { ROLLOUT_CAPACITY: '2' } });
    const grant = () => proxy.call('/grant_capacity');
    const one = await proxy.start();
    const two = await proxy.start();
    const full = await grant();
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '1']);
    await proxy.call('/rl/end_session', { key: one.key });
    await proxy.call('/rl/end_session', { key: one.key });
    await proxy.call(`/rl/sessions/${one.id}`, { method: 'DELETE' });
    expect((await grant()).status).toBe(200);
    expect((await grant()).status).toBe(429);
    await proxy.call(`/rl/sessions/${two.id}`, { method: 'DELETE' });
    expect((await grant()).status).toBe(200);
    await proxy.stop();
  });

  it.each([
    ['ROLLOUT_MAX_INTERACTIONS', '1', 'session_interactions_exhausted', 400],
    ['ROLLOUT_MAX_SESSION_TOKENS', '2', 'session_tokens_exhausted', 400],
    ['ROLLOUT_MAX_SESSION_BYTES', '1024', 'session_bytes_exhausted', 400],
    ['ROLLOUT_MAX_BYTES', '1024', 'bytes_exhausted', 429],
  ])('refuses a model call beyond %s', async (name, value, reason, status) => {
    const proxy = await startTestProxy({ env: { [name]: value } });
    const { key } = await proxy.start();
    await proxy.call('/chat/completions', { key, body: say('x') });
    const answer = await proxy.call('/chat/completions', { key, body: say('y') });
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    await proxy.stop();
  });

  it('refuses a session beyond ROLLOUT_MAX_SESSIONS and keeps the grant', async () => {
    const proxy = await startTestProxy({ env: { ROLLOUT_MAX_SESSIONS: '1' } });
    const one = await proxy.start();
    await proxy.call('/grant_capacity');
    const refused = await proxy.call('/rl/start_session', { body: { task_id: 't' } });
    expect(refused.body.reason).toBe('sessions_exhausted');
    await proxy.call(`/rl/sessions/${one.id}`, { method: 'DELETE' });
    expect((await proxy.call('/rl/start_session', { body: { task_id: 't' } })).status).toBe(200);
    await proxy.stop();
  });

  it('lets a session beyond them replace an exported one without an acknowledgement', async () => {
    const proxy = await startTestProxy({ env: { ROLLOUT_MAX_SESSIONS: '1' } });
    const { id, key } = await proxy.start();
    await proxy.call('/rl/end_session', { key });
    await proxy.call('/grant_capacity');
    const tooEarly = await proxy.call('/rl/start_session', { body: { task_id: 't' } });
    await proxy.call('/export_trajectories', { body: { session_id: id } });
    const started = await proxy.call('/rl/start_session', { body: { task_id: 't' } });
    const repeated = await proxy.call('/export_trajectories', { body: { session_id: id } });
    expect([tooEarly.status, started.status, repeated.status]).toEqual([429, 200, 404]);
    await proxy.stop();
  });
});
