import { readFileSync } from 'node:fs';
import { openEvents } from '@weir/test-kit';
import { sendJson, startFakeNode, type FakeNode } from '../support/fake-node';
import { aUser, setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { startWeir, type Weir } from '../support/weir-server';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

const spec = 'steps:\n  - name: hello\n    run: echo from-afar\n';
const failed = (status: number, reason: string) => ({ status, body: { reason } });

let here: Weir;
let there: Weir;
let fake: FakeNode;
let admin: string;
let adminThere: string;
let viewer: string;

const send = (operation: string, { token = admin, ...options }: Parameters<Weir['request']>[2] = {}) => {
  const [method = '', address = ''] = operation.split(' ');
  return here.request(method, address, { token, ...options }) as Promise<Answer>;
};
const register = (name: string, apiBaseUrl: string, authToken?: string) =>
  send('POST /remote-nodes', {
    body: { name, apiBaseUrl, ...(authToken === undefined ? {} : { authType: 'token', authToken }) },
  });
const createKey = async (weir: Weir, token: string, name: string, rights: object): Promise<string> => {
  const { body } = await weir.request('POST', '/api-keys', { token, body: { name, ...rights } });
  return (body as { readonly key: string }).key;
};

beforeAll(async () => {
  [here, there, fake] = await Promise.all([
    startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } }),
    startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } }),
    startFakeNode(),
  ]);
  admin = await setUpAdmin(here);
  adminThere = await setUpAdmin(there);
  viewer = (await aUser(here, admin, 'viewer')).token;
  await register('there', there.baseUrl, await createKey(there, adminThere, 'full', { role: 'admin' }));
  await register('read-only', there.baseUrl, await createKey(there, adminThere, 'reads', { role: 'viewer' }));
  await register('fake', fake.url, 'token-of-the-node');
  await send('POST /dags?remoteNode=there', { body: { name: 'afar', spec } });
}, 120_000);
afterAll(async () => {
  await Promise.all([here.dispose(), there.dispose(), fake.stop()]);
});

describe('a request for another node', () => {
  it('is answered by it, with the statuses and bodies of its operations', async () => {
    const started = await send('POST /dags/afar/start?remoteNode=there', { body: { dagRunId: 'r1' } });
    await endOfRun(there, adminThere, 'afar', 'r1');
    const log = await send('GET /dag-runs/afar/r1/steps/hello/log?remoteNode=there');

    expect(started).toMatchObject({ status: 200, body: { dagRunId: 'r1' } });
    expect(log).toMatchObject({ status: 200, body: { content: expect.stringContaining('from-afar') as string } });
    await expect(send('GET /dags/afar')).resolves.toMatchObject(failed(404, 'dag_not_found'));
    await expect(send('GET /dags/gone?remoteNode=there')).resolves.toMatchObject(failed(404, 'dag_not_found'));
    await expect(send('DELETE /dag-runs/afar/r1?remoteNode=there')).resolves.toMatchObject({ status: 204 });
  });

  it('is recorded here, with its node, after the node has made the change', async () => {
    await send('POST /dags/afar/suspend?remoteNode=there', { body: { suspend: false } });
    await send('POST /dags/nowhere/suspend?remoteNode=there', { body: { suspend: false } });
    const { body } = await send('GET /audit?category=dag&limit=50');
    const of = (body.entries as readonly { readonly action: string; readonly details: string }[]).filter(
      ({ action }) => action === 'dag_suspend',
    );

    expect(of).toHaveLength(1);
    expect(JSON.stringify(of)).toContain('there');
  });

  it('transfers downloads with their ranges and names', async () => {
    await send('POST /dags/afar/start?remoteNode=there', { body: { dagRunId: 'r2' } });
    await endOfRun(there, adminThere, 'afar', 'r2');
    const path = '/dag-runs/afar/r2/steps/hello/log/download?remoteNode=there';
    const whole = await send(`GET ${path}`);
    const part = await send(`GET ${path}`, { headers: { range: 'bytes=0-3' } });

    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    expect([part.status, part.headers.get('content-length'), part.headers.get('content-range')?.slice(0, 9)]).toEqual([
      ...[206, '4', 'bytes 0-3'],
    ]);
  });

  it('transfers streams without delay, and their topics', async () => {
    const address = `${here.baseUrl}/events/stream?topic=dag:afar&remoteNode=there`;
    const stream = await openEvents(address, { authorization: `Bearer ${admin}` });
    const { sessionID } = (await stream.next()).data as { readonly sessionID: string };
    const state = await stream.next();
    const changed = await send('POST /events/stream/topics?remoteNode=there', {
      body: { sessionID, add: ['queues:'] },
    });
    await stream.close();

    expect(JSON.stringify(state.data)).toContain('afar');
    expect(changed).toMatchObject({
      status: 200,
      body: { subscribed: expect.arrayContaining(['queues:']) as string[] },
    });
  });

  it('is answered here for "local"', async () => {
    await expect(send('GET /dags/afar?remoteNode=local')).resolves.toMatchObject(failed(404, 'dag_not_found'));
  });

  it('returns the refusal when the credential of the node lacks the permission', async () => {
    const answer = send('DELETE /dags/afar?remoteNode=read-only');
    await expect(answer).resolves.toMatchObject(failed(403, 'role_missing'));
  });
});

describe('a request that is not allowed', () => {
  it('returns 400 for a node that is not registered, and for an address', async () => {
    for (const name of ['nowhere', fake.url]) {
      const answer = send(`GET /dags?remoteNode=${encodeURIComponent(name)}`);
      await expect(answer).resolves.toMatchObject(failed(400, 'remote_node_unknown'));
    }
  });

  it('returns 401 without a credential, before any node is contacted', async () => {
    fake.answer((response) => sendJson(response, 200, { dags: [] }));
    await expect(here.request('GET', '/dags?remoteNode=fake')).resolves.toMatchObject({ status: 401 });
    expect(fake.calls).toEqual([]);
  });

  it('returns 403 to a viewer for a change, although the node would permit it', async () => {
    const answer = send('DELETE /dags/afar?remoteNode=there', { token: viewer });
    await expect(answer).resolves.toMatchObject(failed(403, 'role_missing'));
    await expect(send('GET /dags/afar?remoteNode=there', { token: viewer })).resolves.toMatchObject({ status: 200 });
  });

  it('returns 403 to users with access to only some workspaces, without naming nodes', async () => {
    await send('POST /workspaces', { body: { name: 'shop' } });
    const grants = [{ workspace: 'shop', role: 'manager' }];
    const token = await createKey(here, admin, 'shop', { role: 'viewer', workspaceAccess: { all: false, grants } });

    await expect(send('GET /dags?remoteNode=there', { token })).resolves.toMatchObject(failed(403, 'role_missing'));
    await expect(send('GET /dags?remoteNode=nowhere', { token })).resolves.toMatchObject(failed(403, 'role_missing'));
    expect((await send('GET /permissions', { token })).body.remoteNodes).toEqual([]);
    expect((await send('GET /permissions', { token: viewer })).body.remoteNodes).toEqual([
      'fake',
      'read-only',
      'there',
    ]);
  });

  it.each(['GET /secrets', 'GET /users', 'POST /workspaces', 'GET /api-keys', 'POST /users'])(
    'returns 400 for %s, which is about this server',
    async (operation) => {
      const answer = send(`${operation}?remoteNode=there`, operation.startsWith('P') ? { body: { name: 'x' } } : {});
      const { status } = await answer;
      expect(status).toBe(400);
    },
  );
});

describe('a hostile or broken node', () => {
  it('receives no credential of the caller, none of its headers, and only the path of the operation', async () => {
    fake.answer((response) => sendJson(response, 404, { code: 'not_found', message: 'x' }));
    await send('GET /dag-runs/..%2f..%2fadmin/r1/log?tail=5&remoteNode=fake&token=abc', {
      headers: { cookie: 'weir_session=stolen', 'x-forwarded-for': '10.0.0.1', connection: 'close', te: 'trailers' },
    });
    const [call] = fake.calls;

    expect(call?.url).toBe('/api/v1/dag-runs/..%2F..%2Fadmin/r1/log?tail=5');
    expect(call?.headers.authorization).toBe('Bearer token-of-the-node');
    expect(Object.keys(call?.headers ?? {})).toEqual(expect.not.arrayContaining(['cookie', 'x-forwarded-for', 'te']));
    expect(JSON.stringify(call)).not.toContain(admin);
  });

  it('returns 502 for a redirect, which is not followed', async () => {
    fake.answer((response) => void response.writeHead(302, { location: `${fake.url}/secret-place` }).end());
    await expect(send('GET /dags?remoteNode=fake')).resolves.toMatchObject(failed(502, 'remote_node_failed'));
    expect(fake.calls).toHaveLength(1);
  });

  it.each([
    ['a page', { 'content-type': 'text/html' }, '<script>'],
    ['a page that says it is JSON', { 'content-type': 'application/json' }, '<script>'],
  ])('returns 502 for %s', async (_, headers, text) => {
    fake.answer((response) => void response.writeHead(200, headers).end(text));
    const { status, body } = await send('GET /dags?remoteNode=fake');

    expect({ status, body }).toMatchObject({
      status: 502,
      body: { code: 'bad_gateway', reason: 'remote_node_failed' },
    });
    expect(JSON.stringify(body)).not.toContain('<script>');
  });

  it('returns 502 if it refuses the credential, which is not that of the caller', async () => {
    fake.answer((response) => sendJson(response, 401, {}));
    await expect(send('GET /dags?remoteNode=fake')).resolves.toMatchObject(failed(502, 'remote_node_failed'));
  });

  it('sets no cookie and no other header here', async () => {
    const headers = { 'content-type': 'application/json', 'set-cookie': 'a=b', 'access-control-allow-origin': '*' };
    fake.answer((response) => void response.writeHead(200, headers).end('{}'));
    const answer = await send('GET /dags?remoteNode=fake');

    expect(answer.status).toBe(200);
    expect([answer.headers.get('set-cookie'), answer.headers.get('access-control-allow-origin')]).toEqual([null, null]);
  });

  it('cannot send a page as a download', async () => {
    fake.answer((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>'));
    const answer = send('GET /dag-runs/x/y/artifacts/download?path=a&remoteNode=fake');
    await expect(answer).resolves.toMatchObject(failed(502, 'remote_node_failed'));
  });

  it('is notified when the caller of a stream has left', async () => {
    const left = new Promise<void>((resolve) => {
      fake.answer((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: control\ndata: {}\n\n');
        response.once('close', () => resolve());
      });
    });
    const stream = await openEvents(`${here.baseUrl}/events/stream?topic=queues:&remoteNode=fake`, {
      authorization: `Bearer ${admin}`,
    });
    await stream.next();
    await stream.close();

    await expect(left).resolves.toBeUndefined();
  });
});

it('ends a loop of two nodes with 400', async () => {
  // Between the two, a proxy asks each to pass the request back to the other.
  await there.request('POST', '/remote-nodes', { token: adminThere, body: { name: 'back', apiBaseUrl: here.baseUrl } });
  fake.answer((response, { url, headers }) => {
    const target = `${there.baseUrl}${url.slice('/api/v1'.length)}?remoteNode=back`;
    const hops = String(headers['weir-hops']);
    void there
      .request('GET', target.slice(there.baseUrl.length), { token: adminThere, headers: { 'weir-hops': hops } })
      .then(({ status, body }) => sendJson(response, status, body));
  });
  await expect(send('GET /dags?remoteNode=fake')).resolves.toMatchObject(failed(400, 'remote_node_loop'));
});

it('stores credentials encrypted only', () => {
  const stored = readFileSync(here.home.file('weir/data/weir.db')).toString('latin1');
  expect(stored).not.toContain('token-of-the-node');
});
