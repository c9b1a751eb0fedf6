import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@weir/foundation';
import { startModelServer, type ModelServer } from '@weir/test-kit';
import type { JsonObject } from '@weir/workflow-spec';
import type { CallableDags } from '../call/callable-dags';
import { actionFixture, type ActionFixture, type Ran, type RunOptions } from '../testing/action-fixture';

interface Asked {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: JsonObject;
}

type Reply = (response: ServerResponse, asked: Asked) => void;

let fixture: ActionFixture;
let server: Server;
let baseUrl: string;
let asked: Asked[];
let replies: Reply[];
let started: (readonly [string, string])[];

/** DAGs of which one fails, and one is unknown. */
const dags: CallableDags = {
  describe: (name) =>
    name === 'nobody'
      ? Promise.reject(new AppError('not_found', 'There is no DAG nobody.'))
      : Promise.resolve({ description: `Does ${name}`, parameters: { type: 'object', properties: {} } }),
  run: (name, params) => {
    started.push([name, params]);
    const status = name === 'fails' ? 'failed' : 'succeeded';
    return Promise.resolve({ dagRunId: `run-${started.length}`, outputs: { TEMP: '21' }, status });
  },
};

beforeEach(async () => {
  started = [];
  fixture = await actionFixture({ dags });
  asked = [];
  replies = [];
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await fixture.remove();
});

/** Speaks the protocol of chat completions; each request gets the next reply, and the last one again. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const part of request) text += String(part);
  const each = { path: request.url ?? '', key: request.headers.authorization, body: JSON.parse(text) as JsonObject };
  asked.push(each);
  (replies.length > 1 ? replies.shift() : replies[0])?.(response, each);
}

const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

const whole =
  (content: string): Reply =>
  (response) => {
    const message = { role: 'assistant', content };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'a', object: 'chat.completion', created: 1, model: 'm-1', choices, usage }));
  };

const streamed =
  (parts: readonly string[], { isCut = false } = {}): Reply =>
  (response) => {
    response.setHeader('content-type', 'text/event-stream');
    const send = (choices: readonly unknown[], more = {}) => {
      const chunk = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm-1', choices, ...more };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    for (const content of parts) send([{ index: 0, delta: { content }, finish_reason: null }]);
    if (isCut) {
      response.end();
      return;
    }
    send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
    send([], { usage });
    response.end('data: [DONE]\n\n');
  };

const refused =
  (status: number, message: string, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message } }));
  };

const silent: Reply = () => undefined;

function ask(settings: JsonObject, options?: RunOptions): Promise<Ran> {
  return fixture.run('chat.completion', { model: 'small', base_url: baseUrl, prompt: 'hi', ...settings }, options);
}

const published = ({ outcome }: Ran) =>
  Object.fromEntries((outcome.outputs?.declared ?? []).map(({ name, value }) => [name, value]));

it('prints the answer while it is generated, and publishes it', async () => {
  replies = [streamed(['Hello', ', ', 'you'])];
  const ran = await ask({ api_key: 'hunter2', system: 'Be brief.', temperature: 0.5, max_tokens: 20 });

  expect(ran.stdout).toBe('Hello, you\n');
  expect(published(ran)).toEqual({
    content: 'Hello, you',
    model: 'm-1',
    finish_reason: 'stop',
    prompt_tokens: 7,
    completion_tokens: 3,
  });
  expect(asked).toEqual([
    {
      path: '/v1/chat/completions',
      key: 'Bearer hunter2',
      body: {
        model: 'small',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'hi' },
        ],
        temperature: 0.5,
        max_tokens: 20,
        stream: true,
        stream_options: { include_usage: true },
      },
    },
  ]);
});

it('sends a conversation and reads an answer that is not streamed', async () => {
  replies = [whole('{"a":1}')];
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'ho' },
    { role: 'user', content: '$HOME' },
  ];
  const settings = { model: 'small', base_url: baseUrl, messages, stream: false, response_format: 'json' };
  const ran = await fixture.run('chat.completion', settings);

  expect(ran.stdout).toBe('{"a":1}\n');
  expect(asked[0]?.body).toMatchObject({ messages, response_format: { type: 'json_object' } });
  expect(asked[0]?.body).not.toHaveProperty('stream');
});

describe('with response_format: schema', () => {
  const outputSchema = { type: 'object', properties: { severity: { enum: ['low', 'high'] } }, required: ['severity'] };
  const askFor = (settings: JsonObject = {}, options: RunOptions = { outputSchema }) =>
    ask({ response_format: 'schema', ...settings }, options);

  it('gives the model the output_schema of the step, and publishes the answer as JSON', async () => {
    replies = [streamed(['{"severity":', '"high"}'])];
    const ran = await askFor();

    expect(asked[0]?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: outputSchema } },
    });
    expect(published(ran)).toMatchObject({ content: '{"severity":"high"}', answer: { severity: 'high' } });
  });

  it.each([
    ['does not match it', '{"severity":"none"}', 'does not fit output_schema'],
    ['is no JSON', 'It is severe.', 'which output_schema needs'],
  ])('fails for an answer that %s, and asks no other model', async (_, content, problem) => {
    replies = [whole(content)];
    const { outcome } = await askFor({ model: ['small', 'large'], stream: false });

    expect(outcome).toMatchObject({ status: 'failed', error: expect.stringContaining(problem) as string });
    expect(outcome.error).not.toContain(content);
    expect(asked).toHaveLength(1);
  });

  it('fails without an output_schema, before a model is asked', async () => {
    replies = [whole('{}')];
    const { outcome } = await askFor({}, {});

    expect(outcome.error).toBe('response_format is schema, but the step has no output_schema.');
    expect(asked).toEqual([]);
  });
});

describe('with tools', () => {
  const calling =
    (...calls: readonly (readonly [string, string])[]): Reply =>
    (response) => {
      response.setHeader('content-type', 'text/event-stream');
      const tool_calls = calls.map(([name, given], index) => ({
        index,
        id: `call-${index}`,
        type: 'function',
        function: { name, arguments: given },
      }));
      const chunk = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm-1', usage };
      const choices = [{ index: 0, delta: { tool_calls }, finish_reason: 'tool_calls' }];
      response.end(`data: ${JSON.stringify({ ...chunk, choices })}\n\ndata: [DONE]\n\n`);
    };
  const askWith = (settings: JsonObject = {}) => ask({ tools: ['get.weather', 'fails'], ...settings });
  const sent = (request: number) => asked[request]?.body.messages as readonly JsonObject[];

  it('lets the model start DAGs and read their results, until it answers', async () => {
    replies = [calling(['get_weather', '{"CITY":"Bern"}'], ['fails', '{}']), streamed(['It is ', '21.'])];
    const ran = await askWith({ top_p: 0.5 });

    expect(asked[0]?.body).toMatchObject({
      top_p: 0.5,
      tools: [
        { type: 'function', function: { name: 'get_weather', description: 'Does get.weather' } },
        { type: 'function', function: { name: 'fails' } },
      ],
    });
    expect(started).toEqual([
      ['get.weather', '{"CITY":"Bern"}'],
      ['fails', '{}'],
    ]);
    expect(sent(1).slice(1)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call-0' }, { id: 'call-1' }] },
      { role: 'tool', tool_call_id: 'call-0', content: '{"status":"succeeded","outputs":{"TEMP":"21"}}' },
      { role: 'tool', tool_call_id: 'call-1', content: '{"status":"failed","outputs":{"TEMP":"21"}}' },
    ]);
    expect(ran.stdout).toBe('It is 21.\n');
    expect(published(ran)).toEqual({
      content: 'It is 21.',
      model: 'm-1',
      finish_reason: 'stop',
      prompt_tokens: 14,
      completion_tokens: 6,
      calls: [
        { dag: 'get.weather', dagRunId: 'run-1', status: 'succeeded' },
        { dag: 'fails', dagRunId: 'run-2', status: 'failed' },
      ],
    });
  });

  it.each([
    ['a tool that it was not offered', ['delete_all', '{}'], 'There is no tool delete_all.'],
    ['no JSON object', ['fails', '[1]'], 'The arguments are no JSON object.'],
  ] as const)('starts nothing for %s, and tells the model', async (_, call, problem) => {
    replies = [calling(call), streamed(['Sorry'])];
    await askWith();

    expect(started).toEqual([]);
    expect(sent(1).at(-1)).toEqual({ role: 'tool', tool_call_id: 'call-0', content: problem });
  });

  it('asks no other model once a DAG was started', async () => {
    replies = [calling(['fails', '{}']), refused(400, 'no')];
    const { outcome } = await askWith({ model: ['small', 'large'], max_retries: 0 });

    expect(outcome).toMatchObject({ status: 'failed' });
    expect(asked.map(({ body }) => body.model)).toEqual(['small', 'small']);
  });

  it('fails when the model calls again and again', async () => {
    replies = [calling(['fails', '{}'])];
    const { outcome } = await askWith();

    expect(outcome.error).toBe('The model has called DAGs in 20 turns, and has not answered.');
    expect(started).toHaveLength(20);
  });

  it('fails for a DAG that cannot be started, before a model is asked', async () => {
    replies = [streamed(['hi'])];

    expect((await askWith({ tools: ['nobody'] })).outcome.error).toBe('There is no DAG nobody.');
    expect(asked).toEqual([]);
  });
});

describe('with thinking and a search of the web', () => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await startModelServer();
  });
  afterAll(() => model.stop());
  const askProvider = (provider: string, settings: JsonObject) =>
    ask({ provider, base_url: model.baseUrl, api_key: 'k', ...settings });

  it.each<[string, JsonObject, JsonObject]>([
    ['openai', { thinking: {} }, { reasoning_effort: 'medium' }],
    ['local', { thinking: { effort: 'high', budget_tokens: 500 } }, { reasoning_effort: 'high' }],
    [
      'gemini',
      { thinking: { budget_tokens: 500 } },
      { extra_body: { google: { thinking_config: { thinking_budget: 500 } } } },
    ],
    ['openrouter', { thinking: { effort: 'xhigh' } }, { reasoning: { effort: 'xhigh' } }],
    ['openrouter', { thinking: { effort: 'low', budget_tokens: 500 } }, { reasoning: { max_tokens: 500 } }],
    [
      'anthropic',
      { thinking: { effort: 'minimal' } },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' }, max_tokens: 20_480 },
    ],
    [
      'anthropic',
      { thinking: { budget_tokens: 2_000 }, top_p: 0.97 },
      { thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 6_096, top_p: 0.97 },
    ],
    ['openai', { web_search: {} }, { web_search_options: {} }],
    [
      'openai',
      { web_search: { user_location: { country: 'CH' } } },
      { web_search_options: { user_location: { type: 'approximate', approximate: { country: 'CH' } } } },
    ],
    [
      'openrouter',
      { web_search: { blocked_domains: ['b.test'] } },
      { tools: [{ type: 'openrouter:web_search', parameters: { excluded_domains: ['b.test'] } }] },
    ],
    [
      'anthropic',
      { web_search: { max_uses: 3, allowed_domains: ['a.test'], user_location: { city: 'Bern' } } },
      {
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            max_uses: 3,
            allowed_domains: ['a.test'],
            user_location: { type: 'approximate', city: 'Bern' },
          },
        ],
      },
    ],
  ])('asks %s for %j in its own words', async (provider, settings, expected) => {
    await askProvider(provider, settings);

    expect(model.calls.at(-1)?.body).toMatchObject(expected);
  });

  it('asks for neither where they are not enabled', async () => {
    await askProvider('openai', { thinking: { enabled: false, effort: 'high' }, web_search: { enabled: false } });

    expect(Object.keys(model.calls.at(-1)?.body ?? {})).toEqual(['model', 'messages', 'stream', 'stream_options']);
  });

  it.each(['local', 'anthropic'])(
    'logs what a model of %s thinks, and publishes only what it answers',
    async (provider) => {
      model.script({ thoughts: 'Two and two.', text: 'Four.' });
      const ran = await askProvider(provider, { thinking: {} });

      expect([ran.stdout, ran.stderr]).toEqual(['Four.\n', 'Two and two.\n']);
      expect(published(ran)).toMatchObject({
        content: 'Four.',
        model: 'double',
        finish_reason: expect.any(String) as string,
      });
    },
  );

  it('gives a model of anthropic its thoughts and what it has found back with the result of a tool', async () => {
    model.script(
      { thoughts: 'Hm.', found: 'https://a.test', calls: [{ id: 'c1', name: 'get_weather', arguments: {} }] },
      { text: '21.' },
    );
    const ran = await askProvider('anthropic', { thinking: {}, web_search: {}, tools: ['get.weather'] });

    expect(model.calls.at(-1)?.body.messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'signed' },
          { type: 'server_tool_use' },
          { type: 'web_search_tool_result' },
          { type: 'tool_use', id: 'c1', name: 'get_weather' },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
    ]);
    expect(ran.stdout).toBe('21.\n');
  });

  it('tells a model of anthropic the schema of its answer', async () => {
    model.script({ text: '{}' });
    const schema = { type: 'object' };
    const settings = { system: 'Be brief.', thinking: {}, response_format: 'schema' };
    const access = { provider: 'anthropic', base_url: model.baseUrl, api_key: 'k' };
    const ran = await ask({ ...access, ...settings }, { outputSchema: schema });

    expect(model.calls.at(-1)?.body.system).toMatch(/^Be brief\.[^]*JSON Schema[^]*\{"type":"object"\}$/);
    expect(published(ran)).toMatchObject({ answer: {} });
  });

  it('fails where the provider of one of the models cannot do it, before a model is asked', async () => {
    const before = model.calls.length;
    const other = { name: 'other', provider: 'local' };
    const { outcome } = await askProvider('anthropic', { model: ['small', other], web_search: {} });

    expect(outcome.error).toBe('other: web_search is not offered by local.');
    expect(model.calls).toHaveLength(before);
  });
});

it('retries while the model is busy', async () => {
  replies = [
    refused(429, 'slow down', { 'retry-after-ms': '1' }),
    refused(503, 'busy', { 'retry-after-ms': '1' }),
    whole('late'),
  ];

  expect((await ask({ stream: false })).stdout).toBe('late\n');
  expect(asked).toHaveLength(3);
});

it('fails when the model stays busy, and when it refuses', async () => {
  replies = [refused(429, 'slow down', { 'retry-after-ms': '1' })];
  expect((await ask({ max_retries: 1 })).outcome).toMatchObject({
    status: 'failed',
    error: 'The model refused this (status 429).',
  });
  expect(asked).toHaveLength(2);

  replies = [refused(400, 'no model small')];
  const ran = await ask({ api_key: 'hunter2' });
  expect(ran.outcome.error).toBe('The model refused this (status 400).');
  expect(ran.stderr).toContain('no model small');
  expect(asked).toHaveLength(3);
});

it('counts the tokens of each model, also of one that did not answer to the end', async () => {
  const asking = { ...usage, prompt_tokens_details: { cached_tokens: 4 } };
  const lost: Reply = (response) => {
    response.setHeader('content-type', 'text/event-stream');
    const chunk = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm-1', usage: asking };
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'nothing', arguments: '{}' } };
    const choices = [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }];
    response.end(`data: ${JSON.stringify({ ...chunk, choices })}\n\ndata: [DONE]\n\n`);
  };
  replies = [lost, refused(400, 'no'), streamed(['yes'])];
  const { outcome } = await ask({ model: ['small', 'large'], tools: ['get.weather'] });

  const use = { provider: 'openai', hasOwnAddress: true, inputTokens: 7, outputTokens: 3 };
  expect(outcome.modelUse).toEqual([
    { ...use, model: 'small', cachedTokens: 4 },
    { ...use, model: 'large', cachedTokens: 0 },
  ]);
});

it('asks the next model when one does not answer', async () => {
  replies = [refused(404, 'no such model'), streamed(['yes'])];
  const ran = await ask({ model: ['small', { name: 'large', temperature: 1 }], temperature: 0 });

  expect(ran.stdout).toBe('yes\n');
  expect(asked.map(({ body }) => [body.model, body.temperature])).toEqual([
    ['small', 0],
    ['large', 1],
  ]);
  expect(ran.stderr).toContain('small: The model refused this (status 404).');
});

it('does not ask for a second answer after a part of the first', async () => {
  replies = [streamed(['Once upon'], { isCut: true }), streamed(['no'])];
  const ran = await ask({ model: ['small', 'large'] });

  expect(ran.outcome).toMatchObject({ status: 'failed', error: 'The answer of the model was cut off.' });
  expect(ran.stdout).toBe('Once upon');
  expect(asked).toHaveLength(1);
});

it('fails for an answer that is larger than outputs may be', async () => {
  replies = [streamed(['x'.repeat(60), 'y'.repeat(60)])];

  expect((await ask({}, { maxOutputBytes: 100 })).outcome.error).toBe('The answer is larger than 100 bytes.');
});

it('gives up after the timeout, and when the run is stopped', async () => {
  replies = [silent];
  expect((await ask({ timeout: '200ms' })).outcome.error).toBe('There was no answer within 0.2 seconds.');
  const stop = new AbortController();
  replies = [() => stop.abort()];
  expect((await ask({}, { signal: stop.signal })).outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
});

it('fails without a server, without repeating the key', async () => {
  const ran = await ask({ base_url: 'http://127.0.0.1:1/v1', api_key: 'hunter2', max_retries: 0 });

  expect(ran.outcome.error).toBe('The model cannot be reached, or the connection was lost.');
  expect(`${ran.outcome.error ?? ''}${ran.stderr}${ran.stdout}`).not.toContain('hunter2');
});

it.each<[string, JsonObject, string]>([
  ['a key of the provider', { provider: 'openai' }, 'api_key is missing, and the step has no variable OPENAI_API_KEY.'],
  [
    'the variable that is named',
    { api_key_name: 'MY_KEY' },
    'api_key is missing, and the step has no variable MY_KEY.',
  ],
  ['an address of another provider', { provider: 'mine' }, 'base_url is missing: only openai, anthropic,'],
  ['a model', { model: [] }, 'model is missing, here and in the llm of the DAG.'],
])('fails without %s', async (_, settings, error) => {
  const { outcome } = await fixture.run('chat.completion', { model: 'small', prompt: 'hi', ...settings });

  expect(outcome).toMatchObject({ status: 'failed' });
  expect(outcome.error).toContain(error);
});

it('sends the key of a provider to no other provider', async () => {
  replies = [refused(500, 'down', { 'retry-after-ms': '1' }), whole('yes')];
  const other = { name: 'large', provider: 'local', base_url: baseUrl };
  await ask({ api_key: 'hunter2', model: ['small', other], max_retries: 0, stream: false });

  expect(asked.map(({ key }) => key)).toEqual(['Bearer hunter2', 'Bearer none']);
});
