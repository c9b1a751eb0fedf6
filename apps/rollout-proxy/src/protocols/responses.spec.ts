import { AppError } from '@weir/errors';
import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { startProtocolApp, type ProtocolApp } from './testing/protocol-app';
import { call, end, reasoning, text, tokens } from './testing/scripted-completions';

let app: ProtocolApp;
beforeAll(async () => {
  app = await startProtocolApp();
});
afterAll(() => app.stop());
beforeEach(() => app.completions.play([text('Hel'), text('lo.')]));

const weather = {
  type: 'function',
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
} as const;
const oneCall = [reasoning('Look it up.'), text('One moment.'), ...call(0, 'weather', '{"city":', '"Oslo"}')];

describe('POST /responses', () => {
  it('answers the official SDK with a whole response', async () => {
    const response = await app.openai.responses.create({ model: 'm', input: 'Say hello.', metadata: { a: 'b' } });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_/) as string,
      object: 'response',
      created_at: 1795255200,
      model: 'm',
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: { a: 'b' },
      parallel_tool_calls: true,
      temperature: 1,
      top_p: 1,
      tool_choice: 'auto',
      tools: [],
      output_text: 'Hello.',
      output: [
        {
          id: expect.stringMatching(/^msg_/) as string,
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello.', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 12,
        input_tokens_details: { cached_tokens: 8 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 17,
      },
    });
  });

  it('converts a request of the SDK to a protocol-independent one', async () => {
    await app.openai.responses.create({
      model: 'm',
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Answer in Norwegian.' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'reasoning', id: 'rs_x', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{"b": 1, "a": 2}' },
        { type: 'function_call', call_id: 'b', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'Rain.' },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'Sun.' }] },
      ],
      tools: [weather],
      tool_choice: { type: 'function', name: 'weather' },
      parallel_tool_calls: false,
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 64,
      store: false,
    });
    expect(app.completions.last.request).toMatchObject({
      protocol: 'responses',
      messages: [
        { role: 'system', content: 'Be brief.', isInstructions: true },
        { role: 'system', content: 'Answer in Norwegian.' },
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: '',
          reasoning: 'Hm.',
          toolCalls: [
            { id: 'a', name: 'weather', arguments: '{"b": 1, "a": 2}' },
            { id: 'b', name: 'weather', arguments: '{}' },
          ],
        },
        { role: 'tool', content: 'Rain.', toolCallId: 'a' },
        { role: 'tool', content: 'Sun.', toolCallId: 'b' },
      ],
      tools: [{ name: 'weather', description: 'Tells the weather.', strict: false }],
      toolChoice: { kind: 'named', name: 'weather' },
      parallelToolCalls: false,
      sampling: { temperature: 0.5, topP: 0.9 },
      maxNewTokens: 64,
      isRecorded: true,
    });
  });

  it('answers reasoning, text and calls as items of their own, with and without tools in the request', async () => {
    app.completions.play(oneCall);
    const response = await app.openai.responses.create({ model: 'm', input: 'x', tools: [weather] });
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Look it up.' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'One moment.' }] },
      { type: 'function_call', call_id: 'call_0', name: 'weather', arguments: '{"city":"Oslo"}', status: 'completed' },
    ]);
    expect(response.tools).toEqual([weather]);
    expect(new Set(response.output.map(({ id }) => id)).size).toBe(3);
  });

  it('answers a truncated answer as incomplete, and an empty one as an empty message', async () => {
    app.completions.play([text('Hel'), end({ finishReason: 'length' })]);
    expect(await app.openai.responses.create({ model: 'm', input: 'x' })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    });
    app.completions.play([end({})]);
    const empty = await app.openai.responses.create({ model: 'm', input: 'x' });
    expect(empty).toMatchObject({ status: 'completed', output_text: '', output: [{ type: 'message' }] });
  });

  it('answers log-probabilities of text where they are requested', async () => {
    app.completions.play([tokens('Hm'), reasoning('Hm'), tokens('Hel', 'lo.'), text('Hello.')]);
    const { output } = await app.openai.responses.create({
      model: 'm',
      input: 'x',
      include: ['message.output_text.logprobs'],
      top_logprobs: 1,
    });
    expect(app.completions.last.request.topLogprobs).toBe(1);
    const bytes = [72, 101, 108];
    expect(output[1]).toMatchObject({
      content: [
        {
          logprobs: [
            { token: 'Hel', logprob: -0.5, bytes, top_logprobs: [{ token: 'Hel', logprob: -0.5, bytes }] },
            { token: 'lo.' },
          ],
        },
      ],
    });
  });

  it('continues a previous response, without its instructions', async () => {
    app.completions.play(oneCall);
    const input = [
      { role: 'system' as const, content: 'Stay polite.' },
      { role: 'user' as const, content: 'Weather?' },
    ];
    const first = await app.openai.responses.create({ model: 'm', instructions: 'Be brief.', input, tools: [weather] });
    app.completions.play([text('Rain.')]);
    const result = { type: 'function_call_output' as const, call_id: 'call_0', output: 'Rain.' };
    const next = await app.openai.responses.create({
      model: 'm',
      instructions: 'Be long.',
      previous_response_id: first.id,
      input: [result],
    });
    expect(next.previous_response_id).toBe(first.id);
    expect(app.completions.last.request.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'system: Be long.',
      'system: Stay polite.',
      'user: Weather?',
      'assistant: One moment.',
      'tool: Rain.',
    ]);
    await app.openai.responses.create({ model: 'm', previous_response_id: first.id, input: [result] });
    expect(app.completions.last.request.messages[0]).toEqual({ role: 'system', content: 'Stay polite.' });
  });

  it('takes the items of its answer back, whole or by reference, as the message that they were', async () => {
    app.completions.play(oneCall);
    const first = await app.openai.responses.create({ model: 'm', input: 'Weather?', tools: [weather] });
    const answer = app.session.findConversation(first.id)?.at(-1);
    const user = { role: 'user' as const, content: 'Weather?' };
    const result = { type: 'function_call_output' as const, call_id: 'call_0', output: 'Rain.' };
    await app.openai.responses.create({ model: 'm', input: [user, ...first.output, result] as never });
    expect(app.completions.last.request.messages[1]).toEqual(answer);
    const references = first.output.map(({ id }) => ({ type: 'item_reference' as const, id: id ?? '' }));
    await app.openai.responses.create({ model: 'm', input: [user, ...references, result] });
    expect(app.completions.last.request.messages).toEqual([
      { role: 'user', content: 'Weather?' },
      answer,
      { role: 'tool', content: 'Rain.', toolCallId: 'call_0' },
    ]);
  });
});

describe('POST /responses, streamed', () => {
  it('sends the events of the protocol, numbered, that the SDK puts together to the same response', async () => {
    app.completions.play([...oneCall, ...call(1, 'weather', '{}')]);
    const stream = app.openai.responses.stream({ model: 'm', input: 'x', tools: [weather] });
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, index) => index));
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      ...contentItem('reasoning_text'),
      ...contentItem('output_text'),
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    const final = await stream.finalResponse();
    expect(final).toMatchObject({ status: 'completed', output_text: 'One moment.', usage: { total_tokens: 17 } });
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    expect(events.at(-1)).toMatchObject({ response: { output: [{}, {}, { arguments: '{"city":"Oslo"}' }, {}] } });
  });

  it('ends without a mark of another protocol', async () => {
    const { text: raw } = await app.post('/responses', JSON.stringify({ model: 'm', input: 'x', stream: true }));
    expect(raw).not.toContain('[DONE]');
    expect(raw.startsWith('event: response.created\ndata: {"type":"response.created","sequence_number":0,')).toBe(true);
  });

  it('sends log-probabilities with their deltas', async () => {
    app.completions.play([tokens('Hel'), text('Hel'), tokens('lo.'), text('lo.')]);
    const stream = await app.openai.responses.create({
      model: 'm',
      input: 'x',
      stream: true,
      include: ['message.output_text.logprobs'],
    });
    const seen: unknown[] = [];
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') seen.push(event.logprobs);
    }
    expect(seen).toMatchObject([[{ token: 'Hel', logprob: -0.5 }], [{ token: 'lo.' }]]);
  });

  it('starts a new item when text follows a call', async () => {
    app.completions.play([text('a'), ...call(0, 'weather', '{}'), text('b')]);
    const stream = app.openai.responses.stream({ model: 'm', input: 'x', tools: [weather] });
    const { output, output_text: whole } = await stream.finalResponse();
    expect(output.map(({ type }) => type)).toEqual(['message', 'function_call', 'message']);
    expect(whole).toBe('ab');
    expect(new Set(output.map(({ id }) => id)).size).toBe(3);
  });

  it('ends a truncated answer as incomplete', async () => {
    app.completions.play([text('Hel'), end({ finishReason: 'length' })]);
    const stream = app.openai.responses.stream({ model: 'm', input: 'x' });
    const events: string[] = [];
    for await (const { type } of stream) events.push(type);
    expect(events.at(-1)).toBe('response.incomplete');
    expect((await stream.finalResponse()).incomplete_details).toEqual({ reason: 'max_output_tokens' });
  });

  it('tells a failure after the first token by the response and by an error that the SDK raises', async () => {
    app.completions.play([text('Hel'), { kind: 'fail', error: engineLost }]);
    const stream = await app.openai.responses.create({ model: 'm', input: 'x', stream: true });
    const events: ResponseStreamEvent[] = [];
    const reading = (async () => {
      for await (const event of stream) events.push(event);
    })();
    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError);
    await expect(reading).rejects.toMatchObject({ code: 'engine_lost' });
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'The engine went away.' } },
    });
  });

  it('answers what fails before the first token with a status', async () => {
    app.completions.play([{ kind: 'fail', error: engineLost }]);
    const create = app.openai.responses.create({ model: 'm', input: 'x', stream: true });
    await expect(create).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(create).rejects.toMatchObject({ status: 502 });
  });
});

describe('errors of POST /responses', () => {
  it.each([
    ['nothing to answer', { input: [] }, 'input', 'request_invalid'],
    ['no input', { input: undefined }, 'input', 'request_invalid'],
    ['an unknown answer', { previous_response_id: 'resp_none' }, 'previous_response_id', 'previous_response_not_found'],
    ['an unknown item', { input: [{ id: 'msg_none_0' }] }, 'input[0].id', 'item_not_found'],
    ['an image', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input[0].content[0].type'],
    ['an unknown role', { input: [{ role: 'robot', content: 'x' }] }, 'input[0].role', 'request_invalid'],
    ['an item of the service', { input: [{ type: 'web_search_call' }] }, 'input[0].type'],
    ['a tool of the service', { tools: [{ type: 'web_search' }] }, 'tools[0].type', 'request_invalid'],
    ['work in the background', { background: true }, 'background', 'request_invalid'],
    ['a conversation that is cut', { truncation: 'auto' }, 'truncation', 'request_invalid'],
    ['a conversation of the service', { conversation: 'conv_1' }, 'conversation'],
    ['a stored prompt', { prompt: { id: 'x' } }, 'prompt'],
    ['an unknown include', { include: ['everything'] }, 'include[0]', 'request_invalid'],
    ['likeliest tokens without the rest', { top_logprobs: 3 }, 'top_logprobs', 'request_invalid'],
    ['an unknown field of a tool', { tools: [{ ...weather, magic: 1 }] }, 'tools.magic'],
    ['a format with tools', { tools: [weather], text: { format: { type: 'json_object' } } }, 'text.format'],
  ])('name the parameter for %s', async (_case, more, param, code = 'parameter_not_supported') => {
    const { status, text: raw } = await app.post('/v1/responses', JSON.stringify({ model: 'm', input: 'x', ...more }));
    expect(status).toBe(400);
    expect(JSON.parse(raw)).toMatchObject({ error: { param, code, type: 'invalid_request_error' } });
  });

  it('are none for what only cannot be promised; it is reported', async () => {
    const { response, data } = await app.openai.responses
      .create({
        model: 'm',
        input: 'x',
        reasoning: { effort: 'low', summary: 'auto' },
        text: { verbosity: 'low' },
        include: ['reasoning.encrypted_content'],
        prompt_cache_key: 'k',
      })
      .withResponse();
    expect(response.headers.get('x-ignored-parameters')).toBe(
      'prompt_cache_key, include.reasoning.encrypted_content, text.verbosity, reasoning.effort, reasoning.summary',
    );
    expect(data).toMatchObject({ prompt_cache_key: 'k', reasoning: { effort: null } });
  });

  it('takes the parameters of sampling that its SDK sends as extra ones', async () => {
    await app.openai.responses.create({ model: 'm', input: 'x', top_k: 5, min_p: 0.1, seed: 3, stop: 'END' } as never);
    expect(app.completions.last.request).toMatchObject({ sampling: { topK: 5, minP: 0.1, seed: 3 }, stop: ['END'] });
  });
});

const engineLost = new AppError('upstream_failed', 'The engine went away.', { reason: 'engine_lost' });

function contentItem(name: string): readonly string[] {
  return [
    'output_item.added',
    'content_part.added',
    `${name}.delta`,
    `${name}.done`,
    'content_part.done',
    'output_item.done',
  ];
}
