import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@weir/test-kit';
import { onEachDatabase } from '../support/databases';
import { sendJson, startFakeNode, type FakeNode } from '../support/fake-node';
import { aUser, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
interface Listed {
  readonly remoteNodes: readonly { readonly id: string; readonly name: string; readonly source: string }[];
}

const path = '/remote-nodes';
const configured = `
remote_nodes:
  - { name: backup, description: In the cellar, api_base_url: "http://127.0.0.1:9/api/v1/", auth_type: token, auth_token: cfg-secret-token }
  - { name: both, api_base_url: "http://127.0.0.1:9/api/v1" }
`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let node: FakeNode;
  const send = (operation: string, body?: unknown, token = admin) => {
    const [method = '', address = ''] = operation.split(' ');
    return weir.request(method, address, { token, body }) as Promise<Answer>;
  };
  const register = async (name: string, settings: object = {}) =>
    (await send(`POST ${path}`, { name, apiBaseUrl: node.url, ...settings })).body;
  const reasonOf = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    return { status, reason: body.reason };
  };

  beforeAll(async () => {
    const folder = temporaryFolder();
    writeFileSync(folder.file('nodes.yaml'), configured);
    node = await startFakeNode();
    weir = await start({
      home: folder,
      env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_REMOTE_NODES_FILE: folder.file('nodes.yaml') },
    });
    admin = await setUpAdmin(weir);
  }, 90_000);
  afterAll(async () => {
    await weir.dispose();
    await node.stop();
  });

  describe('POST /remote-nodes', () => {
    it('returns 201 with the node, and never its credentials', async () => {
      const given = { description: 'Y', authType: 'basic', basicAuthUsername: 'u-name', basicAuthPassword: 'p-word' };
      const { status, body } = await send(`POST ${path}`, { name: 'made', apiBaseUrl: `${node.url}/`, ...given });

      expect({ status, body }).toMatchObject({
        status: 201,
        body: { name: 'made', apiBaseUrl: node.url, authType: 'basic', hasCredentials: true, source: 'store' },
      });
      expect(JSON.stringify([body, (await send(`GET ${path}`)).body])).not.toMatch(/u-name|p-word|cfg-secret/);
    });

    it.each([
      ['user:word@host', 'https://user:word@host/api/v1'],
      ['a query', 'https://host/api/v1?x=1'],
      ['a fragment', 'https://host/api/v1#x'],
      ['another protocol', 'file:///etc/passwd'],
      ['no host', 'http:///api/v1'],
    ])('returns 400 for an address with %s', async (_, apiBaseUrl) => {
      const answer = send(`POST ${path}`, { name: 'bad', apiBaseUrl });
      await expect(reasonOf(answer)).resolves.toEqual({ status: 400, reason: 'request_invalid' });
    });

    it('returns 400 without the credentials of its kind, and for the name of this server', async () => {
      const answer = send(`POST ${path}`, { name: 'bad', apiBaseUrl: node.url, authType: 'token' });
      const local = send(`POST ${path}`, { name: 'Local', apiBaseUrl: node.url });

      await expect(reasonOf(answer)).resolves.toEqual({ status: 400, reason: 'remote_node_credentials_missing' });
      await expect(reasonOf(local)).resolves.toEqual({ status: 400, reason: 'request_invalid' });
    });

    it('returns 409 when the name is taken', async () => {
      await register('taken');
      const answer = send(`POST ${path}`, { name: 'taken', apiBaseUrl: node.url });
      await expect(reasonOf(answer)).resolves.toEqual({ status: 409, reason: 'remote_node_name_taken' });
    });
  });

  describe('GET /remote-nodes', () => {
    it('returns 200 with configured and stored nodes, where stored ones take precedence', async () => {
      await register('both');
      const { remoteNodes } = (await send(`GET ${path}`)).body as unknown as Listed;
      const chosen = remoteNodes.filter(({ name }) => ['backup', 'both'].includes(name));

      expect(chosen).toMatchObject([
        { id: 'cfg:backup', source: 'config', hasCredentials: true, apiBaseUrl: 'http://127.0.0.1:9/api/v1' },
        { name: 'both', source: 'store' },
      ]);
    });

    it('returns 403 to users who are not admins', async () => {
      const { token } = await aUser(weir, admin, 'manager');
      const answer = send(`GET ${path}`, undefined, token);
      await expect(reasonOf(answer)).resolves.toEqual({ status: 403, reason: 'role_missing' });
    });

    it('returns 400 for another node, because nodes are listed here', async () => {
      const answer = send(`GET ${path}?remoteNode=backup`);
      await expect(reasonOf(answer)).resolves.toEqual({ status: 400, reason: 'remote_node_unsupported' });
    });
  });

  describe('GET /remote-nodes/{remoteNodeId}', () => {
    it('returns 200, for a node of the configuration too', async () => {
      const { status, body } = await send(`GET ${path}/cfg:backup`);
      expect({ status, body }).toMatchObject({ status: 200, body: { name: 'backup', description: 'In the cellar' } });
    });

    it('returns 404 for an unknown node', async () => {
      const answer = send(`GET ${path}/cfg:nowhere`);
      await expect(reasonOf(answer)).resolves.toEqual({ status: 404, reason: 'remote_node_not_found' });
    });
  });

  describe('PATCH /remote-nodes/{remoteNodeId}', () => {
    it('returns 200 and retains credentials that are omitted or empty', async () => {
      node.answer((response) => sendJson(response, 200, {}));
      const { id } = await register('kept', { authType: 'token', authToken: 'first-token' });
      const { status, body } = await send(`PATCH ${path}/${String(id)}`, { description: 'new', authToken: '' });
      await send(`POST ${path}/${String(id)}/test-connection`);

      expect({ status, body }).toMatchObject({ status: 200, body: { description: 'new', hasCredentials: true } });
      expect(node.calls).toMatchObject([{ headers: { authorization: 'Bearer first-token' } }]);
    });

    it('returns 400 for another host without its credentials: those of one server are not sent to another', async () => {
      const { id } = await register('moved', { authType: 'token', authToken: 'first-token' });
      const answer = send(`PATCH ${path}/${String(id)}`, { apiBaseUrl: 'https://other.example/api/v1' });
      await expect(reasonOf(answer)).resolves.toEqual({ status: 400, reason: 'remote_node_credentials_missing' });
    });

    it('returns 403 for a node of the configuration, 404 for an unknown one, 409 for a taken name', async () => {
      await register('one');
      const { id } = await register('two');

      await expect(reasonOf(send(`PATCH ${path}/cfg:backup`, {}))).resolves.toEqual({
        status: 403,
        reason: 'remote_node_configured',
      });
      await expect(reasonOf(send(`PATCH ${path}/unknown`, {}))).resolves.toEqual({
        status: 404,
        reason: 'remote_node_not_found',
      });
      await expect(reasonOf(send(`PATCH ${path}/${String(id)}`, { name: 'one' }))).resolves.toEqual({
        status: 409,
        reason: 'remote_node_name_taken',
      });
    });

    it('deletes the credentials when their kind changes', async () => {
      const { id } = await register('bare', { authType: 'token', authToken: 'first-token' });
      const { body } = await send(`PATCH ${path}/${String(id)}`, { authType: 'none' });
      expect(body).toMatchObject({ authType: 'none', hasCredentials: false });
    });
  });

  describe('DELETE /remote-nodes/{remoteNodeId}', () => {
    it('returns 204, then 404', async () => {
      const { id } = await register('gone');

      await expect(send(`DELETE ${path}/${String(id)}`)).resolves.toMatchObject({ status: 204 });
      await expect(send(`DELETE ${path}/${String(id)}`)).resolves.toMatchObject({ status: 404 });
      await expect(send(`DELETE ${path}/cfg:backup`)).resolves.toMatchObject({ status: 403 });
    });
  });

  describe('POST /remote-nodes/{remoteNodeId}/test-connection', () => {
    it('returns 200 with success, and the node is reachable from then on', async () => {
      node.answer((response) => sendJson(response, 200, { dags: [] }));
      const { id } = await register('alive');
      const { status, body } = await send(`POST ${path}/${String(id)}/test-connection`);

      expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
      expect(node.calls).toMatchObject([{ method: 'GET', url: '/api/v1/dags?limit=1' }]);
      expect((await send(`GET ${path}/${String(id)}`)).body).toMatchObject({ health: { status: 'reachable' } });
    });

    it.each([
      ['refuses the credential', 401, 'refused the credential'],
      ['answers a redirect', 302, 'redirect'],
      ['answers a page', 200, 'instead of JSON'],
      ['fails', 500, 'instead of JSON'],
    ])('returns 200 with the error when the node %s', async (what, status, error) => {
      const headers = { 'content-type': 'text/html', location: 'http://127.0.0.1:9/' };
      node.answer((response) => void response.writeHead(status, headers).end('<html>'));
      const { id } = await register(what);
      const answer = await send(`POST ${path}/${String(id)}/test-connection`);

      expect(answer).toMatchObject({ status: 200, body: { success: false } });
      expect(String(answer.body.error)).toContain(error);
      expect((await send(`GET ${path}/${String(id)}`)).body).toMatchObject({ health: { status: 'failing' } });
    });

    it('returns 200 with the error for an address without a listener, and 404 for an unknown node', async () => {
      await expect(send(`POST ${path}/cfg:backup/test-connection`)).resolves.toMatchObject({
        status: 200,
        body: { success: false, error: expect.stringContaining('could not be reached') as string },
      });
      await expect(send(`POST ${path}/unknown/test-connection`)).resolves.toMatchObject({ status: 404 });
    });
  });

  it('records every change without credentials', async () => {
    const { entries } = (await send('GET /audit?category=remote_node&limit=100')).body as {
      readonly entries: readonly { readonly action: string }[];
    };

    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set(['remote_node_create', 'remote_node_update', 'remote_node_delete']),
    );
    expect(JSON.stringify(entries)).not.toMatch(/p-word|first-token/);
  });
});
