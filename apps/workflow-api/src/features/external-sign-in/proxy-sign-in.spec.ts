import { connect } from 'node:net';
import { createTestApi, type TestApi } from '../../testing/test-api';
import type { ProxySignInSettings } from '../../config/external-sign-in-settings';
import { usualRules } from '../../testing/external-sign-in/use-oidc-sign-in';

const settings: ProxySignInSettings = {
  addresses: ['loopback'],
  userHeader: 'x-forwarded-user',
  groupsHeader: 'x-forwarded-groups',
  buttonLabel: 'Sign in with the proxy',
  rules: usualRules,
};

let trusting: TestApi;
let distrusting: TestApi;
let off: TestApi;

beforeAll(async () => {
  const start = async (proxy: ProxySignInSettings | undefined): Promise<TestApi> => {
    const api = await createTestApi({ externalSignIn: { oidc: [], proxy } });
    await api.addUser({ id: 'root', username: 'root' });
    return api;
  };
  trusting = await start(settings);
  distrusting = await start({ ...settings, addresses: ['192.0.2.0/24'] });
  off = await start(undefined);
});
afterAll(() => Promise.all([trusting, distrusting, off].map((api) => api.stop())));

const goTo = (api: TestApi, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${api.url}/proxy-login?return=%2Fruns`, { headers, redirect: 'manual' });

async function readUser(api: TestApi, answer: Response): Promise<Readonly<Record<string, unknown>>> {
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return (await api.send('GET /auth/me', { headers: { cookie } })).body.user as Readonly<Record<string, unknown>>;
}

const failed = '/runs?sign-in-failed=proxy_not_trusted';

it('signs in the person that the proxy names, with the roles of their groups', async () => {
  const answer = await goTo(trusting, { 'x-forwarded-user': 'grace', 'x-forwarded-groups': 'unknown, ops' });

  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/runs']);
  await expect(readUser(trusting, answer)).resolves.toMatchObject({
    username: 'grace',
    role: 'operator',
    authProvider: 'proxy',
  });
});

it('never signs a person in as a user of this server with the same name', async () => {
  const user = await readUser(trusting, await goTo(trusting, { 'x-forwarded-user': 'root' }));
  expect(user).toMatchObject({ role: 'viewer', username: expect.stringMatching(/^root-/) as string });
});

describe('is refused', () => {
  it('from any other address, for any headers about addresses', async () => {
    const headers = { 'x-forwarded-user': 'root', 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1' };
    const answer = await goTo(distrusting, headers);
    expect([answer.headers.get('location'), answer.headers.getSetCookie()]).toEqual([failed, []]);
  });

  it('without a name', async () => {
    expect((await goTo(trusting, {})).headers.get('location')).toBe(failed);
    expect((await goTo(trusting, { 'x-forwarded-user': ' ' })).headers.get('location')).toBe(failed);
  });

  it('with two names or two lists of groups, of which one can be the visitor’s', async () => {
    for (const header of ['X-Forwarded-User: eve', 'X-Forwarded-Groups: admins\r\nX-Forwarded-Groups: ops']) {
      const text = await sendRaw(trusting, `X-Forwarded-User: grace\r\n${header}`);
      expect(text).toContain('Location: /?sign-in-failed=proxy_not_trusted');
    }
  });

  it('where it is switched off', async () => {
    expect((await goTo(off, { 'x-forwarded-user': 'root' })).status).toBe(404);
  });
});

it('is ignored in any other request', async () => {
  const headers = { 'x-forwarded-user': 'root', 'x-forwarded-groups': 'admins' };
  expect((await trusting.send('GET /auth/me', { headers })).status).toBe(401);
});

function sendRaw({ url }: TestApi, headers: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(url);
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET /proxy-login HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\nConnection: close\r\n\r\n`);
    });
    socket.on('data', (data) => (text += String(data)));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}
