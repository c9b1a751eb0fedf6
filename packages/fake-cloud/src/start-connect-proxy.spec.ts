import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { spawnProcess } from '@weir/test-kit';
import type { FakeCloud } from './fake-cloud';
import { startConnectProxy, type ConnectProxy } from './start-connect-proxy';
import { startFakeCloud } from './start-fake-cloud';
import { createTestAuthority, type TestAuthority } from './test-authority';

let authority: TestAuthority;
let cloud: FakeCloud;
let proxy: ConnectProxy | undefined;
const sockets: Socket[] = [];

beforeEach(async () => {
  authority = createTestAuthority();
  cloud = await startFakeCloud({ authority });
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await proxy?.stop();
  proxy = undefined;
  await cloud.stop();
  await authority.remove();
});

/** Asks the proxy for a tunnel by hand. */
function tunnel(url: string, target: string): Promise<{ readonly status: number; readonly socket: Socket }> {
  const { hostname, port, username, password } = new URL(url);
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
  return new Promise((resolve, reject) => {
    httpRequest({ hostname, port, method: 'CONNECT', path: target, headers })
      .on('connect', ({ statusCode = 0 }, socket) => {
        sockets.push(socket);
        resolve({ status: statusCode, socket });
      })
      .on('error', reject)
      .end();
  });
}

/** Sends a request to the real host, whose certificate only the test authority signs. */
async function getThrough(url: string, host: string, path: string): Promise<number> {
  const { socket } = await tunnel(url, `${host}:443`);
  return new Promise((resolve, reject) => {
    const createConnection = () => connectTls({ socket, servername: host, ca: authority.certificate });
    httpsRequest({ host, path, createConnection }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

describe('the proxy', () => {
  it('routes real host names to the cloud, encrypted', async () => {
    proxy = await startConnectProxy({ route: cloud.route, ca: authority });

    expect(await getThrough(proxy.url, 'sts.googleapis.com', '/v1/token')).toBe(405);
    expect(await getThrough(proxy.url, 'storage.googleapis.com', '/storage/v1/b')).toBe(401);

    expect(cloud.requests).toMatchObject([
      { service: 'sts', host: 'sts.googleapis.com', path: '/v1/token' },
      { service: 'api', host: 'storage.googleapis.com' },
    ]);
    expect(proxy.requests).toEqual(['sts.googleapis.com:443', 'storage.googleapis.com:443']);
    expect(proxy.tunnelCount()).toBe(2);
    expect(cloud.connectionCount() - proxy.tunnelCount()).toBe(0);
  });

  it('connects only to hosts that it has a route for', async () => {
    proxy = await startConnectProxy({ route: cloud.route });

    expect(await tunnel(proxy.url, 'example.com:443')).toMatchObject({ status: 403 });
    expect(await tunnel(proxy.url, 'sts.googleapis.com:80')).toMatchObject({ status: 403 });
    expect(proxy.tunnelCount()).toBe(0);
    expect(proxy.env).toEqual({ HTTPS_PROXY: proxy.url });
  });

  it('routes to the plain front too, so that an unexpected client is detected', async () => {
    proxy = await startConnectProxy({ route: cloud.route });

    const { status } = await tunnel(proxy.url, new URL(cloud.url).host);
    await fetch(cloud.url, { headers: { connection: 'close' } });

    expect(status).toBe(200);
    expect(cloud.connectionCount() - proxy.tunnelCount()).toBe(1);
  });

  it('requires its credentials', async () => {
    proxy = await startConnectProxy({ route: cloud.route, credentials: { user: 'a@b', password: 'p:/w' } });
    const { host } = new URL(proxy.url);

    expect(proxy.url).toContain('a%40b:p%3A%2Fw@');
    expect(await getThrough(proxy.url, 'sts.googleapis.com', '/')).toBe(404);
    expect(await tunnel(`http://${host}`, 'sts.googleapis.com:443')).toMatchObject({ status: 407 });
    expect(await tunnel(`http://a%40b:wrong@${host}`, 'sts.googleapis.com:443')).toMatchObject({ status: 407 });
    expect(proxy.unauthorizedCount()).toBe(2);
  });

  it('passes on a connection that the cloud ends abruptly', async () => {
    proxy = await startConnectProxy({ route: cloud.route });
    cloud.setFaults({ sts: [{ kind: 'reset', when: 'before' }] });

    await expect(getThrough(proxy.url, 'sts.googleapis.com', '/v1/token')).rejects.toThrow();
    expect(cloud.requests).toMatchObject([{ service: 'sts', outcome: 'reset before' }]);
  });

  it('records requests without a tunnel', async () => {
    proxy = await startConnectProxy({ route: cloud.route });

    expect((await fetch(proxy.url, { headers: { connection: 'close' } })).status).toBe(405);
    expect(proxy.requests).toEqual(['GET /']);
  });
});

describe('the authority', () => {
  it('certifies servers of the given names, until next week', () => {
    const { cert } = authority.issue(['*.googleapis.com', 'sts.cloud.example']);

    const server = new X509Certificate(cert);
    const root = new X509Certificate(authority.certificate);
    expect(server.verify(root.publicKey)).toBe(true);
    expect(server.checkIssued(root)).toBe(true);
    expect(root.ca).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.checkHost('iamcredentials.googleapis.com')).toBe('*.googleapis.com');
    expect(server.checkHost('sts.cloud.example')).toBe('sts.cloud.example');
    expect(server.checkHost('example.com')).toBeUndefined();
    expect(server.validToDate.getTime()).toBeGreaterThan(Date.now());
    expect(readFileSync(authority.file, 'utf8')).toBe(authority.certificate);
  });

  it('is trusted by a process that is given its file', async () => {
    const port = cloud.route('sts.googleapis.com', 443) ?? 0;
    const script = `require('node:tls').connect({ port: ${port}, host: '127.0.0.1', servername: 'sts.googleapis.com' })
      .on('secureConnect', () => { console.log('believed'); process.exit(0); })
      .on('error', (error) => { console.log(error.code); process.exit(1); });`;
    const run = async (env: Readonly<Record<string, string>>) => {
      const child = await spawnProcess({ command: process.execPath, args: ['-e', script], env });
      return (await child.exited).code;
    };

    expect(await run({ NODE_EXTRA_CA_CERTS: authority.file })).toBe(0);
    expect(await run({})).toBe(1);
  });
});

describe('a cloud of another universe', () => {
  it('answers for the hosts of that universe and for no other', async () => {
    const other = await startFakeCloud({ authority, universe: 'cloud.example' });
    proxy = await startConnectProxy({ route: other.route });

    expect(await getThrough(proxy.url, 'oauth2.cloud.example', '/token')).toBe(405);
    expect(await tunnel(proxy.url, 'oauth2.googleapis.com:443')).toMatchObject({ status: 403 });
    await other.stop();
  });

  it('has no TLS front without an authority, and does not start without an account', async () => {
    const plain = await startFakeCloud();

    expect(plain.route('sts.googleapis.com', 443)).toBeUndefined();
    await plain.stop();
    await expect(startFakeCloud({ accounts: [] })).rejects.toThrow(/account/);
  });
});
