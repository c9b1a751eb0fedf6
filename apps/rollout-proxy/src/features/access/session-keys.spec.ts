import { exported, say, useTestProxy } from '../testing/use-test-proxy';

const proxy = useTestProxy();
const { chat, exportSession } = proxy;

describe('keys', () => {
  it('are accepted from x-api-key on every kind of route, and from a Bearer of any case', async () => {
    const viaHeader = (key: string) => ({ key: null, headers: { 'x-api-key': key } });
    const { key } = await proxy.start();
    expect((await proxy.call('/grant_capacity', viaHeader('an-admin-key-for-specs'))).status).toBe(200);
    expect((await proxy.call('/chat/completions', { ...viaHeader(key), body: say('x') })).status).toBe(200);
    expect((await proxy.call('/rl/end_session', viaHeader(key))).status).toBe(200);
    const lower = { key: null, headers: { authorization: 'bEARER an-admin-key-for-specs' } };
    expect((await proxy.call('/grant_capacity', lower)).status).toBe(200);
  });

  it('are accepted as clients of Google send them, in the address only for their operations', async () => {
    const { key } = await proxy.start();
    const viaGoogle = { key: null, headers: { 'x-goog-api-key': key } };
    expect((await proxy.call('/chat/completions', { ...viaGoogle, body: say('x') })).status).toBe(200);
    const inAddress = await proxy.call(`/chat/completions?key=${key}`, { key: null, body: say('x') });
    expect([inAddress.status, inAddress.body.reason]).toEqual([401, 'key_missing']);
    const admin = await proxy.call('/grant_capacity?key=an-admin-key-for-specs', { key: null });
    expect([admin.status, admin.body.reason]).toEqual([401, 'key_missing']);
  });

  it.each([
    ['POST', '/grant_capacity'],
    ['POST', '/rl/start_session'],
    ['POST', '/export_trajectories'],
    ['POST', '/rl/acknowledge_export'],
    ['GET', '/rl/sessions'],
    ['DELETE', '/rl/sessions/x'],
    ['POST', '/pause_generation'],
    ['POST', '/continue_generation'],
    ['POST', '/set_version'],
    ['GET', '/get_version'],
    ['GET', '/metrics'],
  ])('of the admin are required for %s %s', async (method, path) => {
    const { key } = await proxy.start();
    const without = await proxy.call(path, { method, key: null });
    expect([without.status, without.body.reason]).toEqual([401, 'key_missing']);
    expect(without.headers.get('www-authenticate')).toBe('Bearer realm="weir-rollout"');
    expect((await proxy.call(path, { method, key: 'x'.repeat(43) })).status).toBe(401);
    const wrong = await proxy.call(path, { method, key });
    expect([wrong.status, wrong.body.reason]).toEqual([403, 'key_kind_wrong']);
    expect(wrong.body.detail).toMatch(/^This operation needs the admin( or read-only)? key\.$/);
  });

  it('of the admin are refused for model calls', async () => {
    expect((await chat('an-admin-key-for-specs')).status).toBe(403);
  });

  it('of an unfinished session are 409, of a finished one can be reused', async () => {
    const api_key = 'a-key-of-my-own-choice';
    const startWith = async () => {
      await proxy.call('/grant_capacity');
      return proxy.call('/rl/start_session', { body: { task_id: 't', api_key } });
    };
    expect((await startWith()).body).toMatchObject({ session_id: 't-0', session_api_key: api_key });
    expect((await startWith()).body).toMatchObject({ reason: 'session_key_in_use' });
    await chat(api_key);
    await proxy.call('/rl/end_session', { key: api_key });
    expect((await startWith()).body).toMatchObject({ session_id: 't-1' });
    expect(Object.keys(exported(await exportSession('t-0')))).toHaveLength(1);
    expect((await chat(api_key)).status).toBe(200);
  });

  it('of a session must not equal that of the admin', async () => {
    await proxy.call('/grant_capacity');
    const answer = await proxy.call('/rl/start_session', {
      body: { task_id: '', api_key: 'an-admin-key-for-specs' },
    });
    expect([answer.status, answer.body.reason]).toEqual([400, 'key_is_admin_key']);
  });
});
