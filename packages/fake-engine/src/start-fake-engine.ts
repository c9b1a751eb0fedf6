import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { engineDialects, type EngineDialect } from './fake-dialects';
import { RecordedCall } from './fake-calls';
import { chooseAdapter, createFakeAdapters } from './fake-adapters';
import { createFakeControl, type FakeControl } from './fake-control';
import type { FakeEngine, FakeEngineDialect, FakeEngineOptions, FakeEngineRequest } from './fake-engine-types';
import { createResponseHolds, type ResponseHolds } from '@weir/test-kit';
import { sampleAnswer } from './fake-sampling';
import { sendEvents, sendJson, writeAnswer } from './fake-writer';

/**
 * Starts an HTTP server on a loopback port with the interface of an inference engine, streamed and not. A script or
 * a seed determines the ids. Specs can read what was sampled, and plan faults for each response.
 */
export async function startFakeEngine(options: FakeEngineOptions): Promise<FakeEngine> {
  const state = createState(options);
  const server = createServer((request, response) => {
    void handleRequest(state, request, response).catch(() => response.destroy());
  });
  server.on('connection', () => (state.connections += 1));
  // Clients may keep connections open indefinitely.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Thousands of calls may come at once.
    server.listen({ port: options.port ?? 0, host: '127.0.0.1', backlog: 4_096 }, resolve);
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
    weightCalls: state.control.weights.calls,
    weightSource: () => state.control.weights.source,
    isPaused: () => state.control.weights.isPaused,
    refuseNextWeights: () => {
      state.control.weights.refusesNext = true;
    },
    adapterCalls: state.control.adapters.calls,
    adapters: () => [...state.control.adapters.loaded.keys()],
    forgetAdapters: () => {
      const { loaded } = state.control.adapters;
      loaded.clear();
      for (const [name, path] of createFakeAdapters(options.adapters).loaded) loaded.set(name, path);
    },
    refuseNextAdapter: () => {
      state.control.adapters.refusesNext = true;
    },
    setHealth: (health) => {
      state.control.health = health;
    },
    abortRunning: () => state.holds.end('abort'),
    heldCount: () => state.holds.count(),
    release: () => state.holds.end('release'),
    stop: () => close(server),
  };
}

interface State {
  options: FakeEngineOptions;
  readonly dialect: EngineDialect;
  readonly versions: 'spans' | 'answer' | 'none';
  readonly calls: RecordedCall[];
  readonly holds: ResponseHolds;
  readonly control: FakeControl;
  readonly instantBodies: { readonly whole: Buffer; readonly streamed: Buffer } | undefined;
  callCount: number;
  connections: number;
}

const dialectVersions: Readonly<Record<FakeEngineDialect, 'spans' | 'none'>> = {
  sglang: 'spans',
  vllm: 'spans',
  'vllm-generate': 'spans',
  'llama-cpp': 'none',
};

function createState(given: FakeEngineOptions): State {
  const versions = given.versions ?? dialectVersions[given.dialect];
  const options = { ...given, versions };
  const dialect = engineDialects[given.dialect];
  return {
    options,
    dialect,
    versions,
    calls: [],
    holds: createResponseHolds(),
    control: createFakeControl(options),
    instantBodies: given.instant === undefined ? undefined : instantBodies(options, dialect, given.instant),
    callCount: 0,
    connections: 0,
  };
}

async function handleRequest(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST' && request.url === state.dialect.generatePath)
    return generate(state, request, response);
  const body = await readBody(request);
  state.control.answer(request.method ?? '', request.url ?? '', body, response);
}

async function generate(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, dialect: words, instantBodies: instant } = state;
  const callNumber = state.callCount;
  state.callCount += 1;
  if (instant !== undefined) {
    answerInstantly(instant, request, response);
    return;
  }
  const body = JSON.parse((await readBody(request)) || '{}') as Readonly<Record<string, unknown>>;
  const routingKey = request.headers['x-smg-routing-key'];
  const chosen = chooseAdapter(
    state.control.adapters,
    { dialect: options.dialect, model: options.model ?? 'fake' },
    body,
  );
  if ('refusal' in chosen) {
    const text = JSON.stringify(chosen.refusal.body);
    // SGLang has begun its stream when it looks for the adapter.
    if (options.dialect === 'sglang' && body.stream === true) sendEvents(response, [text, ...words.streamEnd]);
    else sendJson(response, chosen.refusal.status, text);
    return;
  }
  const engineRequest: FakeEngineRequest = {
    ...words.read(body),
    callNumber,
    routingKey: typeof routingKey === 'string' ? routingKey : '',
    adapter: chosen.path,
    body,
  };
  if (options.refusesGrammar === true && hasGrammar(body)) {
    sendJson(response, 400, '{"error":{"code":400,"message":"no grammar"}}');
    return;
  }
  if (engineRequest.topLogprobs > (options.maxTopLogprobs ?? Infinity)) {
    sendJson(response, 400, '{"error":{"code":400,"message":"too many logprobs"}}');
    return;
  }
  const sample = sampleAnswer(options, engineRequest, state.control.label);
  const call = new RecordedCall(engineRequest, sample);
  state.calls.push(call);
  response.on('close', () => (call.isDisconnected = !response.writableFinished));
  await writeAnswer(
    {
      dialect: words,
      request: engineRequest,
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

/** Precomputed responses, without the prompt length, which differs between calls. */
function instantBodies(
  options: FakeEngineOptions,
  dialect: EngineDialect,
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
    scores: undefined,
    expertsFrom: undefined,
    wantsMask: false,
    adapter: undefined,
    body: {},
  };
  const script = (): { ids: readonly number[]; logprobs: readonly number[] } => ({
    ids,
    logprobs: ids.map(() => -0.125),
  });
  const sample = sampleAnswer({ ...options, script }, request, 'default');
  const part = { from: 0, to: ids.length, isLast: true };
  const rendered = dialect.render(request, sample, part, options.versions ?? 'none');
  const text = JSON.stringify(rendered, (key, value: unknown) =>
    ['prompt_tokens', 'prompt_token_ids', 'timings', 'total_tokens'].includes(key) ? undefined : value,
  );
  const events = [text, ...dialect.streamEnd].map((event) => `data: ${event}\n\n`).join('');
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
  // The request is not parsed, to save time: this only searches for the flag, which may be split between two chunks.
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
