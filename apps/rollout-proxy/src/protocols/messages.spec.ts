import Anthropic from '@anthropic-ai/sdk';
import { AppError } from '@weir/foundation';
import { end, inSequence, text, oneCall } from './testing/scripted-completions';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();

const asked = { model: 'm', max_tokens: 64, messages: [{ role: 'user' as const, content: 'Say hello.' }] };
const weather = {
  name: 'weather',
  description: 'Tells the weather.',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
};
// The types of the newest SDK no longer have these fields.
const sampling = { temperature: 0.5, top_k: 5 };
const oneCallContent = [
  { type: 'thinking', thinking: 'Look it up.', signature: expect.stringMatching(/./) as string },
  { type: 'text', text: 'One moment.', citations: null },
  { type: 'tool_use', id: 'call_0', name: 'weather', input: { city: 'Oslo' }, caller: { type: 'direct' } },
];

describe('POST /messages', () => {
  it('answers the official SDK with a message', async () => {
    const { data, request_id: requestId } = await app.anthropic.messages.create(asked).withResponse();
    expect(data).toEqual({
      id: expect.stringMatching(/^msg_/) as string,
      type: 'message',
      role: 'assistant',
      model: 'm',
      container: null,
      content: [{ type: 'text', text: 'Hello.', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 4,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 8,
        output_tokens: 5,
        output_tokens_details: { thinking_tokens: 2 },
        server_tool_use: null,
      },
    });
    expect(requestId).toMatch(/^[\w-]+$/);
  });

  it('converts a request of the SDK to a protocol-independent one', async () => {
    await app.anthropic.messages.create({
      model: 'm',
      max_tokens: 64,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'x' },
            { type: 'text', text: 'One moment.' },
            { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Oslo' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'Rain.' }] },
            { type: 'text', text: 'So' },
            { type: 'text', text: '?' },
          ],
        },
        { role: 'system', content: 'Hurry.' },
      ],
      tools: [weather],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      ...sampling,
      stop_sequences: ['END'],
    });
    expect(app.completions.last.request).toMatchObject({
      protocol: 'messages',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: 'One moment.',
          reasoning: 'Hm.',
          toolCalls: [{ id: 'a', name: 'weather', arguments: '{"city":"Oslo"}' }],
        },
        { role: 'tool', content: 'Rain.', toolCallId: 'a' },
        { role: 'user', content: 'So?' },
        { role: 'system', content: 'Hurry.' },
      ],
      tools: [{ name: 'weather', parameters: weather.input_schema }],
      toolChoice: { kind: 'required' },
      parallelToolCalls: false,
      sampling: { temperature: 0.5, topK: 5 },
      stop: ['END'],
      maxNewTokens: 64,
      isRecorded: true,
    });
  });

  it('answers thinking, text and calls as blocks', async () => {
    app.completions.play(oneCall);
    const answer = await app.anthropic.messages.create({ ...asked, tools: [weather] });
    expect(answer.stop_reason).toBe('tool_use');
    expect(answer.content).toEqual(oneCallContent);
  });

  it.each([
    ['end_turn', [text('a')], null],
    ['stop_sequence', [text('a'), end({ stopText: 'END' })], 'END'],
    ['max_tokens', [text('a'), end({ finishReason: 'length' })], null],
    ['end_turn', [end({})], null],
  ] as const)('returns the reason of its end: %s', async (reason, script, sequence) => {
    app.completions.play(script);
    const answer = await app.anthropic.messages.create(asked);
    expect(answer).toMatchObject({ stop_reason: reason, stop_sequence: sequence });
  });

  it('accepts its own answer back unchanged', async () => {
    app.completions.play(oneCall);
    const { content } = await app.anthropic.messages.create({
      ...asked,
      messages: asked.messages,
      tools: [weather],
    });
    await app.anthropic.messages.create({
      ...asked,
      messages: [
        ...asked.messages,
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_0', content: 'Rain.' }] },
      ],
    });
    expect(app.completions.last.request.messages[1]).toEqual({
      role: 'assistant',
      content: 'One moment.',
      reasoning: 'Look it up.',
      toolCalls: [{ id: 'call_0', name: 'weather', arguments: '{"city":"Oslo"}' }],
    });
  });
});

describe('POST /messages, streamed', () => {
  it('sends events that the SDK assembles to the same message', async () => {
    app.completions.play(oneCall);
    const stream = app.anthropic.messages.stream({ ...asked, tools: [weather] });
    const thoughts: string[] = [];
    const json: string[] = [];
    stream.on('thinking', (piece) => thoughts.push(piece));
    stream.on('inputJson', (piece) => json.push(piece));
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject(oneCallContent);
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      usage: { input_tokens: 4, cache_read_input_tokens: 8, output_tokens: 5 },
    });
    expect(thoughts).toEqual(['Look it up.']);
    expect(json).toEqual(['{"city":', '"Oslo"}']);
    expect(await stream.finalText()).toBe('One moment.');
  });

  it('sends the events of each block in the order of the protocol', async () => {
    app.completions.play(oneCall);
    const { text: raw } = await app.post('/v1/messages', JSON.stringify({ ...asked, stream: true, tools: [weather] }));
    const events = raw
      .trim()
      .split('\n\n')
      .map((event) => /^event: (.*)\ndata: (.*)$/.exec(event)?.slice(1) ?? []);
    expect(events.map(([name]) => name)).toEqual([
      'message_start',
      ...findBlock(2),
      ...findBlock(1),
      ...findBlock(2),
      'message_delta',
      'message_stop',
    ]);
    for (const [name, data = ''] of events) expect((JSON.parse(data) as { type: string }).type).toBe(name);
  });

  it('raises a failure after the first token as an error of the SDK', async () => {
    app.completions.play([text('Hel'), { kind: 'fail', error: overloaded }]);
    const stream = app.anthropic.messages.stream(asked);
    const seen: string[] = [];
    stream.on('text', (piece) => seen.push(piece));
    const final = stream.finalMessage();
    await expect(final).rejects.toBeInstanceOf(Anthropic.APIError);
    await expect(final).rejects.toMatchObject({ type: 'overloaded_error' });
    expect(seen).toEqual(['Hel']);
  });

  it('answers a failure before the first token with a status', async () => {
    app.completions.play([{ kind: 'fail', error: overloaded }]);
    const create = app.anthropic.messages.create({ ...asked, stream: true });
    await expect(create).rejects.toMatchObject({ status: 503 });
  });
});

describe('errors of POST /messages', () => {
  it.each([
    ['invalid_request', Anthropic.BadRequestError, 400, 'invalid_request_error'],
    ['unauthenticated', Anthropic.AuthenticationError, 401, 'authentication_error'],
    ['forbidden', Anthropic.PermissionDeniedError, 403, 'permission_error'],
    ['not_found', Anthropic.NotFoundError, 404, 'not_found_error'],
    ['conflict', Anthropic.ConflictError, 409, 'invalid_request_error'],
    ['rate_limited', Anthropic.RateLimitError, 429, 'rate_limit_error'],
    ['internal', Anthropic.InternalServerError, 500, 'api_error'],
    ['upstream_timeout', Anthropic.InternalServerError, 504, 'timeout_error'],
  ] as const)('are, for %s, the class that the SDK has for it', async (code, ErrorClass, status, type) => {
    app.completions.play([{ kind: 'refuse', error: new AppError(code, 'A sentence.') }]);
    const create = app.anthropic.messages.create(asked);
    await expect(create).rejects.toBeInstanceOf(ErrorClass);
    await expect(create).rejects.toMatchObject({
      status,
      type,
      requestID: expect.stringMatching(/^[\w-]+$/) as string,
      error: { type: 'error', error: { type, message: 'A sentence.' } },
    });
  });

  it.each([
    ['no limit', { max_tokens: undefined }, 'max_tokens'],
    ['no messages', { messages: [] }, 'messages'],
    ['an empty message', { messages: [{ role: 'user', content: [] }] }, 'messages[0].content'],
    ['an unknown role', { messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    [
      'an answer that was begun',
      { messages: [...asked.messages, { role: 'assistant', content: 'He' }] },
      'messages[1]',
    ],
    ['an image', { messages: [{ role: 'user', content: [{ type: 'image' }] }] }, 'messages[0].content[0].type'],
    ['a tool of the service', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools[0].type'],
    ['a parameter that cannot be honoured', { mcp_servers: [] }, 'mcp_servers'],
    ['a thread that the server would have to hold', { thread: { type: 'create' } }, 'thread'],
  ])('name the field for %s', async (_case, more, param) => {
    const { status, text: raw } = await app.post('/v1/messages', JSON.stringify({ ...asked, ...more }));
    expect(status).toBe(400);
    const { type, error } = JSON.parse(raw) as { type: string; error: { type: string; message: string } };
    expect([type, error.type]).toEqual(['error', 'invalid_request_error']);
    expect(error.message.startsWith(`${param}: `)).toBe(true);
  });

  it('do not occur for options that only cannot be guaranteed; they are reported', async () => {
    const { response } = await app.anthropic.messages
      .create({
        ...asked,
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'No.', is_error: true }] },
        ],
        thinking: { type: 'enabled', budget_tokens: 1024 },
        output_config: { effort: 'low' },
        tools: [{ ...weather, cache_control: { type: 'ephemeral' } }],
      })
      .withResponse();
    expect(response.headers.get('x-ignored-parameters')).toBe(
      'thinking, tools.cache_control, output_config.effort, tool_result.is_error',
    );
  });
});

describe('the tool runner of the SDK', () => {
  it('sends the whole conversation if it cannot have a thread', async () => {
    app.completions.play(inSequence(oneCall, [text('Rain.')]));
    const before = app.completions.completions.length;
    const tool = { ...weather, run: () => 'Rain.', parse: (input: unknown) => input };
    const answer = await app.anthropic.beta.messages.toolRunner({ ...asked, tools: [tool] });
    expect(answer.content).toMatchObject([{ type: 'text', text: 'Rain.' }]);
    expect(app.completions.completions.slice(before).map(({ request }) => request.messages.length)).toEqual([1, 3]);
  });
});

describe('POST /messages/count_tokens', () => {
  it('answers the SDK with the number of prompt tokens, and generates nothing', async () => {
    const before = app.completions.completions.length;
    const counted = await app.anthropic.messages.countTokens({
      model: 'm',
      system: 'Be brief.',
      messages: asked.messages,
      tools: [weather],
    });
    expect(counted).toEqual({ input_tokens: 201 });
    expect(app.completions.completions).toHaveLength(before);
  });

  it('refuses the same requests as for a message', async () => {
    const { status, text: raw } = await app.post(
      '/messages/count_tokens',
      JSON.stringify({ model: 'm', messages: [] }),
    );
    expect(status).toBe(400);
    expect(JSON.parse(raw)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect((await app.post('/v1/messages/count_tokens', '')).status).toBe(400);
  });
});

const overloaded = new AppError('unavailable', 'No engine is there.', { reason: 'engine_missing' });

function findBlock(deltas: number): readonly string[] {
  return ['content_block_start', ...Array<string>(deltas).fill('content_block_delta'), 'content_block_stop'];
}
