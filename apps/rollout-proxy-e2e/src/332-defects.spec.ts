import { waitFor } from '@weir/test-kit';
import { endId, toByteIds, toText } from './support/byte-tokenizer';
import { startEpisode, type Episode } from './support/episode';
import { readJsonRows, sum } from './support/exported-rows';
import { saying, startFakeSetting, type FakeSetting } from './support/fake-setting';
import { adminKey, type Answer } from './support/rollout-proxy';

jest.setTimeout(60_000);

const user = (content: string) => ({ role: 'user', content });
const hello = { messages: [user('hello')], max_tokens: 64 };
const readError = ({ body }: Answer) => body.error as Readonly<Record<string, unknown>>;
const readContent = ({ body }: Answer) =>
  (body.choices as { message: { role: string; content: string } }[])[0]?.message;
const readFinishReason = ({ body }: Answer) => (body.choices as { finish_reason: string }[])[0]?.finish_reason;

describe('defects of similar services', () => {
  let setting: FakeSetting;
  let episode: Episode;
  beforeAll(async () => {
    setting = await startFakeSetting('sglang', {
      engine: { contextLength: 2_000, weightVersion: '7' },
      env: { ROLLOUT_MAX_TURN_TOKENS: '256' },
    });
  });
  afterAll(() => setting.stop());
  beforeEach(async () => {
    setting.engine.setHealth('good');
    setting.answers('fine');
    episode = await startEpisode(setting.proxy);
  });
  const request: FakeSetting['proxy']['request'] = (address, options) => setting.proxy.request(address, options);
  const detail = async () => (await request(`/rl/sessions/${episode.id}`, { method: 'GET' })).body;

  describe('a session that has ended', () => {
    beforeEach(async () => {
      await episode.chat(hello);
      await episode.end();
    });

    it('accepts no model call any more', async () => {
      const late = await episode.chat(hello);
      expect([late.status, readError(late).code]).toEqual([409, 'session_ended']);
      expect(readJsonRows(await episode.exported())).toHaveLength(1);
    });

    it('accepts no reward with its own key any more', async () => {
      const late = await request('/rl/set_reward', { key: episode.key, body: { reward: 5 } });
      expect([late.status, late.body.reason]).toEqual([409, 'session_ended']);
      expect(readJsonRows(await episode.exported())[0]?.reward).toBe(0);
    });

    it('can be exported after an export with a style that does not exist', async () => {
      const bad = await request('/export_trajectories', { body: { session_id: episode.id, style: 'tree' } });
      expect(bad.status).toBe(400);
      expect(readJsonRows(await episode.exported())).toHaveLength(1);
    });

    it('can be exported in both styles, one after the other, with different discounts', async () => {
      const first = readJsonRows(await episode.exported({ style: 'individual', discount: 0.1 }));
      expect(readJsonRows(await episode.exported({ style: 'concat', discount: 0.9 }))).toEqual(first);
    });
  });

  it('loses nothing when the client of an export disconnects', async () => {
    await episode.chat(hello);
    const aborting = new AbortController();
    const body = { session_id: episode.id, wait_seconds: 30 };
    const dropped = request('/export_trajectories', { body, signal: aborting.signal }).catch(() => 'dropped');
    await waitFor(async () => (await detail()).state === 'active', { what: 'the session to be seen' });
    aborting.abort();
    expect(await dropped).toBe('dropped');
    await episode.end();
    expect(readJsonRows(await episode.exported())).toHaveLength(1);
  });

  describe('a call that failed', () => {
    let good: Answer;
    beforeEach(async () => {
      good = await episode.chat(hello);
      setting.answers({ ids: [], faults: { status: 500, message: 'secret 1, 2, 3' } });
      const failed = await episode.chat({ messages: [user('again')] });
      expect(failed.status).toBe(502);
    });

    it('gets no last reward', async () => {
      await episode.reward(1);
      await episode.end();
      expect(readJsonRows(await episode.exported())).toMatchObject([{ id: good.body.id, reward: 1 }]);
    });

    it('is not counted', async () => {
      expect(await episode.end()).toBe(1);
    });
  });

  it('does not leak the reward of a branch to its sibling', async () => {
    const root = await episode.chat(hello);
    const branch = (text: string) => episode.chat({ messages: [...hello.messages, readContent(root), user(text)] });
    const [left, right] = [await branch('left'), await branch('right')];
    await episode.reward(1, String(left.body.id));
    await episode.reward(2, String(right.body.id));
    await episode.end();
    const rewards = readJsonRows(await episode.exported({ discount: 0.5 })).map(({ reward }) => reward);
    expect(rewards).toEqual([1.5, 1, 2]);
  });

  it('answers a call that a stop string ended, and keeps the tokens that were sampled', async () => {
    setting.answers(saying('one STOP two'));
    const answer = await episode.chat({ ...hello, stop: ['STOP'] });
    expect([answer.status, readContent(answer)?.content, readFinishReason(answer)]).toEqual([200, 'one ', 'stop']);
    await episode.end();
    const [row] = readJsonRows(await episode.exported());
    expect(row && toText(row.ids.slice(-sum(row.mask)))).toMatch(/^one STOP/);
  });

  it('answers a call whose only token is the end', async () => {
    setting.answers(saying(''));
    const answer = await episode.chat(hello);
    expect([answer.status, readContent(answer)?.content, readFinishReason(answer)]).toEqual([200, '', 'stop']);
    await episode.end();
    const [row] = readJsonRows(await episode.exported());
    expect(row?.ids.at(-1)).toBe(endId);
    expect(sum(row?.mask ?? [])).toBe(1);
  });

  describe('a request that cannot be executed', () => {
    const tooLong = user('x'.repeat(2_500));
    it.each([
      ['no messages', { messages: [] }],
      ['more than one answer', { ...hello, n: 2 }],
      ['two limits', { ...hello, max_completion_tokens: 5 }],
      ['an unknown role', { messages: [{ role: 'wizard', content: 'x' }] }],
      ['a prompt longer than the context', { messages: [tooLong] }],
      ['an image', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }],
      ['an unknown parameter', { ...hello, frobnicate: true }],
      ['audio', { ...hello, modalities: ['audio'] }],
      [
        'a choice of a tool that is not there',
        { ...hello, tool_choice: { type: 'function', function: { name: 'x' } } },
      ],
    ])('with %s is refused in the form of its protocol', async (_what, body) => {
      const before = setting.calls().length;
      const answer = await episode.chat(body);
      expect(answer.status).toBe(400);
      expect(readError(answer)).toMatchObject({ type: 'invalid_request_error', message: expect.any(String) as string });
      expect(setting.calls()).toHaveLength(before);
      expect(await episode.end()).toBe(0);
    });

    it('is refused in the form of messages there', async () => {
      const answer = await request('/v1/messages', { key: episode.key, body: { model: 'any', messages: [] } });
      expect([answer.status, answer.body.type, readError(answer).type]).toEqual([
        400,
        'error',
        'invalid_request_error',
      ]);
    });

    it('is refused in the form of responses there', async () => {
      const answer = await request('/v1/responses', { key: episode.key, body: { model: 'any', input: [] } });
      expect([answer.status, readError(answer).type]).toEqual([400, 'invalid_request_error']);
    });

    it.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])(
      'with a wrong key is 401 at %s',
      async (path) => {
        const answer = await request(path, { key: 'no-key-of-anybody', body: {} });
        expect([answer.status, readError(answer).type]).toEqual([401, 'authentication_error']);
      },
    );

    it('says which parameters it did not go by', async () => {
      const answer = await episode.chat({ ...hello, user: 'me', service_tier: 'auto' });
      expect(answer.headers.get('x-ignored-parameters')).toBe('user, service_tier');
    });
  });

  it.each([
    ['a refusal', { status: 400, message: 'bad ids [31, 42, 97] at 10.0.0.1' }],
    ['a failure', { status: 500, message: 'crashed on [31, 42, 97] at 10.0.0.1' }],
    ['a lost connection', { resetBeforeAnswer: true }],
    ['an answer that is no JSON', { garbage: true }],
    ['ids that are none', { malformedId: true }],
  ])('shows nothing of the prompt or the engine when it meets %s', async (_what, faults) => {
    setting.answers({ ids: [...toByteIds('x')], faults });
    const answer = await episode.chat({ messages: [user('a secret prompt')] });
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(answer.status).toBeLessThan(600);
    const { port } = new URL(setting.engine.url);
    for (const word of ['31, 42', '10.0.0.1', 'secret', `:${port}`, 'at Object'])
      expect(answer.text).not.toContain(word);
    expect(setting.proxy.process.stderr()).not.toContain('a secret prompt');
    expect(await episode.end()).toBe(0);
  });

  it.each(['NaN', '1e999', '-1e999', '1e300', '"1"', 'null', 'true'])('refuses %s as a reward', async (reward) => {
    await episode.chat(hello);
    const answer = await request('/rl/set_reward', { key: episode.key, body: `{"reward":${reward}}` });
    expect(answer.status).toBe(400);
    expect((await detail()).reward_revision).toBe(0);
  });

  it('takes whole numbers and zero as rewards', async () => {
    await episode.chat(hello);
    for (const reward of [0, 3, -2]) await episode.reward(reward);
    await episode.end();
    expect(readJsonRows(await episode.exported())[0]?.reward).toBe(-2);
  });

  it('starts one session for a start that is repeated with its key, and spends one grant', async () => {
    const start = () =>
      request('/rl/start_session', {
        body: { task_id: 'twice' },
        headers: { 'idempotency-key': `start-${episode.id}` },
      });
    const unused = async () => Number((await request('/grant_capacity')).body.capacity);
    const before = await unused();
    const first = await start();
    expect((await start()).body).toEqual(first.body);
    expect(await unused()).toBe(before);
    await request(`/rl/sessions/${String(first.body.session_id)}`, { method: 'DELETE' });
  });

  describe('addresses and keys', () => {
    const bodies = {
      '/chat/completions': { model: 'm', ...hello },
      '/responses': { model: 'm', input: 'hello' },
      '/messages': { model: 'm', ...hello },
      '/messages/count_tokens': { model: 'm', messages: hello.messages },
    };
    const routes = Object.entries(bodies).flatMap(([path, body]) => [
      [path, body] as const,
      [`/v1${path}`, body] as const,
    ]);

    it.each(routes)('serves %s with x-api-key and with a bearer token', async (path, body) => {
      const viaHeader = await request(path, { key: null, headers: { 'x-api-key': episode.key }, body });
      const viaBearer = await request(path, { key: episode.key, body });
      expect([viaHeader.status, viaBearer.status]).toEqual([200, 200]);
    });

    it('takes x-api-key for rewards, the end and the export', async () => {
      await episode.chat(hello);
      const withKey = (key: string) => ({ key: null, headers: { 'x-api-key': key } });
      const reward = await request('/rl/set_reward', { ...withKey(episode.key), body: { reward: 1 } });
      const end = await request('/rl/end_session', withKey(episode.key));
      const exported = await request('/export_trajectories', {
        ...withKey(adminKey),
        body: { session_id: episode.id },
      });
      expect([reward.status, end.status, exported.status]).toEqual([200, 200, 200]);
    });

    it.each([
      ['POST', '/grant_capacity'],
      ['POST', '/rl/start_session'],
      ['POST', '/export_trajectories'],
      ['POST', '/rl/acknowledge_export'],
      ['POST', '/pause_generation'],
      ['POST', '/continue_generation'],
      ['POST', '/set_version'],
      ['GET', '/get_version'],
      ['GET', '/rl/sessions'],
      ['GET', '/metrics'],
    ])('allows only the trainer to use %s %s', async (method, path) => {
      const statuses = [];
      for (const key of [null, 'x'.repeat(43), episode.key])
        statuses.push((await request(path, { method, key })).status);
      expect(statuses).toEqual([401, 401, 403]);
    });

    it.each(['/configure', '/set_env', '/create_engine', '/call', '/alloc_ports'])('has no %s', async (path) => {
      expect((await request(path, { body: {} })).status).toBe(404);
    });
  });

  describe('responses', () => {
    it('answers without tools', async () => {
      const answer = await episode.openai().responses.create({ model: 'm', input: 'hello' });
      expect(answer.output_text).toBe('fine');
    });

    it('continues a named answer with its exact tokens', async () => {
      const ids = [...toByteIds('half '), 200, endId];
      setting.answers({ ids });
      const { responses } = episode.openai();
      const first = await responses.create({ model: 'm', input: 'hello' });
      await responses.create({ model: 'm', input: 'and on', previous_response_id: first.id });
      const [before, after] = setting.calls();
      const tokens = [...(before?.request.promptIds ?? []), ...ids];
      expect(after?.request.promptIds.slice(0, tokens.length)).toEqual(tokens);
    });

    it('answers with tools in their flat form', async () => {
      setting.answers('<tool_call>\n{"name": "add", "arguments": {"a": 2}}\n</tool_call>');
      const parameters = { type: 'object', properties: { a: { type: 'integer' } } };
      const tool = { type: 'function' as const, name: 'add', parameters, strict: false };
      const answer = await episode.openai().responses.create({ model: 'm', input: 'hello', tools: [tool] });
      expect(answer.output).toMatchObject([{ type: 'function_call', name: 'add', arguments: '{"a": 2}' }]);
    });

    it('streams', async () => {
      const stream = episode.openai().responses.stream({ model: 'm', input: 'hello' });
      const deltas: string[] = [];
      stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
      expect((await stream.finalResponse()).output_text).toBe('fine');
      expect(deltas).toEqual(['f', 'i', 'n', 'e']);
    });
  });

  describe('a stream', () => {
    const streamed = { ...hello, stream: true };
    const open = async (signal?: AbortSignal) => {
      const response = await fetch(`${setting.proxy.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${episode.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', ...streamed }),
        signal: signal ?? AbortSignal.timeout(20_000),
      });
      if (response.body === null) throw new Error('The answer has no body.');
      return { response, reader: response.body.pipeThrough(new TextDecoderStream()).getReader() };
    };

    it('shows the first token while the engine still makes the second', async () => {
      setting.answers(saying('ab', { faults: { holdAfterTokens: 1 } }));
      const { reader } = await open();
      let text = '';
      while (!text.includes('"content":"a"')) text += (await reader.read()).value ?? '';
      expect(text).not.toContain('"content":"b"');
      await waitFor(() => setting.engine.heldCount() === 1, { what: 'the engine to hold its answer' });
      setting.engine.release();
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      expect(text).toContain('[DONE]');
    });

    it('shows that it lives while the engine still reads the prompt', async () => {
      setting.answers(saying('late', { faults: { isHeld: true } }));
      const { response, reader } = await open();
      expect(response.status).toBe(200);
      expect((await reader.read()).value).toMatch(/^data: .*"role":"assistant"|^: keep-alive/);
      await waitFor(() => setting.engine.heldCount() === 1, { what: 'the engine to hold its answer' });
      setting.engine.release();
      let text = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      expect(text).toContain('[DONE]');
    });

    it('aborts the call at the engine when its client disconnects, and records nothing', async () => {
      setting.answers(saying('ab', { faults: { holdAfterTokens: 1 } }));
      const aborting = new AbortController();
      const { reader } = await open(aborting.signal);
      await reader.read();
      aborting.abort();
      await waitFor(() => setting.calls()[0]?.isDisconnected === true, { what: 'the engine to be left' });
      await waitFor(async () => (await detail()).turns_under_way === 0, { what: 'the turn to be over' });
      expect(await episode.end()).toBe(0);
    });

    it('is an error with a status of its own when the engine fails before the first token', async () => {
      setting.answers({ ids: [], faults: { status: 500 } });
      const { response } = await open();
      expect(response.status).toBe(502);
    });

    it('tells of an engine that fails in its middle, and does not end like a whole answer', async () => {
      setting.answers(saying('abcdef', { faults: { resetAfterTokens: 2 } }));
      const { response, reader } = await open();
      let text = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      expect(response.status).toBe(200);
      expect(text).toMatch(/data: \{"error":\{/);
      expect(text).not.toMatch(/"finish_reason":"/);
      expect(await episode.end()).toBe(0);
    });

    it('raises an error in the official SDK then', async () => {
      setting.answers(saying('abcdef', { faults: { resetAfterTokens: 2 } }));
      const stream = episode
        .openai()
        .chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
      await expect(stream.finalChatCompletion()).rejects.toThrow();
    });
  });

  it('aborts the call at the engine when a client without streaming disconnects', async () => {
    setting.answers(saying('ab', { faults: { isHeld: true } }));
    const aborting = new AbortController();
    const body = { model: 'm', ...hello };
    const disconnected = request('/v1/chat/completions', { key: episode.key, body, signal: aborting.signal }).catch(
      () => 'left',
    );
    await waitFor(() => setting.calls().length === 1, { what: 'the engine to be asked' });
    aborting.abort();
    expect(await disconnected).toBe('left');
    await waitFor(() => setting.calls()[0]?.isDisconnected === true, { what: 'the engine to be left' });
  });

  it('does not say that tools are called where the call cannot be read', async () => {
    setting.answers('<tool_call>\n{"name": "add", "arguments": {"a": \n</tool_call>');
    const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];
    const answer = await episode.chat({ ...hello, tools });
    expect([answer.status, readFinishReason(answer)]).toEqual([200, 'stop']);
    expect(readContent(answer)).not.toHaveProperty('tool_calls');
  });

  it.each([true, false])('labels each token with the version that made it, streaming %s', async (stream) => {
    setting.answers(saying('abcdef', { versionChangeAfter: 3 }));
    await episode.chat({ ...hello, stream });
    await episode.end();
    const [row] = readJsonRows(await episode.exported());
    expect(row?.versions.slice(-sum(row.mask))).toEqual([7, 7, 7, 8, 8, 8, 8]);
  });

  it('records each of 300 calls of one prompt', async () => {
    for (let call = 0; call < 300; call += 1) expect((await episode.chat(hello)).status).toBe(200);
    expect(await episode.end()).toBe(300);
  });

  it('gives an episode without calls no row, and says that it had none', async () => {
    expect(await episode.end()).toBe(0);
    const exported = await episode.exported();
    expect(exported).toMatchObject({ interactions: {}, report: { interactions: 0, rows: 0 } });
  });
});

describe('the tokens of an export', () => {
  it.each(['sglang', 'vllm', 'vllm-generate', 'llama-cpp'] as const)('are those that %s sampled', async (dialect) => {
    const setting = await startFakeSetting(dialect, { engine: { weightVersion: '7' } });
    try {
      // 200 alone is no character: no text gives these ids.
      const ids = [...toByteIds('so '), 200, ...toByteIds(' it is'), endId];
      setting.answers({ ids, tokensPerPiece: 3, ...(dialect === 'llama-cpp' ? {} : { versionChangeAfter: 4 }) });
      const episode = await startEpisode(setting.proxy);
      const first = await episode.chat(hello);
      const messages = [...hello.messages, readContent(first), user('go on')];
      await episode
        .openai()
        .chat.completions.stream({ model: 'm', messages: messages as never })
        .done();
      await episode.end();
      const rows = readJsonRows(await episode.exported());
      const calls = setting.calls();
      expect([rows.length, calls.length]).toEqual([2, 2]);
      for (const [index, row] of rows.entries()) {
        const call = calls[index];
        expect(row.ids).toEqual([...(call?.request.promptIds ?? []), ...ids]);
        expect(row.logprobs.slice(-ids.length)).toEqual(call?.logprobs);
        // An engine that names no versions has that of the service.
        const versions = [...(call?.versions ?? [])].map((version) => (dialect === 'llama-cpp' ? 0 : version));
        expect(row.versions.slice(-ids.length)).toEqual(versions);
      }
      expect(rows[1]?.ids.slice(0, rows[0]?.ids.length)).toEqual(rows[0]?.ids);
    } finally {
      await setting.stop();
    }
  });
});

describe('an update of the weights in the middle of a call', () => {
  let setting: FakeSetting;
  let episode: Episode;
  beforeEach(async () => {
    setting = await startFakeSetting('sglang', { engine: { versions: 'none' } });
    episode = await startEpisode(setting.proxy);
    setting.answers(saying('abcdef', { faults: { holdAfterTokens: 2 } }));
  });
  afterEach(() => setting.stop());

  /** A call that has told two tokens, and whose engine waits with the third. */
  const ask = async () => {
    const messages = [{ role: 'user' as const, content: 'x' }];
    const stream = episode.openai().chat.completions.stream({ model: 'm', messages });
    let text = '';
    stream.on('content', (delta) => (text += delta));
    const answer = stream.finalChatCompletion();
    await waitFor(() => text === 'ab', { what: 'two tokens' });
    return { answer };
  };

  it('gives the tokens before and after a pause their own versions', async () => {
    const trainer = setting.proxy.createClient();
    const { answer } = await ask();
    await trainer.pauseGeneration();
    await trainer.setVersion({ body: { version: 5 } });
    setting.answers('gh');
    await trainer.continueGeneration();
    expect((await answer).choices[0]?.message.content).toBe('abgh');
    await episode.end();
    const [row] = readJsonRows(await episode.exported());
    expect(row?.versions.slice(-sum(row.mask))).toEqual([0, 0, 5, 5, 5]);
  });

  it('relabels no token of a call that was not paused: it is not trained on', async () => {
    const { answer } = await ask();
    await setting.proxy.createClient().setVersion({ body: { version: 5 } });
    await waitFor(() => setting.engine.heldCount() === 1, { what: 'the engine to hold its answer' });
    setting.engine.release();
    await answer;
    await episode.end();
    const { interactions, report } = await episode.exported();
    expect(interactions).toEqual({});
    expect(report.quarantined).toMatchObject([{ reason: 'version_changed_within_answer' }]);
  });
});
