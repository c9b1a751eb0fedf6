import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createResponseHolds } from './response-holds';

export interface ScriptedCall {
  /** Default: an id that no other call has. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** The model's reply; parts of the text are sent one by one. */
export interface ScriptedReply {
  readonly text?: string | readonly string[];
  readonly calls?: readonly ScriptedCall[];
  /** What the model thinks before the text. */
  readonly thoughts?: string;
  /** A page that the server of the model has found before the text; messages of Anthropic only. */
  readonly found?: string;
  /** Ends the reply as one to be continued; messages of Anthropic only. */
  readonly isPaused?: boolean;
  /** Of the prompt tokens. */
  readonly cachedTokens?: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** Refuses the request. */
  readonly status?: number;
  /** Sends the text, and the rest once the spec releases it. */
  readonly isHeld?: boolean;
}

export interface ModelCall {
  readonly path: string;
  /** The key of the request: `x-api-key`, otherwise `authorization`. */
  readonly key: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  readonly calls: readonly ModelCall[];
  /** Added to what is replied next; after the last one, `Done.` is. */
  readonly script: (...replies: readonly ScriptedReply[]) => void;
  /** The number of replies that are held now. */
  readonly heldCount: () => number;
  readonly release: () => void;
  readonly stop: () => Promise<void>;
}

/** A server that speaks chat completions of OpenAI and messages of Anthropic, streamed, and replies by a script. */
export async function startModelServer(): Promise<ModelServer> {
  const calls: ModelCall[] = [];
  const replies: ScriptedReply[] = [];
  const holds = createResponseHolds();
  let number = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const key = request.headers['x-api-key'] ?? request.headers.authorization;
    calls.push({
      path,
      key: typeof key === 'string' ? key : undefined,
      body: (await json(request)) as ModelCall['body'],
    });
    const reply = replies.shift() ?? { text: 'Done.' };
    if (reply.status !== undefined) {
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'refused', type: 'refused' } }));
      return;
    }
    const whole = { ...reply, calls: (reply.calls ?? []).map((call) => ({ id: `call_${(number += 1)}`, ...call })) };
    const events = path.endsWith('/messages') ? messageEvents(whole) : completionEvents(whole);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const text of events.begin) response.write(text);
    if (reply.isHeld === true && (await holds.wait(response)) !== 'release') return;
    for (const text of events.end) response.write(text);
    response.end();
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    script: (...added) => void replies.push(...added),
    heldCount: () => holds.count(),
    release: () => holds.end('release'),
    stop: async () => {
      holds.end('abort');
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type WholeReply = ScriptedReply & { readonly calls: readonly Required<ScriptedCall>[] };

interface Events {
  readonly begin: readonly string[];
  readonly end: readonly string[];
}

const partsOf = ({ text = [] }: ScriptedReply): readonly string[] => (typeof text === 'string' ? [text] : text);
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function completionEvents(reply: WholeReply): Events {
  const { calls, promptTokens = 10, completionTokens = 5 } = reply;
  const chunk = (choices: readonly unknown[], more = {}) =>
    `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'double', choices, ...more })}\n\n`;
  const delta = (given: unknown, reason: string | null = null) =>
    chunk([{ index: 0, delta: given, finish_reason: reason }]);
  const toolCalls = calls.flatMap(({ id, name, arguments: given }, index) => {
    const text = toText(given);
    const half = Math.ceil(text.length / 2);
    const head = { index, id, type: 'function', function: { name, arguments: text.slice(0, half) } };
    return [
      delta({ tool_calls: [head] }),
      delta({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] }),
    ];
  });
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: reply.cachedTokens ?? 0 },
  };
  const thoughts = reply.thoughts === undefined ? [] : [delta({ reasoning_content: reply.thoughts })];
  return {
    begin: [...thoughts, ...partsOf(reply).map((content) => delta({ content }))],
    end: [...toolCalls, delta({}, calls.length > 0 ? 'tool_calls' : 'stop'), chunk([], { usage }), 'data: [DONE]\n\n'],
  };
}

function messageEvents(reply: WholeReply): Events {
  const { calls, thoughts, found, promptTokens = 10, completionTokens = 5, cachedTokens = 0, isPaused = false } = reply;
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  let blocks = 0;
  const block = (content_block: object, deltas: readonly object[] = []) => {
    const index = blocks;
    blocks += 1;
    return [
      event('content_block_start', { index, content_block }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ];
  };
  const cached = { cache_read_input_tokens: cachedTokens, cache_creation_input_tokens: 0 };
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'double',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: promptTokens - cachedTokens, output_tokens: 1, ...cached },
  };
  const texts = partsOf(reply).map((text) => ({ type: 'text_delta', text }));
  const thinking = { type: 'thinking', thinking: '', signature: '' };
  const signed = [
    { type: 'thinking_delta', thinking: thoughts },
    { type: 'signature_delta', signature: 'signed' },
  ];
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
  const page = { type: 'web_search_result', url: found, title: found, encrypted_content: 'e', page_age: null };
  const result = { type: 'web_search_tool_result', tool_use_id: search.id, content: [page] };
  const query = { type: 'input_json_delta', partial_json: '{"query":"q"}' };
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  return {
    begin: [
      event('message_start', { message }),
      ...(thoughts === undefined ? [] : block(thinking, signed)),
      ...(found === undefined ? [] : [...block(search, [query]), ...block(result)]),
      ...(texts.length > 0 ? block({ type: 'text', text: '' }, texts) : []),
    ],
    end: [
      ...calls.flatMap(({ id, name, arguments: given }) =>
        block({ type: 'tool_use', id, name, input: {} }, [{ type: 'input_json_delta', partial_json: toText(given) }]),
      ),
      event('message_delta', {
        delta: { stop_reason: isPaused ? 'pause_turn' : reason, stop_sequence: null },
        usage: { output_tokens: completionTokens },
      }),
      event('message_stop', {}),
    ],
  };
}
