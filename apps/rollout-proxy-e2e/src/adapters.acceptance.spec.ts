import type { FakeScript } from '@weir/fake-engine';
import { waitFor } from '@weir/test-kit';
import { endId, toByteIds } from './support/byte-tokenizer';
import { startFakeSetting, type FakeSetting } from './support/fake-setting';
import type { RolloutProxy } from './support/rollout-proxy';
import { startWorkerSetting, type WorkerSetting } from './support/worker-setting';

jest.setTimeout(140_000);

const say = { model: 'm', messages: [{ role: 'user', content: 'who are you?' }] };
const math = { name: 'math', path: '/adapters/math' };
const code = { name: 'code', path: '/adapters/code' };

/** The engine says which weights it samples with, also to a probe, which asks for few tokens. */
const sayWeights: FakeScript = ({ adapter = 'the model', maxNewTokens }) =>
  [...toByteIds(adapter), endId].slice(0, maxNewTokens);

interface Started {
  readonly id: string;
  readonly key: string;
}

async function start(proxy: RolloutProxy, adapter?: object): Promise<Started> {
  await proxy.request('/grant_capacity');
  const { status, body } = await proxy.request('/rl/start_session', { body: adapter === undefined ? {} : { adapter } });
  expect({ status, body }).toMatchObject({ status: 200 });
  return { id: String(body.session_id), key: String(body.session_api_key) };
}

/** What the model says. */
async function ask(proxy: RolloutProxy, { key }: Started, more: object = {}): Promise<string | undefined> {
  const request = { key, body: { ...say, ...more }, headers: { connection: 'close' } };
  const { body } = await proxy.request('/v1/chat/completions', request);
  return (body.choices as { readonly message: { readonly content: string } }[] | undefined)?.[0]?.message.content;
}

/** The versions of each call of a session, and the adapter that its export names. */
async function versions(proxy: RolloutProxy, { id }: Started) {
  await proxy.request('/rl/end_session', { body: { session_id: id } });
  const { body } = await proxy.request('/export_trajectories', { body: { session_id: id, include_provenance: true } });
  const calls = Object.values(
    body.interactions as Record<string, { readonly model_response: { readonly versions: readonly number[][] } }>,
  );
  return { adapter: body.adapter, versions: calls.map((call) => call.model_response.versions.map(([one]) => one)) };
}

const update = (proxy: RolloutProxy, version: number) =>
  proxy.request('/update_weights', { body: { adapter: 'math', file: `/adapters/math-${version}`, version } });

async function loadAsSomebodyElse(
  { engine }: FakeSetting,
  dialect: 'sglang' | 'vllm' | 'vllm-generate',
): Promise<void> {
  const loaded = await fetch(`${engine.url}${dialect === 'sglang' ? '' : '/v1'}/load_lora_adapter`, {
    method: 'POST',
    body: JSON.stringify({ lora_name: 'of-somebody-else', lora_path: '/adapters/other' }),
  });
  expect(loaded.status).toBe(200);
}

describe.each(['sglang', 'vllm', 'vllm-generate'] as const)('runs that share an engine of %s', (dialect) => {
  let setting: FakeSetting;
  let proxy: RolloutProxy;
  beforeAll(async () => {
    setting = await startFakeSetting(dialect, { env: { ROLLOUT_ADAPTER_IDLE_SECONDS: '1' } });
    ({ proxy } = setting);
    setting.engine.setScript(sayWeights);
  });
  afterAll(async () => {
    await proxy.dispose();
    await setting.stop();
  });

  it('sample each with its own adapter and version, through an update, a lost engine and a kill', async () => {
    const [one, two, plain] = [await start(proxy, math), await start(proxy, code), await start(proxy)];
    const all = async () => Promise.all([one, two, plain].map((session) => ask(proxy, session)));
    expect(await all()).toEqual(['/adapters/math', '/adapters/code', 'the model']);

    expect((await update(proxy, 4)).body).toEqual({ version: 4 });
    expect(await all()).toEqual(['/adapters/math-4', '/adapters/code', 'the model']);

    setting.engine.forgetAdapters();
    expect(await all()).toEqual(['/adapters/math-4', '/adapters/code', 'the model']);

    proxy = await proxy.restart();
    expect(await all()).toEqual(['/adapters/math-4', '/adapters/code', 'the model']);

    const trained = await Promise.all([one, two, plain].map((session) => versions(proxy, session)));
    expect(trained).toEqual([
      { adapter: 'math', versions: [[0], [4], [4], [4]] },
      { adapter: 'code', versions: [[0], [0], [0], [0]] },
      { adapter: undefined, versions: [[0], [0], [0], [0]] },
    ]);
  });

  it('cannot be given another adapter by the body of a call', async () => {
    const plain = await start(proxy);
    expect(await ask(proxy, plain, { model: 'code' })).toBe('the model');
    for (const more of [{ lora_path: 'code' }, { adapter: code }, { lora: [{ id: 0, scale: 1 }] }]) {
      const answer = await proxy.request('/v1/chat/completions', { key: plain.key, body: { ...say, ...more } });
      expect(answer.status).toBe(400);
    }
  });

  it('leave nothing at the engine that only a killed proxy had loaded, and nothing of others goes', async () => {
    const session = await start(proxy, { name: 'left', path: '/adapters/left' });
    await loadAsSomebodyElse(setting, dialect);
    proxy = await proxy.restart();
    const names = () => setting.engine.adapters();
    expect(names()).toContainEqual(expect.stringMatching(/^left-v0-/));

    await proxy.request('/rl/end_session', { body: { session_id: session.id } });

    await waitFor(() => !names().some((name) => name.startsWith('left')), { what: 'what was left to be unloaded' });
    expect(names()).toContain('of-somebody-else');
  });

  it('are released by the trainer once no session has them', async () => {
    const admin = proxy.createClient();
    const session = await start(proxy, { name: 'done', path: '/adapters/done' });
    const release = () => proxy.request('/adapters/done', { method: 'DELETE' });
    expect((await release()).body.reason).toBe('adapter_in_use');
    await proxy.request('/rl/end_session', { body: { session_id: session.id } });

    expect((await release()).status).toBe(204);

    expect((await admin.listAdapters()).adapters.map(({ name }) => name)).not.toContain('done');
    expect(setting.engine.adapters().filter((name) => name.startsWith('done'))).toEqual([]);
  });

  it('leave no earlier version of an adapter at the engine', async () => {
    await start(proxy, { name: 'math' });
    await update(proxy, 9);
    await waitFor(() => setting.engine.adapters().filter((name) => name.startsWith('math')).length === 1, {
      what: 'the earlier version to be unloaded',
    });
    expect(setting.engine.adapters().find((name) => name.startsWith('math'))).toMatch(/^math-v9-/);
  });
});

it('the server of llama.cpp samples with the adapters of its start', async () => {
  const path = '/start/math.gguf';
  const setting = await startFakeSetting('llama-cpp', { engine: { adapters: [{ name: '0', path }] } });
  try {
    const { proxy, engine } = setting;
    engine.setScript(sayWeights);
    const [own, plain] = [await start(proxy, { name: 'math' }), await start(proxy)];
    expect([await ask(proxy, own), await ask(proxy, plain)]).toEqual([path, 'the model']);
    expect((await update(proxy, 1)).body.reason).toBe('weights_not_loadable');
    await proxy.request('/grant_capacity');
    const refused = await proxy.request('/rl/start_session', { body: { adapter: { name: 'other' } } });
    expect(refused).toMatchObject({ status: 502, body: { reason: 'adapter_unknown' } });
  } finally {
    await setting.stop();
  }
});

describe('several workers that share an engine', () => {
  let setting: WorkerSetting;
  beforeAll(async () => {
    setting = await startWorkerSetting({ ROLLOUT_ADAPTER_IDLE_SECONDS: '1' });
    setting.engine.setScript(sayWeights);
  });
  afterAll(() => setting.stop());

  it('sample with one version, and unload an adapter once none of them needs it', async () => {
    const { proxy, engine } = setting;
    const sessions = await Promise.all(Array.from({ length: 6 }, () => start(proxy, math)));
    const all = () => Promise.all(sessions.map((session) => ask(proxy, session)));
    expect(new Set(await all())).toEqual(new Set(['/adapters/math']));
    expect((await update(proxy, 2)).body).toEqual({ version: 2 });
    expect(new Set(await all())).toEqual(new Set(['/adapters/math-2']));
    const listed = await proxy.request('/adapters', { method: 'GET' });
    expect(listed.body).toMatchObject({ adapters: [{ name: 'math', version: 2, sessions: 6, loaded: true }] });
    expect(engine.adapters()).toEqual(expect.arrayContaining([expect.stringMatching(/^math-v2-/)]));

    for (const session of sessions) await versions(proxy, session);
    await waitFor(() => engine.adapters().length === 0, { deadlineMs: 60_000, what: 'the adapters to be unloaded' });
  });

  it('load no more adapters together than one may, and release one together', async () => {
    const limited = await setting.start({ ROLLOUT_MAX_ADAPTERS: '2', ROLLOUT_ADAPTER_IDLE_SECONDS: '600' });
    const names = () => setting.engine.adapters();
    const begin = (name: string) =>
      limited.request('/rl/start_session', {
        body: { adapter: { name, path: `/adapters/${name}` } },
        headers: { connection: 'close' },
      });
    await Promise.all(Array.from({ length: 12 }, () => limited.request('/grant_capacity')));

    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(begin));

    expect(names().length).toBeLessThanOrEqual(2);
    const started = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    expect(started.length).toBeGreaterThan(0);
    for (const { status, body } of answers) if (status !== 200) expect(body.reason).toBe('adapters_exhausted');
    const client = limited.createClient();
    const name = (await client.listAdapters()).adapters[0]?.name ?? '';
    const release = () => limited.request(`/adapters/${name}`, { method: 'DELETE', headers: { connection: 'close' } });
    expect((await release()).body.reason).toBe('adapter_in_use');
    for (const { session_id: id } of started) await client.deleteSession({ params: { sessionId: String(id) } });

    expect((await release()).status).toBe(204);

    expect(names().filter((one) => one.startsWith(`${name}-`))).toEqual([]);
    for (let index = 0; index < 4; index += 1) {
      expect((await client.listAdapters()).adapters.map((one) => one.name)).not.toContain(name);
    }
  });
});
