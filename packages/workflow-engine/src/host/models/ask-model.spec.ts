import { startModelServer, waitFor, type ModelServer } from '@weir/test-kit';
import { askModel } from './ask-model';
import type { ModelAccess, ModelMessage, OfferedTool } from './conversation';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());

const tools: readonly OfferedTool[] = [
  { name: 'add', description: 'Adds', parameters: { type: 'object', properties: { a: { type: 'integer' } } } },
];
const messages: readonly ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'add', arguments: '{"a":1}' }] },
  { role: 'tool', toolCallId: 'c1', content: '1', isError: false },
  { role: 'user', content: 'and?' },
];

function ask(
  protocol: ModelAccess['protocol'],
  {
    reasoningEffort,
    ...options
  }: Pick<ModelAccess, 'reasoningEffort'> & {
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
    readonly maxBytes?: number;
  } = {},
) {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const model = { protocol, name: 'small', baseUrl: server.baseUrl, apiKey: 'hunter2', reasoningEffort };
  const reply = askModel(
    model,
    { messages, tools },
    {
      signal: new AbortController().signal,
      timeoutMs: 60_000,
      maxBytes: 10_000,
      retries: 0,
      ...options,
      onText: (text) => texts.push(text),
      onThought: (text) => thoughts.push(text),
    },
  );
  return { reply, texts, thoughts };
}

describe.each(['openai', 'anthropic'] as const)('a model with the protocol of %s', (protocol) => {
  it('streams its text, calls tools and reports its usage', async () => {
    server.script({
      text: ['Let me', ' add.'],
      calls: [
        { id: 'c2', name: 'add', arguments: { a: 2 } },
        { id: 'c3', name: 'add', arguments: { a: 3 } },
      ],
    });
    const { reply, texts } = ask(protocol);

    expect(await reply).toMatchObject({
      content: 'Let me add.',
      toolCalls: [
        { id: 'c2', name: 'add', arguments: '{"a":2}' },
        { id: 'c3', name: 'add', arguments: '{"a":3}' },
      ],
      model: 'double',
      promptTokens: 10,
      completionTokens: 5,
    });
    expect(texts).toEqual(['Let me', ' add.']);
  });

  it('passes on what the model thinks, which is no part of the reply', async () => {
    server.script({ thoughts: 'A sum.', text: 'Four.', cachedTokens: 4 });
    const { reply, thoughts } = ask(protocol);

    expect(await reply).toMatchObject({ content: 'Four.', promptTokens: 10, cachedTokens: 4 });
    expect(thoughts).toEqual(['A sum.']);
  });

  it('fails when the model thinks without end', async () => {
    server.script({ thoughts: 'x'.repeat(17 * 1024 * 1024), text: 'Four.' });

    await expect(ask(protocol).reply).rejects.toMatchObject({
      message: 'What the model thinks and finds is larger than 16777216 bytes.',
    });
  });

  it('fails when the model refuses, without repeating its message', async () => {
    server.script({ status: 400 });

    await expect(ask(protocol).reply).rejects.toMatchObject({
      reason: 'model_failed',
      message: 'The model refused this (status 400).',
    });
  });

  it('fails when the answer is late or too large', async () => {
    server.script({ text: 'x', isHeld: true });
    await expect(ask(protocol, { timeoutMs: 500 }).reply).rejects.toMatchObject({
      message: 'There was no answer within 0.5 seconds.',
    });

    server.script({ text: 'x'.repeat(200) });
    await expect(ask(protocol, { maxBytes: 100 }).reply).rejects.toMatchObject({
      message: 'The answer is larger than 100 bytes.',
    });
  });

  it('rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    server.script({ text: 'x', isHeld: true });
    const { reply } = ask(protocol, { signal: stop.signal });
    const reason = new Error('cancelled');
    await waitFor(() => server.heldCount() > 0, { what: 'the reply to begin' });
    stop.abort(reason);

    await expect(reply).rejects.toBe(reason);
  });
});

it.each([
  ['openai', { reasoning_effort: 'high' }],
  ['anthropic', { output_config: { effort: 'high' } }],
] as const)('says how much effort %s is to take', async (protocol, body) => {
  await ask(protocol, { reasoningEffort: 'high' }).reply;

  expect(server.calls.at(-1)).toMatchObject({ body });
});

it('sends chat completions as OpenAI knows them', async () => {
  await ask('openai').reply;

  expect(server.calls.at(-1)).toMatchObject({
    path: '/v1/chat/completions',
    key: 'Bearer hunter2',
    body: {
      tools: [{ type: 'function', function: { name: 'add' } }],
      messages: [
        { role: 'system' },
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'add', arguments: '{"a":1}' } }] },
        { role: 'tool', tool_call_id: 'c1', content: '1' },
        { role: 'user', content: 'and?' },
      ],
    },
  });
});

it('sends messages as Anthropic knows them', async () => {
  await ask('anthropic').reply;

  expect(server.calls.at(-1)).toMatchObject({
    path: '/v1/messages',
    key: 'Bearer hunter2',
    body: {
      system: 'Be brief.',
      tools: [{ name: 'add', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1' },
            { type: 'text', text: 'and?' },
          ],
        },
      ],
    },
  });
});

it('goes on with a reply that Anthropic pauses, and counts all of its tokens', async () => {
  server.script({ found: 'https://a.test', text: 'I have ', isPaused: true }, { text: 'found it.' });
  const { reply } = ask('anthropic');

  expect(await reply).toMatchObject({ content: 'I have found it.', promptTokens: 20, completionTokens: 10 });
  const sent = server.calls.at(-1)?.body.messages as readonly object[];
  expect(sent.at(-1)).toMatchObject({
    role: 'assistant',
    content: [
      { type: 'server_tool_use', input: { query: 'q' } },
      { type: 'web_search_tool_result', content: [{ url: 'https://a.test', encrypted_content: 'e' }] },
      { type: 'text', text: 'I have ' },
    ],
  });
});
