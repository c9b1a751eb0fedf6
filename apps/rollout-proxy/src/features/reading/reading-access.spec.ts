import { rolloutContract } from '@weir/rollout-contract';
import { startTestProxy } from '../testing/test-proxy';
import { readKey, user, useReadableProxy } from '../testing/use-readable-proxy';

const proxy = useReadableProxy();

describe('keys', () => {
  const operations = Object.values(rolloutContract);
  const address = (path: string) => path.replaceAll(/\{\w+\}/g, 'x');

  it.each(operations.map((one) => [one.operationId, one] as const))('%s', async (_name, operation) => {
    const { method, path, access } = operation;
    const isRead = method === 'GET';
    const leaving = new AbortController();
    const call = async (headers: Record<string, string>) => {
      const answer = await fetch(`${proxy.url}${address(path)}?text=x`, { method, headers, signal: leaving.signal });
      return answer.status;
    };
    const signedIn = await proxy.call('/rl/browser_session', { key: null, body: { key: readKey } });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const reader = await call({ 'x-api-key': readKey });
    const browser = await call({ cookie });
    leaving.abort();
    if (access === 'public') return;
    expect([reader === 403, browser === 403]).toEqual(isRead ? [false, false] : [true, true]);
  });

  it('that only read are refused for model calls', async () => {
    const { status } = await proxy.call('/chat/completions', { key: readKey, body: { messages: [user('x')] } });
    expect(status).toBe(403);
  });

  it('of the service are refused as keys of sessions', async () => {
    await proxy.call('/grant_capacity');
    const { status } = await proxy.call('/rl/start_session', { body: { api_key: readKey } });
    expect(status).toBe(400);
  });

  it('that are equal are refused at the start', async () => {
    const env = { ROLLOUT_READ_KEY: 'an-admin-key-for-specs' };
    await expect(startTestProxy({ env })).rejects.toMatchObject({ reason: 'read_key_is_admin_key' });
  });
});

describe('a browser', () => {
  it.each([readKey, 'an-admin-key-for-specs'])('reads with the cookie of its sign-in by %s', async (key) => {
    const signedIn = await proxy.call('/rl/browser_session', { key: null, body: { key } });
    const setCookie = signedIn.headers.get('set-cookie') ?? '';
    expect(setCookie).toMatch(/^weir_rollout_session=[\w-]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/);
    expect(setCookie).not.toContain(key);
    const headers = { cookie: setCookie.split(';')[0] ?? '' };
    expect((await proxy.call('/rl/sessions', { method: 'GET', key: null, headers })).status).toBe(200);
    expect((await proxy.call('/grant_capacity', { key: null, headers })).status).toBe(403);
    await proxy.call('/rl/browser_session', { method: 'DELETE', key: null, headers });
    expect((await proxy.call('/rl/sessions', { method: 'GET', key: null, headers })).status).toBe(401);
  });

  it('is not signed in by the key of a session, or by another text', async () => {
    const { key } = await proxy.start();
    for (const wrong of [key, 'x'.repeat(40)]) {
      const answer = await proxy.call('/rl/browser_session', { key: null, body: { key: wrong } });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    }
    const { body } = await proxy.call('/rl/browser_session', { method: 'GET', key: null });
    expect(body).toEqual({ signed_in: false });
  });
});
