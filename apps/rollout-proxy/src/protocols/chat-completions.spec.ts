import { AppError } from '@weir/foundation';
import OpenAI from 'openai';
import { call, end, text, tokens, oneCall } from './testing/scripted-completions';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();

const user = { role: 'user', content: 'Say hello.' } as const;
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
} as const;

describe('POST /chat/completions', () => {
  it('answers the official SDK with a completion', async () => {
    const completion = await app.openai.chat.completions.create({ model: 'm', messages: [user] });
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/) as string,
      object: 'chat.completion',
      created: 1795255200,
      model: 'm',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          logprobs: null,
          message: { role: 'assistant', content: 'Hello.', refusal: null },
        },
      ],
      usage: {
        prompt_tokens: 12,
        completion_tokens: 5,
        total_tokens: 17,
        prompt_tokens_details: { cached_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });

  it('converts a request of the SDK to a protocol-independent one', async () => {
    await app.openai.chat.completions.create({
      model: 'm',
      messages: [
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'Be ' },
            { type: 'text', text: 'brief.' },
          ],
        },
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{"b": 1, "a": 2}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'Rain.' },
      ],
      tools: [weather],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
      temperature: 0.5,
      top_p: 0.9,
      // oxlint-disable-next-line typescript/no-deprecated -- what the service behind has done away with is used here
      seed: 7,
      stop: ['END'],
      max_completion_tokens: 64,
      logit_bias: { 42: -100 },
      store: false,
    });
    expect(app.completions.last.request).toMatchObject({
      protocol: 'chat-completions',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Say hello.' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'a', name: 'weather', arguments: '{"b": 1, "a": 2}' }],
        },
        { role: 'tool', content: 'Rain.', toolCallId: 'a' },
      ],
      tools: [{ name: 'weather', description: 'Tells the weather.' }],
      toolChoice: { kind: 'named', name: 'weather' },
      parallelToolCalls: false,
      sampling: { temperature: 0.5, topP: 0.9, seed: 7, logitBias: new Map([[42, -100]]) },
      stop: ['END'],
      maxNewTokens: 64,
      isRecorded: false,
      isStreaming: false,
    });
  });

  it('answers calls in addition to the text and the reasoning', async () => {
    app.completions.play(oneCall);
    const { choices } = await app.openai.chat.completions.create({ model: 'm', messages: [user], tools: [weather] });
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'One moment.',
        reasoning_content: 'Look it up.',
        tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
    });
  });

  it('answers a completion that a stop string ended, and an empty one', async () => {
    app.completions.play([text('up to'), end({ stopText: 'END' })]);
    const stopped = await app.openai.chat.completions.create({ model: 'm', messages: [user], stop: 'END' });
    expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'up to' } });
    app.completions.play([end({})]);
    const empty = await app.openai.chat.completions.create({ model: 'm', messages: [user] });
    expect(empty.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '' } });
  });

  it('returns log-probabilities on request', async () => {
    app.completions.play([tokens('Hel', 'lo.'), text('Hello.')]);
    const { choices } = await app.openai.chat.completions.create({
      model: 'm',
      messages: [user],
      logprobs: true,
      top_logprobs: 1,
    });
    expect(app.completions.last.request.topLogprobs).toBe(1);
    expect(choices[0]?.logprobs?.content).toEqual([shown('Hel', [72, 101, 108]), shown('lo.', [108, 111, 46])]);
  });

  it('works without the version in its path, and with the other header for the key', async () => {
    const body = JSON.stringify({ model: 'm', messages: [user] });
    const headers = { authorization: '', 'x-api-key': 'the-key-of-the-session' };
    expect((await app.post('/chat/completions', body)).status).toBe(200);
    expect((await app.post('/chat/completions', body, headers)).status).toBe(401);
    const anonymous = await fetch(`${app.url}/chat/completions`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-api-key': 'the-key-of-the-session' },
    });
    expect(anonymous.status).toBe(200);
  });
});

describe('POST /chat/completions, streamed', () => {
  const streamed = { model: 'm', messages: [user], stream: true as const };

  it('sends chunks that the SDK assembles to the same completion', async () => {
    app.completions.play(oneCall);
    const runner = app.openai.chat.completions.stream({
      ...streamed,
      tools: [weather],
      stream_options: { include_usage: true },
    });
    const seen: string[] = [];
    runner.on('content.delta', ({ delta }) => seen.push(delta));
    const completion = await runner.finalChatCompletion();
    expect(seen).toEqual(['One moment.']);
    expect(completion).toMatchObject({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'One moment.',
            tool_calls: [{ id: 'call_0', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 12, completion_tokens: 5 },
    });
  });

  it('sends the role first, then every delta, the finish reason, the usage and the end', async () => {
    const { text: raw, headers } = await app.post(
      '/v1/chat/completions',
      JSON.stringify({ ...streamed, stream_options: { include_usage: true } }),
    );
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('x-accel-buffering')).toBe('no');
    const events = raw.trim().split('\n\n');
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.replace('data: ', '')) as Chunk);
    expect(chunks.map(({ choices: [choice] }) => choice?.delta ?? null)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { content: 'Hel' },
      { content: 'lo.' },
      {},
      null,
    ]);
    expect(chunks.map(({ choices: [choice] }) => choice?.finish_reason)).toEqual([null, null, null, 'stop', undefined]);
    expect(chunks.map(({ usage }) => usage === null)).toEqual([true, true, true, true, false]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it('sends usage only on request', async () => {
    const { text: raw } = await app.post('/v1/chat/completions', JSON.stringify(streamed));
    expect(raw).not.toContain('usage');
  });

  it('sends parallel calls by their index, and log-probabilities with their deltas', async () => {
    app.completions.play([tokens('a', 'b'), text('ab'), ...call(0, 'weather', '{}'), ...call(1, 'weather', '{', '}')]);
    const runner = app.openai.chat.completions.stream({ ...streamed, tools: [weather], logprobs: true });
    const { choices } = await runner.finalChatCompletion();
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: 'call_0', function: { arguments: '{}' } },
      { id: 'call_1', function: { arguments: '{}' } },
    ]);
    expect(choices[0]?.logprobs?.content?.map(({ token }) => token)).toEqual(['a', 'b']);
  });

  it('raises a failure after the first token as an error of the SDK', async () => {
    app.completions.play([text('Hel'), { kind: 'fail', error: engineLost }]);
    const stream = await app.openai.chat.completions.create(streamed);
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? '');
    })();
    await expect(reading).rejects.toMatchObject({ code: 'engine_lost', type: 'server_error' });
    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(pieces.join('')).toBe('Hel');
  });

  it('answers a failure before the first token with a status', async () => {
    app.completions.play([{ kind: 'refuse', error: engineLost }]);
    await expect(app.openai.chat.completions.create(streamed)).rejects.toMatchObject({ status: 502 });
    app.completions.play([{ kind: 'fail', error: engineLost }]);
    await expect(app.openai.chat.completions.create(streamed)).rejects.toMatchObject({ status: 502 });
  });
});

describe('errors of POST /chat/completions', () => {
  it.each([
    ['invalid_request', OpenAI.BadRequestError, 400, 'invalid_request_error'],
    ['unauthenticated', OpenAI.AuthenticationError, 401, 'authentication_error'],
    ['forbidden', OpenAI.PermissionDeniedError, 403, 'permission_error'],
    ['not_found', OpenAI.NotFoundError, 404, 'not_found_error'],
    ['conflict', OpenAI.ConflictError, 409, 'conflict_error'],
    ['rate_limited', OpenAI.RateLimitError, 429, 'rate_limit_error'],
    ['internal', OpenAI.InternalServerError, 500, 'server_error'],
    ['unavailable', OpenAI.InternalServerError, 503, 'server_error'],
  ] as const)('are, for %s, the class that the SDK has for it', async (code, ErrorClass, status, type) => {
    app.completions.play([{ kind: 'refuse', error: new AppError(code, 'A sentence.', { reason: 'a_reason' }) }]);
    const asked = app.openai.chat.completions.create({ model: 'm', messages: [user] });
    await expect(asked).rejects.toBeInstanceOf(ErrorClass);
    await expect(asked).rejects.toMatchObject({
      status,
      type,
      code: 'a_reason',
      param: null,
      error: { message: 'A sentence.' },
      requestID: expect.stringMatching(/^[\w-]+$/) as string,
    });
  });

  it.each([
    ['an empty list of messages', { messages: [] }, 'messages'],
    ['more than one answer', { n: 2 }, 'n'],
    ['both limits', { max_tokens: 5, max_completion_tokens: 5 }, 'max_tokens'],
    ['an unknown role', { messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    ['an image', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }, 'messages[0].content[0].type'],
    ['a parameter that cannot be honoured', { web_search_options: {} }, 'web_search_options'],
    ['a format with tools', { tools: [weather], response_format: { type: 'json_object' } }, 'response_format'],
    ['a choice without tools', { tool_choice: 'required' }, 'tool_choice'],
    ['two tools of one name', { tools: [weather, weather] }, 'tools[1]'],
    ['an old call of a function', { messages: [{ ...user, function_call: {} }] }, 'messages[0].function_call'],
  ])('name the parameter for %s', async (_case, more, param) => {
    const { status, text: raw } = await app.post(
      '/v1/chat/completions',
      JSON.stringify({ model: 'm', messages: [user], ...more }),
    );
    expect(status).toBe(400);
    expect(JSON.parse(raw)).toMatchObject({ error: { param, type: 'invalid_request_error' } });
  });

  it('do not occur for options that only cannot be guaranteed; they are reported', async () => {
    const { response } = await app.openai.chat.completions
      .create({ model: 'm', messages: [user], reasoning_effort: 'low', safety_identifier: 'someone', metadata: null })
      .withResponse();
    expect(response.headers.get('x-ignored-parameters')).toBe('reasoning_effort, safety_identifier');
  });
});

const engineLost = new AppError('upstream_failed', 'The engine went away.', { reason: 'engine_lost' });

interface Chunk {
  readonly id: string;
  readonly usage?: unknown;
  readonly choices: readonly { readonly delta: unknown; readonly finish_reason: string | null }[];
}

function shown(token: string, bytes: readonly number[]) {
  return { token, logprob: -0.5, bytes, top_logprobs: [{ token, logprob: -0.5, bytes }] };
}
