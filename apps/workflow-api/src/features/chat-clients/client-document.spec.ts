import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchClientDocument } from './client-document';

const allowedNetworks = ['127.0.0.0/8'];
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/client.json`;
}

describe('fetchClientDocument', () => {
  it('returns the description', async () => {
    const address = await serve((_req, res) => res.end('{"client_id":"x"}'));
    await expect(fetchClientDocument(address, { allowedNetworks })).resolves.toEqual({ client_id: 'x' });
  });

  it.each<[string, RequestListener]>([
    ['a redirect', (_req, res) => res.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['a failure', (_req, res) => res.writeHead(500).end('{}')],
    ['what is no JSON', (_req, res) => res.end('<html>')],
    ['more than 64 KiB', (_req, res) => res.end(`"${'x'.repeat(70_000)}"`)],
    ['half an answer', (req, res) => res.writeHead(200, { 'content-length': 100 }).write('{', () => req.destroy())],
  ])('refuses %s', async (_, listener) => {
    const address = await serve(listener);
    await expect(fetchClientDocument(address, { allowedNetworks })).rejects.toMatchObject({
      code: 'invalid_request',
      reason: 'client_unknown',
    });
  });

  it('reaches no address that is not public, by its number or by a name', async () => {
    let calls = 0;
    const address = await serve((_req, res) => {
      calls += 1;
      res.end('{}');
    });
    const { port } = new URL(address);
    const toLoopback = { allowedNetworks: [], resolve: toAddress('127.0.0.1') };
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'chat.example']) {
      await expect(fetchClientDocument(`http://${host}:${port}/client.json`, toLoopback)).rejects.toMatchObject({
        reason: 'client_unknown',
      });
    }
    expect(calls).toBe(0);
  });
});

type Resolve = NonNullable<Parameters<typeof fetchClientDocument>[1]['resolve']>;

function toAddress(address: string): Resolve {
  return (_name, _options, done) => done(null, [{ address, family: 4 }]);
}
