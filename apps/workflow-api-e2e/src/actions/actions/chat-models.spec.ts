import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import { runWeir } from '../../support/weir-command';
import { startWeir, type Weir } from '../../support/weir-server';

interface Message {
  readonly role: string;
  readonly content?: string;
}

interface Asked {
  readonly messages: readonly Message[];
  readonly reasoning_effort?: string;
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

const usage = { prompt_tokens: 1_000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 400 } };

let weir: Weir;
let admin: string;
let model: Server;
let asked: Asked[];

/** Calls the first tool for each city of the prompt, and then answers with what it was told; thinks when it is asked to. */
function reply({ messages, tools = [], reasoning_effort: effort }: Asked): object {
  if (effort !== undefined) return { delta: { reasoning_content: effort, content: '42' }, finish_reason: 'stop' };
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  if (results.length > 0) return { delta: { content: results.join(' ') }, finish_reason: 'stop' };
  const cities = messages.at(-1)?.content?.split(' ') ?? [];
  const tool_calls = cities.map((CITY, index) => ({
    index,
    id: `call-${index}`,
    type: 'function',
    function: { name: tools[0]?.function.name, arguments: JSON.stringify({ CITY }) },
  }));
  return { delta: { tool_calls }, finish_reason: 'tool_calls' };
}

beforeAll(async () => {
  asked = [];
  model = createServer((request, response) => {
    void text(request).then((body) => {
      const given = JSON.parse(body) as Asked;
      asked.push(given);
      const chunk = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', usage };
      response.setHeader('content-type', 'text/event-stream');
      response.end(
        `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...reply(given) }] })}\n\ndata: [DONE]\n\n`,
      );
    });
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
  admin = await setUpAdmin(weir);
  const weather = `description: Reads the temperature of a city
params:
  - { name: CITY, enum: [Bern, Oslo], required: true }
steps:
  - name: read
    run: test "$CITY" = Bern && echo 21
    output: TEMP
`;
  for (const [name, spec] of [
    ['weather', weather],
    ['theirs', `labels: workspace=bank\n${weather}`],
  ]) {
    await weir.request('POST', '/dags', { token: admin, body: { name, spec } });
  }
}, 60_000);
afterAll(async () => {
  await weir.dispose();
  model.closeAllConnections();
  await new Promise((resolve) => model.close(resolve));
});

async function chat(name: string, prompt: string, settings: string, keys = '{}') {
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  const spec = `labels: workspace=shop
steps:
  - name: ask
    action: chat.completion
    <<: ${keys}
    with: { provider: local, base_url: "${url}", model: m, prompt: ${prompt}, ${settings} }
`;
  const { dagRunId } = await weir.createClient(admin).executeDagRunFromSpec({ body: { spec, name } });
  return endOfRun(weir, admin, name, dagRunId);
}

describe('a chat step with tools', () => {
  it('starts the DAGs that the model calls as child runs, and gives it their results', async () => {
    const { statusLabel, nodes } = await chat('asking', 'Bern Oslo', 'tools: [weather]');

    expect(statusLabel).toBe('succeeded');
    expect(asked[0]?.tools).toMatchObject([
      {
        function: {
          name: 'weather',
          description: 'Reads the temperature of a city',
          parameters: { properties: { CITY: { enum: ['Bern', 'Oslo'] } }, required: ['CITY'] },
        },
      },
    ]);
    const results = asked[1]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(results).toEqual([
      '{"status":"succeeded","outputs":{"TEMP":"21"}}',
      expect.stringContaining('"status":"failed"') as string,
    ]);
    expect(nodes[0]?.subRuns).toHaveLength(2);
  });

  it('does not start a DAG of another workspace', async () => {
    const before = asked.length;
    const { nodes } = await chat('crossing', 'Bern', 'tools: [theirs]');

    expect(nodes[0]).toMatchObject({
      statusLabel: 'failed',
      error: expect.stringContaining('another workspace') as string,
    });
    expect(asked).toHaveLength(before);
  });
});

describe('a chat step with thinking', () => {
  it('has the thoughts in its log of standard error, and only the answer in its outputs', async () => {
    const { dagRunId, nodes } = await chat('thinking', 'Why', 'thinking: { effort: high }');
    const log = `/dag-runs/thinking/${dagRunId}/steps/ask/log?stream=`;
    const logs = await Promise.all(
      ['stdout', 'stderr'].map((stream) => weir.request('GET', `${log}${stream}`, { token: admin })),
    );

    expect(nodes[0]).toMatchObject({ statusLabel: 'succeeded' });
    expect(logs).toMatchObject([{ body: { content: '42' } }, { body: { content: 'high' } }]);
  });
});

describe('a chat step with web_search', () => {
  it('is refused where its provider has no search, before a run is made', async () => {
    await expect(chat('searching', 'Why', 'web_search: {}')).rejects.toMatchObject({ status: 400 });
  });
});

describe('the details of a run', () => {
  it('have the tokens that all attempts have used, also those of a retry, and their cost where the model has a price', async () => {
    const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
    const priced = {
      name: 'M',
      provider: 'local',
      model: 'm',
      baseUrl,
      inputCostPer1M: 2,
      cachedInputCostPer1M: 0.5,
      outputCostPer1M: 5,
    };
    // The answer is no object, so each attempt fails after it was paid for.
    const settings = 'thinking: { effort: low }, response_format: schema';
    const keys = '{ output_schema: { type: object }, retry_policy: { limit: 1, interval_sec: 0 } }';
    const { nodes, ...run } = await chat('paying', 'Why', settings, keys);
    const use = { provider: 'local', model: 'm', inputTokens: 2_000, outputTokens: 400, cachedTokens: 800 };

    expect(nodes[0]).toMatchObject({ statusLabel: 'failed', retryCount: 1, modelUse: [use] });
    expect(run.modelUse).toEqual([use]);
    await weir.request('POST', '/settings/agent/models', { token: admin, body: priced });
    const { body } = await weir.request('GET', `/dag-runs/paying/${run.dagRunId}`, { token: admin });
    expect(body).toMatchObject({ dagRunDetails: { modelUse: [{ ...use, cost: 0.0048 }] } });
    const { stdout } = await runWeir(['status', '--run-id', run.dagRunId, 'paying'], { home: weir.home });
    expect(stdout).toContain('local m: 2000 tokens read (800 cached), 400 written, 0.0048 US dollars');
    const { dagRunId } = run;
    await weir.request('POST', `/dag-runs/paying/${dagRunId}/retry`, { token: admin, body: { dagRunId } });
    const { modelUse } = await endOfRun(weir, admin, 'paying', dagRunId);
    expect(modelUse).toMatchObject([{ inputTokens: 4_000, outputTokens: 800, cachedTokens: 1_600, cost: 0.0096 }]);
  });
});
