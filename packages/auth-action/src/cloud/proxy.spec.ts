import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { freePort, spawnProcess, temporaryFolder } from '@weir/test-kit';
import { build } from 'esbuild';
import { writeFile } from 'node:fs/promises';
import { startTlsServer, replying } from './testing/loopback-server';
import { exampleCertificate } from './testing/example-certificate';
import { findProxy } from './proxy';
import { aCall, aTransport } from './testing/transport-rig';

interface TestProxy {
  readonly port: number;
  readonly tunnels: readonly { readonly target: string | undefined; readonly authorization: string | undefined }[];
  readonly close: () => Promise<void>;
}

type Gatekeeper = (socket: Socket, number: number) => void;

/** A real CONNECT proxy that leads to the address to which the gatekeeper connects the socket. */
async function startProxy(gatekeeper: Gatekeeper): Promise<TestProxy> {
  const tunnels: { readonly target: string | undefined; readonly authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push({ target: request.url, authorization: request.headers['proxy-authorization'] });
    gatekeeper(socket, tunnels.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      sockets.forEach((socket) => socket.destroy());
    });
  return { port: (server.address() as AddressInfo).port, tunnels, close };
}

const leadTo =
  (port: number): Gatekeeper =>
  (socket) => {
    const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    socket.pipe(onward).pipe(socket);
    onward.on('error', () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  };

const answerWith =
  (...heads: readonly string[]): Gatekeeper =>
  (socket, number) =>
    socket.end(`HTTP/1.1 ${heads[Math.min(number, heads.length) - 1] ?? ''}\r\nContent-Length: 0\r\n\r\n`);

const target = 'https://sts.example.test/v1/token';

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('proxies', () => {
  const closing: (() => Promise<void>)[] = [];
  const proxied = async (gatekeeper: Gatekeeper) => {
    const proxy = await startProxy(gatekeeper);
    closing.push(proxy.close);
    return proxy;
  };
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  describe('proxyFor', () => {
    const proxy = { HTTPS_PROXY: 'http://proxy.test' };

    it.each([
      [{}, target, undefined],
      [{ HTTPS_PROXY: 'http://proxy.test:3128' }, target, 'http://proxy.test:3128/'],
      [{ https_proxy: 'https://proxy.test' }, target, 'https://proxy.test/'],
      [{ https_proxy: 'http://a.test', HTTPS_PROXY: 'http://b.test' }, target, 'http://a.test/'],
      [{ https_proxy: '', HTTPS_PROXY: 'http://b.test' }, target, 'http://b.test/'],
      [{ HTTPS_PROXY: 'proxy.test:3128' }, target, 'http://proxy.test:3128/'],
      [{ HTTPS_PROXY: '192.0.2.1' }, target, 'http://192.0.2.1/'],
      [{ ALL_PROXY: 'socks5://proxy.test', HTTP_PROXY: 'http://proxy.test' }, target, undefined],
      [proxy, 'https://localhost:8443/', undefined],
      [proxy, 'http://127.0.0.2/', undefined],
      [proxy, 'http://[::1]:80/', undefined],
      [{ ...proxy, NO_PROXY: 'example.test' }, target, undefined],
      [{ ...proxy, no_proxy: 'example.org' }, target, 'http://proxy.test/'],
    ])('with %j sends %s through %s', (variables, address, expected) => {
      expect(findProxy(new URL(address), variables)?.url.href).toBe(expected);
    });

    it('separates credentials from the URL', () => {
      expect(findProxy(new URL(target), { HTTPS_PROXY: 'us%40er@proxy.test' })).toEqual({
        url: new URL('http://proxy.test'),
        authorization: `Basic ${Buffer.from('us@er:').toString('base64')}`,
      });
    });

    it.each([
      ['http://', 'is not a URL'],
      ['socks5://proxy.test', 'the scheme socks5'],
      ['http://user:se%cret@proxy.test', 'write it as "%25"'],
      ['http://:se%ffcret@proxy.test', 'write it as "%25"'],
      ['http://us%er@proxy.test', 'write it as "%25"'],
    ])('refuses %s without showing it', (address, message) => {
      const refusal = catchError(() => findProxy(new URL(target), { HTTPS_PROXY: address }));

      expect(refusal).toMatchObject({ reason: 'proxy_failed', message: expect.stringContaining(message) as string });
      expect(String(refusal)).not.toContain('cret');
    });
  });

  describe('a tunnel', () => {
    it('receives decoded credentials, and the certificate of the service is verified', async () => {
      const service = await startTlsServer(replying([200, {}]));
      closing.push(service.close);
      const proxy = await proxied(leadTo(service.port));
      const env = { HTTPS_PROXY: `http://us%40er:p%3Ass@127.0.0.1:${proxy.port}` };

      await expect(aTransport({ env }).transport.send(aCall(target))).rejects.toMatchObject({ reason: 'tls_failed' });
      expect(proxy.tunnels).toEqual([
        { target: 'sts.example.test:443', authorization: `Basic ${Buffer.from('us@er:p:ss').toString('base64')}` },
      ]);
    });

    it('that is refused does not count as an answer of the service', async () => {
      const proxy = await proxied(answerWith('407 Proxy Authentication Required'));
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };

      await expect(aTransport({ env }).transport.send(aCall(target))).rejects.toMatchObject({
        code: 'upstream_failed',
        reason: 'proxy_failed',
        message:
          'The proxy did not open a connection to sts.example.test for the token exchange: status 407 from the proxy.',
        details: { attempts: 1 },
      });
    });

    it('is retried if the proxy is busy or closes the connection', async () => {
      const busy = answerWith('503 Busy\r\nRetry-After: 3', '502 Bad Gateway');
      const proxy = await proxied((socket, number) => (number === 3 ? socket.end() : busy(socket, number)));
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
      const { transport, waits } = aTransport({ env });

      await expect(transport.send(aCall(target))).rejects.toMatchObject({
        reason: 'proxy_failed',
        details: { attempts: 6 },
      });
      expect(waits).toEqual([3000, 250, 500, 1000, 2000]);
    });

    it('that is never opened ends with the attempt', async () => {
      const proxy = await proxied(() => undefined);
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
      const { transport } = aTransport({ env, attemptTimeoutMs: 40 });

      await expect(transport.send(aCall(target))).rejects.toMatchObject({
        code: 'upstream_timeout',
        reason: 'proxy_failed',
        details: { description: 'no response in time' },
      });
    });

    it('names a proxy that does not listen', async () => {
      const env = { HTTPS_PROXY: `http://127.0.0.1:${await freePort()}` };

      await expect(aTransport({ env }).transport.send(aCall(target))).rejects.toMatchObject({
        reason: 'proxy_failed',
        details: { description: 'ECONNREFUSED', attempts: 6 },
      });
    });
  });

  describe('a process with HTTPS_PROXY and NODE_EXTRA_CA_CERTS', () => {
    const folder = temporaryFolder();
    afterAll(() => folder.remove());

    const program = `
      const { createTransport } = require('./transport.cjs');
      const transport = createTransport({
        env: process.env, userAgent: 'spec', deadline: Date.now() + 20000, now: Date.now, random: Math.random,
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)), debug: () => {},
      });
      const url = new URL(process.argv[2]);
      transport.send({ service: 'sts', kind: 'exchange', method: 'POST', url, headers: {}, body: '{}', secrets: [] })
        .then(({ body }) => process.stdout.write(body), ({ message }) => process.stdout.write(message));
    `;
    const run = async (variables: Readonly<Record<string, string>>) => {
      await build({
        entryPoints: [path.join(__dirname, 'transport.ts')],
        outfile: folder.file('transport.cjs'),
        bundle: true,
        platform: 'node',
        format: 'cjs',
        conditions: ['@weir/source'],
        logLevel: 'error',
      });
      await writeFile(folder.file('authority.pem'), exampleCertificate.cert);
      await writeFile(folder.file('program.cjs'), program);
      const child = await spawnProcess({
        command: process.execPath,
        args: [folder.file('program.cjs'), target],
        env: { NODE_EXTRA_CA_CERTS: folder.file('authority.pem'), ...variables },
        deadlineMs: 30_000,
      });
      await child.exited;
      return { stdout: child.stdout(), stderr: child.stderr() };
    };

    it.each([
      ['the service', ''],
      ['a proxy', 'proxy'],
    ])('verifies the certificate of %s even if NODE_TLS_REJECT_UNAUTHORIZED is 0', async (_name, through) => {
      const service = await startTlsServer(replying([200, {}]));
      closing.push(service.close);
      const proxy = await proxied(leadTo(service.port));
      const address = through === 'proxy' ? `https://127.0.0.1:${service.port}` : `http://127.0.0.1:${proxy.port}`;

      const { stdout } = await run({ HTTPS_PROXY: address, NODE_TLS_REJECT_UNAUTHORIZED: '0' });

      expect(stdout).toMatch(/^No trusted TLS connection to sts\.example\.test for the exchange: [A-Z_]+/);
      expect(service.requests).toEqual([]);
    });

    it('reaches a service of a private authority through the proxy and leaves nothing on stderr', async () => {
      const service = await startTlsServer(replying([200, { access_token: 'granted' }]), exampleCertificate);
      closing.push(service.close);
      const proxy = await proxied(leadTo(service.port));

      expect(await run({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })).toEqual({
        stdout: '{"access_token":"granted"}',
        stderr: '',
      });
      expect(proxy.tunnels).toEqual([{ target: 'sts.example.test:443', authorization: undefined }]);
      expect(service.requests).toMatchObject([{ method: 'POST', path: '/v1/token', body: '{}' }]);
    });
  });
});
