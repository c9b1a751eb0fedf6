import { get } from 'node:http';
import { connect } from 'node:net';
import { boundedDagSchema, dagSchema } from '@weir/workflow-spec/editor';
import { openAuth } from './features/auth';
import { openAccessAdmin } from './access/principal';
import { createTestApi, testPassword, type TestApi } from './testing/test-api';

let api: TestApi;

beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.stop());

const login = { username: 'ada', password: testPassword };
const routeNotFound = { status: 404, body: { code: 'not_found', reason: 'route_not_found' } };

describe('a request body', () => {
  it.each([
    ['text that is no JSON', '{"username":', 'body_not_json'],
    ['a NUL character deep inside', '{"username":{"a":[1,{"b":"\\u0000"}]}}', 'text_unusable'],
    ['half of a surrogate pair in a key', '{"\\ud800":1}', 'text_unusable'],
    ['nesting deeper than any schema', `${'['.repeat(200)}${']'.repeat(200)}`, 'body_too_deep'],
  ])('returns 400 for %s', async (_, text, reason) => {
    const { status, body } = await api.send('POST /auth/login', { text });

    expect(status).toBe(400);
    expect(body).toEqual({
      code: 'bad_request',
      reason,
      message: expect.any(String) as string,
      requestId: expect.any(String) as string,
    });
  });

  it('returns 400 where it is missing', async () => {
    await expect(api.send('POST /auth/login')).resolves.toMatchObject({
      status: 400,
      body: { reason: 'body_missing' },
    });
  });

  it('returns 400 for another media type, which a form of a foreign page could send', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await api.send('POST /auth/setup', { text: JSON.stringify(login), headers });

    expect(answer).toMatchObject({ status: 400, body: { reason: 'body_not_json' } });
  });

  it('accepts text in any script, whole surrogate pairs and escaped backslashes', async () => {
    const body = { username: '\\u0000 \u{1F600} Zoë', password: testPassword };
    await expect(api.send('POST /auth/setup', { body })).resolves.toMatchObject({ status: 200 });
  });

  it('returns 413 above the limit', async () => {
    const text = JSON.stringify({ ...login, padding: 'x'.repeat(8 * 1024 * 1024) });
    const answer = await api.send('POST /auth/login', { text });

    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large', reason: 'body_too_large' } });
  });

  it('is not read where there is no credential', async () => {
    const answer = await api.send('POST /users', { text: '{"broken' });
    expect(answer).toMatchObject({ status: 401 });
  });

  it('pollutes no prototype', async () => {
    const text = `{"username":"ada","password":"${testPassword}","__proto__":{"role":"admin"}}`;
    await expect(api.send('POST /auth/setup', { text })).resolves.toMatchObject({ status: 200 });
    expect({}).not.toHaveProperty('role');
  });
});

describe('an address that no endpoint has', () => {
  it.each([
    'GET /nothing',
    'PUT /users',
    'DELETE /auth/login',
    'GET /Users',
    'OPTIONS /users',
    'GET /users/a/b',
  ] as const)('returns 404 with the Error schema for %s', async (operation) => {
    const answer = await api.send(operation, { as: await api.createToken('admin') });

    expect(answer).toMatchObject(routeNotFound);
    expect(Object.keys(answer.body).toSorted()).toEqual(['code', 'message', 'reason', 'requestId']);
  });

  it('returns 400 for broken percent-encoding', async () => {
    const answer = await api.send('GET /users/%E0%A4%A', { as: await api.createToken('admin') });
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request', reason: 'address_invalid' } });
  });
});

describe('a request whose head is too large', () => {
  it('gets 431 with the Error schema', async () => {
    const response = await fetch(`${api.url}/api/v1/health`, { headers: { 'x-large': 'x'.repeat(20_000) } });

    expect(response.status).toBe(431);
    await expect(response.json()).resolves.toMatchObject({ code: 'bad_request', reason: 'headers_too_large' });
  });
});

describe('GET /schemas/dag.schema.json', () => {
  it('serves the schema of DAG files without sign-in, outside of the API', async () => {
    const response = await fetch(`${api.url}/schemas/dag.schema.json`);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/schema+json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    await expect(response.json()).resolves.toEqual(dagSchema());
  });

  it('serves a form without recursion where clients look for it', async () => {
    const response = await fetch(`${api.url}/assets/dag.schema.json`);

    expect(response.status).toBe(200);
    await expect(response.json()).resolves.toEqual(boundedDagSchema());
  });

  it('returns 304 to a caller that has it', async () => {
    const { headers } = await fetch(`${api.url}/schemas/dag.schema.json`);
    // Without a word of its own about caches, fetch would ask for a fresh answer.
    const again = { headers: { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' } };
    await expect(fetch(`${api.url}/schemas/dag.schema.json`, again)).resolves.toMatchObject({ status: 304 });
  });
});

describe('every answer', () => {
  it('is kept out of caches and of frames, and names no product', async () => {
    const { headers } = await api.send('GET /auth/me');

    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('leaves no password, token or key in the log', async () => {
    const { body } = await api.send('POST /auth/setup', { body: login });
    await api.send(`GET /users?token=${String(body.token)}`, { as: String(body.token) });
    const log = JSON.stringify(api.logger.entries);

    expect(log).toContain('/api/v1/users');
    expect(log).not.toContain(testPassword);
    expect(log).not.toContain(String(body.token));
  });

  it('reveals only the request id of an internal failure', async () => {
    const broken = await createTestApi({
      users: { ...api.users, findByUsername: () => Promise.reject(new Error('connect to db.internal failed')) },
    });
    const { status, body } = await broken.send('POST /auth/login', { body: login });
    await broken.stop();

    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'internal_error', requestId: expect.any(String) as string });
    expect(JSON.stringify(body)).not.toContain('db.internal');
    expect(broken.logger.messages('error')).toEqual(['request failed']);
  });
});

describe('a page of another site', () => {
  it.each(['cross-site', 'same-site'])('returns 403 to a change from a %s page', async (site) => {
    const headers = { 'sec-fetch-site': site };
    const answer = await api.send('POST /auth/setup', { body: login, headers });

    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'cross_site' } });
    await expect(api.users.count()).resolves.toBe(0);
  });

  it.each(['same-origin', 'none'])('accepts a change from a %s page', async (site) => {
    const headers = { 'sec-fetch-site': site };
    await expect(api.send('POST /auth/setup', { body: login, headers })).resolves.toMatchObject({ status: 200 });
  });

  it('returns 403 to a change with its Origin alone', async () => {
    const headers = { origin: 'https://attacker.example' };
    const answer = await api.send('POST /auth/setup', { body: login, headers });

    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'cross_site' } });
    await expect(api.users.count()).resolves.toBe(0);
  });

  it.each(['https://weir.example.com', 'own'])('accepts a change with the Origin %s', async (origin) => {
    const headers = { origin: origin === 'own' ? api.url : origin };
    await expect(api.send('POST /auth/setup', { body: login, headers })).resolves.toMatchObject({ status: 200 });
  });

  it('may send requests to read, but the browser hides the answers', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    await expect(api.send('GET /auth/me', { headers })).resolves.toMatchObject({ status: 401 });
  });
});

describe('a page whose name was made to resolve to this server', () => {
  // fetch would set the header itself.
  const asHost = (host: string, path: string): Promise<{ status: number | undefined; text: string }> =>
    new Promise((resolve, reject) => {
      const request = get(`${api.url}${path}`, { headers: { host } }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.once('end', () => resolve({ status: response.statusCode, text }));
      });
      request.once('error', reject);
    });

  it.each(['/api/v1/auth/me', '/schemas/dag.schema.json', '/'])('gets 403 for %s', async (path) => {
    const { status, text } = await asHost('attacker.example', path);

    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ code: 'forbidden', reason: 'host_not_allowed' });
  });

  it('gets answers for an allowed name', async () => {
    await expect(asHost('weir.example.com', '/schemas/dag.schema.json')).resolves.toMatchObject({ status: 200 });
  });
});

describe('a server whose sign-in is disabled', () => {
  let open: TestApi;

  beforeEach(async () => {
    open = await createTestApi({ identity: openAuth });
  });
  afterEach(() => open.stop());

  it('treats every caller as an admin', async () => {
    const request = {} as Parameters<typeof openAuth.guard>[0];

    await expect(openAuth.guard(request, ['admin'])).resolves.toBe(openAccessAdmin);
    await expect(openAuth.guard(request, 'authenticated')).resolves.toMatchObject({ role: 'admin' });
  });

  it('returns 403 for a set-up', async () => {
    const answer = await open.send('POST /auth/setup', { body: login });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'auth_disabled' } });
  });

  it.each([
    ['POST /auth/login', login],
    ['GET /auth/me', undefined],
    ['POST /auth/change-password', { currentPassword: 'a', newPassword: testPassword }],
    ['GET /users', undefined],
    ['POST /users', { ...login, role: 'viewer' }],
    ['GET /users/1', undefined],
    ['PATCH /users/1', {}],
    ['DELETE /users/1', undefined],
    ['POST /users/1/reset-password', { newPassword: testPassword }],
    ['GET /api-keys', undefined],
    ['POST /api-keys', { name: 'a', role: 'viewer' }],
    ['GET /api-keys/1', undefined],
    ['PATCH /api-keys/1', {}],
    ['DELETE /api-keys/1', undefined],
  ] as const)('returns 401 for %s', async (operation, body) => {
    const answer = await open.send(operation, { body });

    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized', reason: 'auth_disabled' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="weir"');
  });
});

it('uses the first of two authorization headers', async () => {
  const as = await api.createToken('viewer');
  const { hostname, port } = new URL(api.url);
  const head = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const headers = [
        `Host: ${hostname}`,
        'Authorization: Bearer wrong',
        `Authorization: Bearer ${as}`,
        'Connection: close',
      ];
      socket.write(`GET /api/v1/auth/me HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    });
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.once('end', () => resolve(text));
    socket.once('error', reject);
  });

  expect(head).toMatch(/^HTTP\/1\.1 401 /);
});
