import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeWords, type FakeWords } from './fake-dialects';
import { RecordedCall } from './fake-calls';
import { createFakeControl, type FakeControl } from './fake-control';
import type { FakeEngine, FakeEngineDialect, FakeEngineOptions, FakeEngineRequest } from './fake-engine-types';
import { createResponseHolds, type ResponseHolds } from '@weir/test-kit';
import { sampleAnswer } from './fake-sampling';
import { sendJson, writeAnswer } from './fake-writer';

/**
 * A server on a free loopback port that speaks an inference engine's HTTP, streamed and not. It samples nothing: a
 * script or a seed gives the ids. What it says it sampled can be read back, and each answer can go wrong in its own way.
 */
export async function startFakeEngine(options: FakeEngineOptions): Promise<FakeEngine> {
  const state = createState(options);
  const server = createServer((request, response) => {
    void handle(state, request, response).catch(() => response.destroy());
  });
  server.on('connection', () => (state.connections += 1));
  // Its clients keep connections for as long as they like.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls: state.calls,
    abortCalls: state.control.abortCalls,
    callCount: () => state.callCount,
    connectionCount: () => state.connections,
    setScript: (script) => {
      state.options = { ...state.options, script };
    },
    setWeightVersion: (label) => {
      state.control.label = label;
    },
    setHealth: (health) => {
      state.control.health = health;
    },
    abortRunning: () => state.holds.end('abort'),
    release: () => state.holds.end('release'),
    stop: () => close(server),
  };
}

interface State {
  options: FakeEngineOptions;
  readonly words: FakeWords;
  readonly versions: 'spans' | 'answer' | 'none';
  readonly calls: RecordedCall[];
  readonly holds: ResponseHolds;
  readonly control: FakeControl;
  readonly instantBodies: { readonly whole: Buffer; readonly streamed: Buffer } | undefined;
  callCount: number;
  connections: number;
}

const versionsOfDialect: Readonly<Record<FakeEngineDialect, 'spans' | 'none'>> = {
  sglang: 'spans',
  vllm: 'spans',
  'vllm-generate': 'spans',
  'llama-cpp': 'none',
};

function createState(given: FakeEngineOptions): State {
  const versions = given.versions ?? versionsOfDialect[given.dialect];
  const options = { ...given, versions };
  const words = fakeWords[given.dialect];
  return {
    options,
    words,
    versions,
    calls: [],
    holds: createResponseHolds(),
    control: createFakeControl(options),
    instantBodies: given.instant === undefined ? undefined : instantBodies(options, words, given.instant),
    callCount: 0,
    connections: 0,
  };
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST' && request.url === state.words.generatePath) return generate(state, request, response);
  const body = await readBody(request);
  state.control.answer(request.method ?? '', request.url ?? '', body, response);
}

async function generate(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, words, instantBodies: instant } = state;
  const callNumber = state.callCount;
  state.callCount += 1;
  if (instant !== undefined) {
    answerInstantly(instant, request, response);
    return;
  }
  const body = JSON.parse((await readBody(request)) || '{}') as Readonly<Record<string, unknown>>;
  const routingKey = request.headers['x-smg-routing-key'];
  const asked: FakeEngineRequest = {
    ...words.read(body),
    callNumber,
    routingKey: typeof routingKey === 'string' ? routingKey : '',
    body,
  };
  if (options.refusesGrammar === true && hasGrammar(body)) {
    sendJson(response, 400, '{"error":{"code":400,"message":"no grammar"}}');
    return;
  }
  const sample = sampleAnswer(options, asked, state.control.label);
  const call = new RecordedCall(asked, sample);
  state.calls.push(call);
  response.on('close', () => (call.isLeft = !response.writableFinished));
  await writeAnswer(
    {
      words,
      request: asked,
      sample,
      versions: state.versions,
      holds: state.holds,
      onAborted: (count) => call.cutTo(count),
    },
    response,
  );
}

function hasGrammar(body: Readonly<Record<string, unknown>>): boolean {
  return /"(?:grammar|ebnf)":/.test(JSON.stringify(body));
}

/** Bytes of an answer made once; the length of the prompt in them is that of no call, so none is said. */
function instantBodies(
  options: FakeEngineOptions,
  words: FakeWords,
  ids: readonly number[],
): { readonly whole: Buffer; readonly streamed: Buffer } {
  const request: FakeEngineRequest = {
    callNumber: 0,
    requestId: '',
    routingKey: '',
    promptIds: [],
    maxNewTokens: ids.length + 1,
    isStreaming: false,
    temperature: 1,
    topLogprobs: 0,
    body: {},
  };
  const script = (): { ids: readonly number[]; logprobs: readonly number[] } => ({
    ids,
    logprobs: ids.map(() => -0.125),
  });
  const sample = sampleAnswer({ ...options, script }, request, 'default');
  const part = { from: 0, to: ids.length, isLast: true };
  const rendered = words.render(request, sample, part, options.versions ?? 'none');
  const text = JSON.stringify(rendered, (key, value: unknown) =>
    ['prompt_tokens', 'prompt_token_ids', 'timings', 'total_tokens'].includes(key) ? undefined : value,
  );
  const events = [text, ...words.streamEnd].map((event) => `data: ${event}\n\n`).join('');
  return { whole: Buffer.from(text), streamed: Buffer.from(events) };
}

const streamFlag = '"stream":true';

function answerInstantly(
  bodies: { readonly whole: Buffer; readonly streamed: Buffer },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  let hasStream = false;
  let tail = '';
  // Not parsed, to cost nothing: only the flag is looked for, which two chunks may share.
  request.on('data', (chunk: Buffer) => {
    hasStream ||= chunk.includes(streamFlag) || (tail + chunk.toString('latin1', 0, 16)).includes(streamFlag);
    tail = chunk.toString('latin1', Math.max(0, chunk.length - 16));
  });
  request.on('end', () => {
    const bytes = hasStream ? bodies.streamed : bodies.whole;
    const type = hasStream ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
    response.end(bytes);
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
