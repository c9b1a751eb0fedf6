import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import type { JsonObject } from '@weir/workflow-spec';
import { createKubernetesSecretReader } from './kubernetes-secret';
import { resolveSecrets } from './resolve-secrets';
import { createVaultSecretReader } from './vault-secret';

let server: Server;
let url: string;
let folder: TemporaryFolder;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let paths: string[];

beforeEach(async () => {
  folder = temporaryFolder();
  paths = [];
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await folder.remove();
});

function resolve(provider: 'vault' | 'kubernetes', key: string, options?: JsonObject, address = url) {
  const vault = createVaultSecretReader({
    address,
    readToken: () => Promise.resolve('vault-token'),
    namespace: 'team',
  });
  const kubernetes = createKubernetesSecretReader({ kind: 'kubeconfig', file: folder.file('config') });
  const providers = new Map([
    ['vault', vault],
    ['kubernetes', kubernetes],
  ]);
  const secret = {
    name: 'TOKEN',
    kind: 'provider',
    provider,
    key,
    ...(options === undefined ? {} : { options }),
  } as const;
  return resolveSecrets({ secrets: [secret] }, { hostEnv: {}, folder: '/', providers });
}

const value = (text: string) => ({ values: new Map([['TOKEN', text]]) });
const problem = (text: string) => ({ problem: `The secret "TOKEN" cannot be used: ${text}.` });

/** As the key-value engine of Vault does, in its second version. */
const vaultWith =
  (fields: JsonObject): typeof answer =>
  (request, response) => {
    const isKnown =
      request.headers['x-vault-token'] === 'vault-token' && request.headers['x-vault-namespace'] === 'team';
    response.statusCode = isKnown ? 200 : 403;
    response.end(
      JSON.stringify(isKnown ? { data: { data: fields, metadata: { version: 3 } } } : { errors: ['denied'] }),
    );
  };

const status =
  (code: number): typeof answer =>
  (_request, response) => {
    response.statusCode = code;
    response.end('{"errors":[]}');
  };

describe('a secret of Vault', () => {
  it('is the only field, or the one that is named', async () => {
    answer = vaultWith({ password: 'hunter22' });
    expect(await resolve('vault', 'kv/team/db')).toEqual(value('hunter22'));
    answer = vaultWith({ user: 'ada', port: 5432 });
    expect(await resolve('vault', 'kv/db', { field: 'port', version: 2 })).toEqual(value('5432'));
    expect(paths).toEqual(['/v1/kv/data/team/db', '/v1/kv/data/db?version=2']);
  });

  it('is requested again while Vault is busy', async () => {
    let calls = 0;
    answer = (request, response) => {
      calls += 1;
      (calls === 1 ? status(503) : vaultWith({ a: 'hunter22' }))(request, response);
    };
    expect(await resolve('vault', 'kv/db')).toEqual(value('hunter22'));
  });

  it.each<[string, string, JsonObject | undefined, string]>([
    ['several fields', 'kv/a', undefined, 'it has several fields, of which options.field has to name one'],
    ['a field that is not there', 'kv/a', { field: 'c' }, 'it has no such field'],
    ['a path that leads elsewhere', 'kv/../sys', undefined, 'the key has to be MOUNT/PATH'],
    ['a mount alone', 'kv', undefined, 'the key has to be MOUNT/PATH'],
  ])('is refused for %s', async (_, key, options, text) => {
    answer = vaultWith({ a: 'hunter22', b: 'hunter23' });

    expect(await resolve('vault', key, options)).toEqual(problem(text));
  });

  it.each([
    [404, 'Vault has no such secret'],
    [403, 'Vault does not allow it to this server'],
    [400, 'Vault has refused it (status 400)'],
    [500, 'Vault has refused it (status 500)'],
  ])('is refused by status %d', async (code, text) => {
    answer = status(code);

    expect(await resolve('vault', 'kv/a')).toEqual(problem(text));
  });

  it('is not found without Vault, or behind a redirection', async () => {
    expect(await resolve('vault', 'kv/a', undefined, 'http://127.0.0.1:1')).toEqual(problem('Vault cannot be reached'));
    answer = (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:1' }).end();
    expect(await resolve('vault', 'kv/a')).toEqual(problem('Vault cannot be reached'));
  });
});

describe('a secret of Kubernetes', () => {
  const data = { password: Buffer.from('hunter22').toString('base64') };
  beforeEach(() => {
    const config = {
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'c', user: 'u', namespace: 'own' } }],
      clusters: [{ name: 'c', cluster: { server: url } }],
      users: [{ name: 'u', user: { token: 'cluster-token' } }],
    };
    writeFileSync(folder.file('config'), JSON.stringify(config));
    answer = (request, response) => {
      const isKnown = request.headers.authorization === 'Bearer cluster-token';
      response.statusCode = isKnown && request.url?.endsWith('/db') === true ? 200 : 404;
      response.end(JSON.stringify({ kind: 'Secret', data }));
    };
  });

  it('is read from the given namespace, or from that of the server', async () => {
    expect(await resolve('kubernetes', 'team/db')).toEqual(value('hunter22'));
    expect(await resolve('kubernetes', 'db', { field: 'password' })).toEqual(value('hunter22'));
    expect(paths).toEqual(['/api/v1/namespaces/team/secrets/db', '/api/v1/namespaces/own/secrets/db']);
  });

  it.each([
    ['a secret that is not there', 'team/other', 'Kubernetes has refused it (status 404)'],
    ['a path that leads elsewhere', '../db', 'the key has to be NAMESPACE/NAME'],
  ])('is refused for %s', async (_, key, text) => {
    expect(await resolve('kubernetes', key)).toEqual(problem(text));
  });
});
