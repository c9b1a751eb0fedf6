// A process next to the measured one: the instant engine, or the bare relay in front of it.
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeEngine } from '@weir/fake-engine';

const agent = new Agent({ keepAlive: true });

/** Sends a request on, with this body or with its own, and gives the answer back. */
function forward(url: URL, incoming: IncomingMessage, outgoing: ServerResponse, body?: Buffer): void {
  const { 'content-type': type = 'application/json', 'content-length': length = '0' } = incoming.headers;
  const onward = request(
    {
      hostname: url.hostname,
      port: url.port,
      path: url.pathname === '/' ? incoming.url : url.pathname,
      agent,
      method: incoming.method,
      headers: { 'content-type': type, 'content-length': length },
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  onward.once('error', () => outgoing.destroy());
  if (body === undefined) incoming.pipe(onward);
  else onward.end(body);
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Does the minimum of any proxy in Node: takes a request, forwards its body, and returns the answer. */
function startRelay(engineUrl: string): Promise<string> {
  const url = new URL('/generate', engineUrl);
  return listen((incoming, outgoing) => forward(url, incoming, outgoing));
}

/**
 * An engine whose answers to benchmark requests, known by the number of tokens they ask for, are bytes made once. What
 * the proxy asks of an engine at its start is answered by the fake engine of the tests.
 */
async function startEngine(answerIds: readonly number[]): Promise<string> {
  const vocabularySize = 16_000;
  // Ten thousand messages of few words fit.
  const contextLength = 262_144;
  const careful = new URL((await startFakeEngine({ dialect: 'sglang', vocabularySize, contextLength })).url);
  const instant = await startFakeEngine({ dialect: 'sglang', vocabularySize, instant: answerIds });
  const answer = Buffer.from(
    await (await fetch(`${instant.url}/generate`, { method: 'POST', body: '{}' })).arrayBuffer(),
  );
  await instant.stop();
  const marks = [`"max_new_tokens":${answerIds.length}`, `"max_tokens":${answerIds.length}`];
  const headers = { 'content-type': 'application/json', 'content-length': answer.length };
  return listen((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      if (marks.some((mark) => body.includes(mark))) outgoing.writeHead(200, headers).end(answer);
      else forward(careful, incoming, outgoing, body);
    });
  });
}

async function main(): Promise<void> {
  const [, , role = '', value = ''] = process.argv;
  // The parent closes the channel when it ends, however it ends.
  process.once('disconnect', () => process.exit());
  process.send?.(role === 'relay' ? await startRelay(value) : await startEngine(JSON.parse(value) as number[]));
}

void main();
