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

export interface EngineOptions {
  readonly answerIds: readonly number[];
  /** How long every answer to a benchmark request takes. */
  readonly delayMs: number;
}

/**
 * An engine whose answers to benchmark requests, known by the number of tokens they ask for, are bytes made once: those
 * of its own protocol, or of chat completions for gateways that speak nothing else. What the proxy asks of an engine at its start is answered by the fake engine of the tests.
 */
async function startEngine({ answerIds, delayMs }: EngineOptions): Promise<string> {
  const vocabularySize = 16_000;
  // Ten thousand messages of few words fit.
  const contextLength = 262_144;
  const careful = new URL((await startFakeEngine({ dialect: 'sglang', vocabularySize, contextLength })).url);
  const instant = await startFakeEngine({ dialect: 'sglang', vocabularySize, instant: answerIds });
  const answer = Buffer.from(
    await (await fetch(`${instant.url}/generate`, { method: 'POST', body: '{}' })).arrayBuffer(),
  );
  await instant.stop();
  const chat = Buffer.from(JSON.stringify(chatCompletion(answerIds.length)));
  // A gateway in Python writes a blank behind the colon.
  const mark = new RegExp(`"max_(new_)?tokens": ?${answerIds.length}\\b`);
  return listen((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const bytes = incoming.url === '/v1/chat/completions' ? chat : answer;
      const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
      const send = (): void => void outgoing.writeHead(200, headers).end(bytes);
      if (mark.test(body.toString('latin1'))) {
        if (delayMs === 0) send();
        else setTimeout(send, delayMs);
      } else forward(careful, incoming, outgoing, body);
    });
  });
}

const chatCompletion = (tokens: number) => ({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_800_000_000,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(tokens) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1600, completion_tokens: tokens, total_tokens: 1600 + tokens },
});

async function main(): Promise<void> {
  const [, , role = '', value = ''] = process.argv;
  // The parent closes the channel when it ends, however it ends.
  process.once('disconnect', () => process.exit());
  process.send?.(role === 'relay' ? await startRelay(value) : await startEngine(JSON.parse(value) as EngineOptions));
}

void main();
