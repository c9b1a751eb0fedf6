import { exported, useTestProxy } from '../testing/use-test-proxy';

const proxy = useTestProxy();
const { chat } = proxy;

describe('idempotency keys', () => {
  const once = { 'idempotency-key': 'abc' };

  it('return the first answer again, without another session', async () => {
    await proxy.call('/grant_capacity');
    const start = () => proxy.call('/rl/start_session', { body: { task_id: 't' }, headers: once });
    const [first, second] = await Promise.all([start(), start()]);
    expect(second.body).toEqual(first.body);
    expect((await start()).body).toEqual(first.body);
  });

  it('allow an export to be repeated even if it removed the session', async () => {
    const { id, key } = await proxy.start();
    await chat(key);
    await proxy.call('/rl/end_session', { key });
    const repeated = () =>
      proxy.call('/export_trajectories', { body: { session_id: id, remove_session: true }, headers: once });
    const first = await repeated();
    expect(Object.keys(exported(first))).toHaveLength(1);
    expect((await repeated()).body).toEqual(first.body);
  });

  it('refuse another request', async () => {
    await proxy.call('/grant_capacity', { headers: once });
    const other = await proxy.call('/rl/start_session', { body: { task_id: 't' }, headers: once });
    expect([other.status, other.body.reason]).toEqual([409, 'idempotency_key_reused']);
  });

  it('do not keep a failure', async () => {
    const start = () => proxy.call('/rl/start_session', { body: { task_id: 't' }, headers: once });
    expect((await start()).status).toBe(429);
    await proxy.call('/grant_capacity');
    expect((await start()).status).toBe(200);
  });
});
