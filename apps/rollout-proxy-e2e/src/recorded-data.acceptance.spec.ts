import { expertId, promptLogprob, startFakeEngine, type FakeEngine } from '@weir/fake-engine';
import { load } from '@weir/rollout-sdk';
import { spawnProcess } from '@weir/test-kit';
import { encode, vocabularySize } from './support/byte-tokenizer';
import { startFakeSetting, saying, type FakeSetting } from './support/fake-setting';
import { adminKey, program, type Answer, type RolloutProxy } from './support/rollout-proxy';

const say = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };

async function startSession(proxy: RolloutProxy, record?: object) {
  await proxy.request('/grant_capacity');
  const { body } = await proxy.request('/rl/start_session', { body: record === undefined ? {} : { record } });
  return { id: String(body.session_id), key: String(body.session_api_key) };
}

async function exportSession(proxy: RolloutProxy, id: string, more: object): Promise<Answer> {
  await proxy.request('/rl/end_session', { body: { session_id: id } });
  return proxy.request('/export_trajectories', { body: { session_id: id, ...more } });
}

async function exportFile(proxy: RolloutProxy, id: string, more: object): Promise<Uint8Array> {
  const response = await fetch(`${proxy.url}/export_trajectories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id: id, format: 'safetensors', ...more }),
  });
  return new Uint8Array(await response.arrayBuffer());
}

describe('the likeliest tokens of a session that records them', () => {
  let setting: FakeSetting;
  let proxy: RolloutProxy;
  beforeAll(async () => {
    setting = await startFakeSetting('sglang', { env: { ROLLOUT_RECORD_TOP_LOGPROBS: '1' } });
    ({ proxy } = setting);
    setting.answers(saying('ok'));
  });
  afterAll(async () => {
    await proxy.dispose();
    await setting.stop();
  });

  it('survive a kill, and are in every form of the export, as the engine reported them', async () => {
    const { id, key } = await startSession(proxy, { top_logprobs: 2 });
    const called = await proxy.request('/v1/chat/completions', { key, body: say });
    expect(called.status).toBe(200);
    const [call] = setting.calls().slice(-1);
    proxy = await proxy.restart();
    const json = await exportSession(proxy, id, { include_tensors: ['top_logprobs'] });
    const file = await exportFile(proxy, id, { include_tensors: ['top_logprobs'] });
    const { batch } = load(file);
    expect(load(json.body as unknown as Parameters<typeof load>[0])).toEqual(load(file));
    const prompt = call?.request.promptIds.length ?? 0;
    const sampled = [...(call?.ids ?? [])];
    expect(batch?.top_ids?.shape).toEqual([1, prompt + sampled.length, 2]);
    expect([...(batch?.top_ids?.data ?? [])]).toEqual([
      ...Array<number>(prompt * 2).fill(-1),
      ...sampled.flatMap((token) => [token, token + 1]),
    ]);
    const logprobs = [...(call?.logprobs ?? [])].flatMap((value) => [value, Math.fround(value - 1)]);
    expect([...(batch?.top_logprobs?.data ?? [])].slice(prompt * 2)).toEqual(logprobs);
  });

  it('are as many as the service, the session or the call says, and in no export that does not ask', async () => {
    const byService = await startSession(proxy);
    await proxy.request('/v1/chat/completions', { key: byService.key, body: say });
    const headers = { 'x-record': 'top_logprobs=3' };
    const byCall = await startSession(proxy, { top_logprobs: 2 });
    await proxy.request('/v1/messages', { key: byCall.key, body: { ...say, max_tokens: 9 }, headers });
    const entries = async ({ id }: { id: string }) => {
      const { batch } = load(await exportFile(proxy, id, { include_tensors: ['top_logprobs'] }));
      return batch?.top_ids?.shape[2];
    };
    await proxy.request('/rl/end_session', { body: { session_id: byService.id } });
    await proxy.request('/rl/end_session', { body: { session_id: byCall.id } });
    expect([await entries(byService), await entries(byCall)]).toEqual([1, 3]);
    expect(load(await exportFile(proxy, byCall.id, {})).batch).not.toHaveProperty('top_ids');
  });

  it('stand beside the log-probabilities of the prompt, where a call asks for both', async () => {
    const session = await startSession(proxy);
    const headers = { 'x-record': 'top_logprobs=1, prompt_logprobs=true' };
    await proxy.request('/v1/chat/completions', { key: session.key, body: { ...say, stream: true }, headers });
    await proxy.request('/rl/end_session', { body: { session_id: session.id } });
    const { batch } = load(
      await exportFile(proxy, session.id, { include_tensors: ['top_logprobs', 'prompt_logprobs'] }),
    );
    const ids = [...(batch?.input_ids.data ?? [])];
    const isContext = (at: number) => at > 0 && batch?.loss_mask.data[at] === 0;
    const expected = Float32Array.from(ids, (id, at) => (isContext(at) ? promptLogprob(id, at) : 0));
    expect(batch?.prompt_logprobs?.data).toEqual(expected);
    expect(batch?.top_ids?.shape).toEqual([1, ids.length, 1]);
  });

  it('are refused where they were not recorded, and more of them than allowed', async () => {
    const { id, key } = await startSession(proxy, { top_logprobs: 0 });
    await proxy.request('/v1/chat/completions', { key, body: say });
    expect(await exportSession(proxy, id, { include_tensors: ['top_logprobs'] })).toMatchObject({
      status: 409,
      body: { reason: 'tensor_not_recorded' },
    });
    expect((await exportSession(proxy, id, {})).status).toBe(200);
    await proxy.request('/grant_capacity');
    const tooMany = await proxy.request('/rl/start_session', { body: { record: { top_logprobs: 129 } } });
    expect([tooMany.status, tooMany.body.reason]).toEqual([400, 'request_invalid']);
    const session = await startSession(proxy);
    const headers = { 'x-record': 'top_logprobs=many' };
    const unknown = await proxy.request('/v1/chat/completions', { key: session.key, body: say, headers });
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain('X-Record');
  });
});

describe.each(['sglang', 'vllm', 'vllm-generate'] as const)('the scores of a teacher behind %s', (kind) => {
  let setting: FakeSetting;
  let teacher: FakeEngine;
  let proxy: RolloutProxy;
  beforeAll(async () => {
    teacher = await startFakeEngine({ dialect: kind, encode, vocabularySize, model: 'large' });
    setting = await startFakeSetting('vllm', { env: { ROLLOUT_SCORERS: `teacher=${kind}@${teacher.url}` } });
    ({ proxy } = setting);
    setting.answers(saying('ok'));
  });
  afterAll(async () => {
    await proxy.dispose();
    await setting.stop();
    await teacher.stop();
  });

  it('are those of the sampled ids, survive a kill, and are in the export', async () => {
    const { id, key } = await startSession(proxy);
    await proxy.request('/v1/chat/completions', { key, body: say });
    await proxy.request('/rl/end_session', { body: { session_id: id } });
    const body = { session_id: id, scorer: 'teacher', top_logprobs: 2 };
    const scored = await proxy.request('/rl/score_session', { body });
    expect(scored).toMatchObject({
      status: 200,
      body: { model: 'large', scored_interactions: 1, total_interactions: 1 },
    });
    proxy = await proxy.restart();
    const again = await proxy.request('/rl/score_session', { body });
    expect(again.body).toMatchObject({ scored_interactions: 0, total_interactions: 1 });
    const { batch } = load(await exportFile(proxy, id, { include_tensors: ['ref_logprobs', 'ref_top_logprobs'] }));
    const ids = [...(batch?.input_ids.data ?? [])];
    const expected = ids.map((token, at) => (batch?.loss_mask.data[at] === 1 ? promptLogprob(token, at) : 0));
    expect([...(batch?.ref_logprobs?.data ?? [])]).toEqual([...Float32Array.from(expected)]);
    expect([...(batch?.ref_top_ids?.data ?? [])].slice(-4)).toEqual(
      ids.slice(-2).flatMap((token) => [token + 1, token]),
    );
  });
});

describe.each(['sglang', 'vllm'] as const)('the experts that %s chose', (dialect) => {
  it('survive a kill, and are in the export for every token of a conversation', async () => {
    const experts = { layers: 3, perToken: 2 };
    const env = { ROLLOUT_EXPERTS: '3x2', ROLLOUT_RECORD_ROUTED_EXPERTS: 'on' };
    const setting = await startFakeSetting(dialect, { engine: { experts }, env });
    setting.answers(saying('ok'));
    const { id, key } = await startSession(setting.proxy);
    const first = await setting.proxy.request('/v1/chat/completions', { key, body: say });
    const [choice] = first.body.choices as { message: object }[];
    const messages = [...say.messages, choice?.message, { role: 'user', content: 'on' }];
    await setting.proxy.request('/v1/chat/completions', { key, body: { ...say, messages, stream: true } });
    const proxy = await setting.proxy.restart();
    await proxy.request('/rl/end_session', { body: { session_id: id } });
    const request = { include_tensors: ['routed_experts'], style: 'concat' };
    const { batch } = load(await exportFile(proxy, id, request));
    const length = batch?.input_ids.data.length ?? 0;
    const expected = Array.from({ length: length * 6 }, (_value, at) => {
      const position = Math.floor(at / 6);
      return position === length - 1 ? -1 : expertId(position, Math.floor((at % 6) / 2), at % 2);
    });
    expect(batch?.routed_experts).toMatchObject({ shape: [1, length, 3, 2], data: Int16Array.from(expected) });
    const json = await proxy.request('/export_trajectories', { body: { session_id: id, ...request } });
    expect(load(json.body as unknown as Parameters<typeof load>[0]).batch).toEqual(batch);
    await proxy.dispose();
    await setting.stop();
  });
});

describe('the tokens that cut-offs left', () => {
  it('are in the export of a session that records them, after a kill', async () => {
    const setting = await startFakeSetting('vllm-generate', { engine: { hasSamplingMask: true } });
    setting.answers(saying('ok'));
    const { id, key } = await startSession(setting.proxy, { sampling_mask: true });
    await setting.proxy.request('/v1/chat/completions', { key, body: { ...say, top_k: 8, stream: true } });
    const sampled = [...(setting.calls().at(-1)?.ids ?? [])];
    const proxy = await setting.proxy.restart();
    await proxy.request('/rl/end_session', { body: { session_id: id } });
    const { batch } = load(await exportFile(proxy, id, { include_tensors: ['sampling_mask'] }));
    expect(batch?.sampling_mask?.shape).toEqual([1, batch?.input_ids.data.length, 2]);
    expect([...(batch?.sampling_mask?.data ?? [])].slice(-2 * sampled.length)).toEqual(
      sampled.flatMap((token) => [token, token + 1]),
    );
    await proxy.dispose();
    await setting.stop();
  });
});

describe('what no engine of a kind can give', () => {
  it.each([
    ['ROLLOUT_SCORERS', { ROLLOUT_SCORERS: 'teacher=llama-cpp@http://127.0.0.1:1' }],
    ['ROLLOUT_EXPERTS', { ROLLOUT_EXPERTS: '3x2' }],
    ['ROLLOUT_RECORD_SAMPLING_MASK', { ROLLOUT_RECORD_SAMPLING_MASK: 'on' }],
    ['ROLLOUT_RECORD_ROUTED_EXPERTS', { ROLLOUT_RECORD_ROUTED_EXPERTS: 'on' }],
  ])('is a mistake of %s', async (variable, env) => {
    const process = await spawnProcess({
      command: globalThis.process.execPath,
      args: [program],
      env,
      deadlineMs: 60_000,
    });
    expect((await process.exited).code).not.toBe(0);
    expect(process.stderr()).toContain(variable);
  });
});
