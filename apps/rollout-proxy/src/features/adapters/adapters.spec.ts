import { startFakeEngine, type FakeEngine } from '@weir/fake-engine';
import { createEngineGroup, createHttpEngine } from '@weir/rollout-engine';
import { temporaryFolder } from '@weir/test-kit';
import { startTestProxy, type TestProxy } from '../testing/test-proxy';
import { say } from '../testing/use-test-proxy';

describe('sessions with an adapter', () => {
  let engine: FakeEngine;
  let group: ReturnType<typeof createEngineGroup>;
  let proxy: TestProxy;
  let folder: ReturnType<typeof temporaryFolder>;
  const open = async (): Promise<void> => {
    proxy = await startTestProxy({
      dataFolder: folder.path,
      env: { ROLLOUT_MAX_ADAPTERS: '2' },
      serving: () => ({ adapters: group.adapters }),
    });
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    engine = await startFakeEngine({ dialect: 'sglang' });
    group = createEngineGroup({
      replicas: [{ key: 'one', engine: createHttpEngine({ dialect: 'sglang', url: engine.url }) }],
    });
    await open();
  });
  afterEach(async () => {
    await proxy.stop();
    await group.stop();
    await engine.stop();
    await folder.remove();
  });
  const start = async (adapter: unknown) => {
    await proxy.call('/grant_capacity');
    return proxy.call('/rl/start_session', { body: { task_id: 'task', adapter } });
  };
  const update = (body: object) => proxy.call('/update_weights', { body });
  const list = async () => (await proxy.call('/adapters', { method: 'GET' })).body;
  const math = { name: 'math', path: '/adapters/math' };

  it('have it loaded, and name it', async () => {
    const { body } = await start(math);
    expect(engine.adapterCalls).toMatchObject([{ body: { lora_path: '/adapters/math' } }]);
    const session = await proxy.call(`/rl/sessions/${String(body.session_id)}`, { method: 'GET' });
    expect(session.body).toMatchObject({ adapter: 'math' });
    expect(await list()).toMatchObject({
      adapters: [{ name: 'math', version: 0, path: '/adapters/math', pinned: false, sessions: 1, loaded: true }],
      in_use: engine.adapters(),
    });
  });

  it('share one load, also those that name it without its path', async () => {
    await Promise.all([start(math), start(math)]);
    await start({ name: 'math' });
    expect(engine.adapterCalls).toHaveLength(1);
    expect(await list()).toMatchObject({ adapters: [{ sessions: 3 }] });
  });

  it('have none unless they were started with one', async () => {
    const { id } = await proxy.start();
    expect((await proxy.call(`/rl/sessions/${id}`, { method: 'GET' })).body).toMatchObject({ adapter: null });
    expect(engine.adapterCalls).toEqual([]);
  });

  it.each([
    ['a name with a slash', { name: 'a/b' }],
    ['a name that begins with a dot', { name: '.hidden' }],
    ['a long name', { name: 'a'.repeat(101) }],
    ['an empty path', { name: 'a', path: '' }],
    ['a path that goes up', { name: 'a', path: '/adapters/../etc' }],
    ['a path with control characters', { name: 'a', path: '/adapters/\n' }],
    ['a long path', { name: 'a', path: `/${'a'.repeat(4_096)}` }],
    ['an unknown field', { name: 'a', scale: 2 }],
    ['a pin without a path', { name: 'a', pinned: true }],
  ])('are not started with %s', async (_what, adapter) => {
    expect(await start(adapter)).toMatchObject({ status: 400, body: { reason: 'request_invalid' } });
    expect(engine.adapterCalls).toEqual([]);
  });

  it('are not started when the engine refuses it, and use no grant', async () => {
    engine.refuseNextAdapter();
    expect(await start(math)).toMatchObject({ status: 502, body: { reason: 'adapter_refused' } });
    expect((await list()).adapters).toEqual([]);
    expect((await proxy.call('/rl/start_session', { body: { adapter: math } })).status).toBe(200);
  });

  it('are not started with another path or pin of a known name', async () => {
    await start({ ...math, pinned: true });
    expect(engine.adapterCalls[0]?.body).toMatchObject({ pinned: true });
    expect((await start({ name: 'math', path: '/other' })).body.reason).toBe('adapter_differs');
    expect((await start({ ...math, pinned: false })).body.reason).toBe('adapter_differs');
    expect((await start(math)).status).toBe(200);
  });

  it('are not started with more adapters than may be loaded, until a session ends', async () => {
    const first = await start(math);
    await start({ name: 'code', path: '/adapters/code' });
    const third = { name: 'third', path: '/adapters/third' };
    expect(await start(third)).toMatchObject({ status: 429, body: { reason: 'adapters_exhausted' } });
    await proxy.call('/rl/end_session', { body: { session_id: first.body.session_id } });
    expect((await start(third)).status).toBe(200);
    expect(engine.adapters().map((name) => name.split('-')[0])).toEqual(['code', 'third']);
  });

  it('cannot be started by an agent', async () => {
    const { key } = await proxy.start();
    const answer = await proxy.call('/rl/start_session', { key, body: { adapter: math } });
    expect([answer.status, engine.adapterCalls]).toEqual([403, []]);
  });

  it('have it after a restart, in its latest version', async () => {
    const { body } = await start(math);
    await update({ adapter: 'math', file: '/adapters/math-2', version: 2 });
    await proxy.stop();
    await open();
    const session = await proxy.call(`/rl/sessions/${String(body.session_id)}`, { method: 'GET' });
    expect(session.body).toMatchObject({ adapter: 'math', state: 'active' });
    expect(await list()).toMatchObject({ adapters: [{ name: 'math', version: 2, path: '/adapters/math-2' }] });
  });

  it('name it in their export', async () => {
    const { body } = await start(math);
    await proxy.call('/v1/chat/completions', { key: String(body.session_api_key), body: say('hello') });
    await proxy.call('/rl/end_session', { body: { session_id: body.session_id } });
    const exported = await proxy.call('/export_trajectories', { body: { session_id: body.session_id } });
    expect(exported.body).toMatchObject({ adapter: 'math' });
  });

  describe('whose weights are updated', () => {
    it('take the version of that adapter; the others keep theirs', async () => {
      await start(math);
      await start({ name: 'code', path: '/adapters/code' });
      const body = { adapter: 'math', file: '/adapters/math-7', version: 7 };
      expect(await update(body)).toMatchObject({ status: 200, body: { version: 7 } });
      expect(await list()).toMatchObject({
        adapters: [
          { name: 'code', version: 0 },
          { version: 7, loaded: true },
        ],
      });
      expect((await proxy.call('/get_version', { method: 'GET' })).body).toEqual({ version: 0 });
      const { text } = (await proxy.call('/metrics', { method: 'GET' })).body;
      expect(text).toContain('weir_rollout_adapter_version{adapter="math"} 7');
    });

    it('are as before when the engine refuses them', async () => {
      await start(math);
      engine.refuseNextAdapter();
      const answer = await update({ adapter: 'math', file: '/adapters/bad', version: 7 });
      expect(answer).toMatchObject({ status: 502, body: { reason: 'adapter_refused' } });
      expect(await list()).toMatchObject({ adapters: [{ version: 0, path: '/adapters/math', loaded: true }] });
    });

    it('load nothing when an update is repeated, and refuse a version that is not above', async () => {
      const body = { adapter: 'math', file: '/adapters/math-7', version: 7 };
      await update(body);
      expect((await update(body)).status).toBe(200);
      expect(engine.adapterCalls).toHaveLength(1);
      expect((await update({ ...body, file: '/other' })).body.reason).toBe('version_not_monotone');
      expect((await update({ ...body, version: 6 })).body.reason).toBe('version_not_monotone');
    });

    it.each([
      ['without a file', { adapter: 'math', version: 1 }],
      ['with a path that goes up', { adapter: 'math', file: '/a/../b', version: 1 }],
    ])('are refused %s', async (_what, body) => {
      expect(await update(body)).toMatchObject({ status: 400, body: { reason: 'request_invalid' } });
    });
  });

  describe('that is released', () => {
    const release = (name = 'math') => proxy.call(`/adapters/${name}`, { method: 'DELETE' });

    it('is unloaded in all versions and forgotten, so that the next session names it anew', async () => {
      const { body } = await start(math);
      await update({ adapter: 'math', file: '/adapters/math-7', version: 7 });
      await proxy.call('/rl/end_session', { body: { session_id: body.session_id } });
      expect((await release()).status).toBe(204);
      expect([engine.adapters(), await list()]).toEqual([[], { adapters: [], in_use: [], loaded: [] }]);
      expect((await start({ name: 'math', path: '/other' })).status).toBe(200);
      expect(await list()).toMatchObject({ adapters: [{ version: 0, path: '/other' }] });
    });

    it('stays while a session has it', async () => {
      await start(math);
      expect(await release()).toMatchObject({ status: 409, body: { reason: 'adapter_in_use' } });
      expect(await list()).toMatchObject({ adapters: [{ name: 'math', sessions: 1, loaded: true }] });
    });

    it('is not there a second time', async () => {
      const { body } = await start(math);
      await proxy.call('/rl/end_session', { body: { session_id: body.session_id } });
      await release();
      expect(await release()).toMatchObject({ status: 404, body: { reason: 'adapter_unknown' } });
    });

    it.each([
      ['a session', async () => (await proxy.start()).key],
      ['nobody', () => Promise.resolve(null)],
    ])('is not released by %s', async (_who, keyOf) => {
      const answer = await proxy.call('/adapters/math', { method: 'DELETE', key: await keyOf() });
      expect([401, 403]).toContain(answer.status);
    });
  });

  it('are told of other versions only by another replica', async () => {
    const body = { name: 'math', path: '/a', pinned: false, version: 9, end: null };
    expect((await proxy.call('/replicas/adapter', { body })).body.reason).toBe('replica_mark_invalid');
    const unload = { name: 'math', engine_name: null };
    expect((await proxy.call('/replicas/adapter_unload', { body: unload })).body.reason).toBe('replica_mark_invalid');
  });
});

describe('an engine without adapters', () => {
  let proxy: TestProxy;
  beforeAll(async () => {
    proxy = await startTestProxy();
  });
  afterAll(() => proxy.stop());

  it('refuses sessions and updates with one', async () => {
    await proxy.call('/grant_capacity');
    const started = await proxy.call('/rl/start_session', { body: { adapter: { name: 'math', path: '/a' } } });
    const updated = await proxy.call('/update_weights', { body: { adapter: 'math', file: '/a', version: 1 } });
    for (const answer of [started, updated]) {
      expect(answer).toMatchObject({ status: 501, body: { reason: 'adapters_not_supported' } });
    }
  });
});
