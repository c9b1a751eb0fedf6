import { openEvents } from '@weir/test-kit';
import { aUser, password, setUpAdmin } from '../support/people';
import { startWeir, type Weir } from '../support/weir-server';

let weir: Weir;
let admin: string;

beforeAll(async () => {
  weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
  admin = await setUpAdmin(weir);
}, 60_000);
afterAll(() => weir.dispose());

async function signInBrowser(username: string): Promise<Readonly<Record<string, string>>> {
  const answer = await fetch(`${weir.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': `Browser of ${username}` },
    body: JSON.stringify({ username, password, session: true }),
  });
  return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

async function listIds(userId: string): Promise<readonly string[]> {
  const { body } = await weir.request('GET', `/users/${userId}/sessions`, { token: admin });
  return (body as { readonly sessions: readonly { readonly id: string }[] }).sessions.map(({ id }) => id);
}

const operations = [
  ['GET /users/{userId}/sessions', 'GET', (id: string) => `/users/${id}/sessions`],
  ['DELETE /users/{userId}/sessions', 'DELETE', (id: string) => `/users/${id}/sessions`],
  ['DELETE /users/{userId}/sessions/{sessionId}', 'DELETE', (id: string) => `/users/${id}/sessions/x`],
] as const;

describe.each(operations)('%s', (_, method, address) => {
  it('returns 401 without a credential, 403 for managers, and 404 for an unknown user or session', async () => {
    const { token } = await aUser(weir, admin, 'manager', `manager ${_}`);

    expect((await weir.request(method, address('x'))).status).toBe(401);
    expect((await weir.request(method, address('x'), { token })).status).toBe(403);
    expect((await weir.request(method, address('x'), { token: admin })).status).toBe(404);
  });
});

describe('GET /users/{userId}/sessions', () => {
  it('returns 200 with the sessions of that user only', async () => {
    const [grace, linus] = [await aUser(weir, admin, 'viewer', 'grace'), await aUser(weir, admin, 'viewer', 'linus')];
    await signInBrowser('grace');
    const { status, body } = await weir.request('GET', `/users/${grace.id}/sessions`, { token: admin });

    expect(status).toBe(200);
    expect(body).toMatchObject({ sessions: [{ userAgent: 'Browser of grace', isCurrent: false }] });
    await expect(listIds(linus.id)).resolves.toEqual([]);
  });
});

describe('DELETE /users/{userId}/sessions/{sessionId}', () => {
  it('returns 204 and ends that session, with its open streams', async () => {
    const { id } = await aUser(weir, admin, 'viewer', 'mary');
    const kept = await signInBrowser('mary');
    const [keptId] = await listIds(id);
    const ended = await signInBrowser('mary');
    const endedId = (await listIds(id)).find((one) => one !== keptId) ?? '';
    const stream = await openEvents(`${weir.baseUrl}/events/stream?topic=dagslist:page=1`, ended);
    await stream.next();

    const { status } = await weir.request('DELETE', `/users/${id}/sessions/${endedId}`, { token: admin });
    expect(status).toBe(204);
    await stream.ended;
    expect((await weir.request('GET', '/auth/me', { headers: ended })).status).toBe(401);
    expect((await weir.request('GET', '/auth/me', { headers: kept })).status).toBe(200);
  });

  it('does not end the session of another user', async () => {
    const [one, other] = [await aUser(weir, admin, 'viewer', 'one'), await aUser(weir, admin, 'viewer', 'other')];
    const headers = await signInBrowser('one');
    const [sessionId = ''] = await listIds(one.id);

    const crossing = await weir.request('DELETE', `/users/${other.id}/sessions/${sessionId}`, { token: admin });
    expect(crossing.status).toBe(404);
    expect((await weir.request('GET', '/auth/me', { headers })).status).toBe(200);
  });
});

describe('DELETE /users/{userId}/sessions', () => {
  it('returns 204 and ends every session and token, until the user signs in again', async () => {
    const { id, token } = await aUser(weir, admin, 'viewer', 'ken');
    const headers = await signInBrowser('ken');

    expect((await weir.request('DELETE', `/users/${id}/sessions`, { token: admin })).status).toBe(204);
    expect((await weir.request('GET', '/auth/me', { headers })).status).toBe(401);
    expect((await weir.request('GET', '/auth/me', { token })).status).toBe(401);
    await expect(listIds(id)).resolves.toEqual([]);
    expect((await weir.request('GET', '/auth/me', { headers: await signInBrowser('ken') })).status).toBe(200);
  });
});
