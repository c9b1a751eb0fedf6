import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';

let server: Server;
let origin: string;
const calls = new Map<string, number>();

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '', headers } = request;
    const [name = ''] = url.split('?');
    const call = (calls.get(name) ?? 0) + 1;
    calls.set(name, call);
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      if (name === '/never') return;
      if (name === '/json') {
        const answer = JSON.stringify({ path: url, token: headers['x-token'], body });
        response.setHeader('content-type', 'application/json').end(answer);
      } else if (name === '/text') response.end('hello');
      else if (name === '/second') response.writeHead(call < 2 ? 503 : 200).end();
      else if (name === '/third') response.writeHead(call < 3 ? 200 : 204).end();
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

async function start(file: string) {
  const home = temporaryFolder();
  try {
    const { code, stdout, stderr } = await runWeir(['start', file, '--', `ORIGIN=${origin}`], {
      home,
      folder: path.join(__dirname, 'http'),
    });
    return { code, text: `${stdout}${stderr}` };
  } finally {
    await home.remove();
  }
}

describe('actions that send requests', () => {
  it.each([
    ['hands the answer to the next step', 'request.yaml'],
    ['sends a map as JSON and prints one JSON object', 'post.yaml'],
    ['saves the answer to a file of the working folder', 'save.yaml'],
    ['uploads a file of the working folder as part of a form', 'upload.yaml'],
    ['is tried again by the retry policy of its step', 'retry.yaml'],
    ['waits until an address gives the expected status', 'wait.yaml'],
  ])('%s (%s)', async (_, file) => {
    const { code, text } = await start(file);
    if (code !== 0) throw new Error(text);
  });

  it('fails for an answer that is not 2xx, without the address', async () => {
    const { code, text } = await start('not-found.yaml');

    expect(code).toBe(1);
    expect(text).toContain('The response has HTTP status 404.');
    expect(text).not.toContain('hunter2');
  });

  it('fails for an answer that does not come in time', async () => {
    const { code, text } = await start('too-late.yaml');

    expect(code).toBe(1);
    expect(text).toContain('There was no complete response within 0.3 seconds.');
  });
});
