import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient, type HttpClient } from './http-client';

let server: Server;
let client: HttpClient;
let connections = 0;
let url = '';

beforeEach(async () => {
  connections = 0;
  server = createServer((request, response) => {
    request.pipe(response);
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const echo = async (text: string): Promise<string> => (await client.fetch(url, { method: 'POST', body: text })).text();

describe('createHttpClient', () => {
  it('keeps connections for later calls', async () => {
    client = createHttpClient();
    for (let call = 0; call < 10; call += 1) expect(await echo(`call ${call}`)).toBe(`call ${call}`);
    expect(connections).toBeLessThan(10);
  });

  it('opens no more connections than it may', async () => {
    client = createHttpClient({ connections: 2 });
    const texts = Array.from({ length: 20 }, (_text, at) => `text ${at}`);
    expect(await Promise.all(texts.map(echo))).toEqual(texts);
    expect(connections).toBeLessThanOrEqual(2);
  });
});
