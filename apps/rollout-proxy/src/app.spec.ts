import { exported, useTestProxy } from './features/testing/use-test-proxy';

const proxy = useTestProxy();
const { chat, exportSession, follow } = proxy;

describe('the rollout proxy', () => {
  it('plays an episode from grant to acknowledged export', async () => {
    expect((await proxy.call('/grant_capacity')).body).toEqual({ capacity: 1 });
    const started = await proxy.call('/rl/start_session', { body: { task_id: 'maths' } });
    const { session_id: id, session_api_key: key, api_key: same } = started.body;
    expect(id).toBe('maths-0');
    expect(key).toBe(same);
    expect(String(key)).toHaveLength(43);
    const first = await chat(String(key));
    await follow(String(key), first, 'go on');
    const rewarded = await proxy.call('/rl/set_reward', { key: String(key), body: { reward: 1 } });
    expect(rewarded.body).toMatchObject({ message: 'success', reward: 1, revision: 1 });
    const ended = await proxy.call('/rl/end_session', { key: String(key) });
    expect(ended.body).toEqual({ message: 'success', interaction_count: 2 });
    const answer = await exportSession(String(id), { discount: 0.5 });
    expect(answer.status).toBe(200);
    const [root, leaf] = Object.values(exported(answer));
    expect(root).toMatchObject({ reward: 0.5, original_reward: null, parent_id: null });
    expect(leaf).toMatchObject({ reward: 1, original_reward: 1, parent_id: first.body.id });
    expect(leaf?.tensor_dict.input_ids).toMatchObject({ type: 'tensor', dtype: 'torch.int32', shape: [1, 10] });
    const acknowledged = await proxy.call('/rl/acknowledge_export', { body: { session_id: id } });
    expect(acknowledged.status).toBe(200);
    expect((await exportSession(String(id))).status).toBe(404);
  });

  it.each(['/chat/completions', '/v1/chat/completions'])('accepts model calls at %s', async (path) => {
    const { key } = await proxy.start();
    expect((await chat(key, 'hello', path)).status).toBe(200);
  });

  it('answers health, readiness, models, metrics and its description', async () => {
    const get = (path: string, key?: null) => proxy.call(path, { method: 'GET', ...(key === null ? { key } : {}) });
    expect((await get('/health', null)).body).toEqual({ status: 'ok', initialized: true });
    expect((await get('/ready', null)).status).toBe(200);
    expect((await get('/v1/models')).body).toMatchObject({ data: [{ id: 'echo' }] });
    expect((await get('/models')).status).toBe(200);
    expect(String((await get('/metrics')).body.text)).toContain('weir_rollout_grants_unused 0');
    expect((await get('/openapi.json')).body).toMatchObject({ openapi: '3.0.0' });
  });

  it('pauses and continues generation, and sets the version', async () => {
    expect((await proxy.call('/pause_generation')).body).toEqual({ status: 'ok', paused: true });
    const ready = await proxy.call('/ready', { method: 'GET', key: null });
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await proxy.call('/continue_generation')).body).toEqual({ status: 'ok', paused: false });
    expect((await proxy.call('/set_version', { body: { version: 3 } })).body).toEqual({ version: 3 });
    expect((await proxy.call('/get_version', { method: 'GET' })).body).toEqual({ version: 3 });
  });

  it('shows a session with its tree, and deletes it', async () => {
    const { id, key } = await proxy.start();
    await follow(key, await chat(key), 'go on');
    const detail = await proxy.call(`/rl/sessions/${id}`, { method: 'GET' });
    expect(detail.body).toMatchObject({ state: 'active', interaction_count: 2, sampled_tokens: 4 });
    expect((await proxy.call(`/rl/sessions/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await chat(key)).status).toBe(401);
    expect((await proxy.call(`/rl/sessions/${id}`, { method: 'GET' })).status).toBe(404);
  });

  it.each([
    ['/rl/start_session', { task_id: 5 }],
    ['/rl/start_session', { task_id: 'a\nb' }],
    ['/export_trajectories', { session_id: 'x', discount: 2 }],
    ['/export_trajectories', {}],
  ])('refuses at %s the body %j', async (path, body) => {
    const answer = await proxy.call(path, { body });
    expect([answer.status, answer.body.reason]).toEqual([400, 'request_invalid']);
    expect(typeof answer.body.detail).toBe('string');
  });
});
