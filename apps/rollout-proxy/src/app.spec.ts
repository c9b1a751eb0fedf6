import { readdirSync } from 'node:fs';
import { createManualClock, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';
import { readTrainingBatch } from '@weir/rollout-core';
import { startTestProxy, type Answer, type TestProxy } from './features/testing/test-proxy';

const say = (content: string) => ({ model: 'echo', messages: [{ role: 'user', content }] });

interface Exported {
  readonly interactions: Readonly<
    Record<
      string,
      {
        readonly reward: number;
        readonly original_reward: number | null;
        readonly parent_id: string | null;
        readonly tensor_dict: Readonly<
          Record<string, { readonly type: string; readonly dtype: string; readonly shape: number[] }>
        >;
      }
    >
  >;
}
const exported = (answer: Answer) => (answer.body as unknown as Exported).interactions;

describe('the rollout proxy', () => {
  let proxy: TestProxy;
  beforeEach(async () => {
    proxy = await startTestProxy();
  });
  afterEach(() => proxy.stop());

  const chat = (key: string, content = 'hello', path = '/v1/chat/completions') =>
    proxy.call(path, { key, body: say(content) });
  const follow = async (key: string, first: Answer, content: string) => {
    const [choice] = first.body.choices as { message: { role: string; content: string } }[];
    const messages = [{ role: 'user', content: 'hello' }, choice?.message, { role: 'user', content }];
    return proxy.call('/chat/completions', { key, body: { model: 'echo', messages } });
  };
  const exportSession = (id: string, more: object = {}) =>
    proxy.call('/export_trajectories', { body: { session_id: id, wait_seconds: 0, ...more } });

  it('plays an episode from grant to acknowledged export', async () => {
    expect((await proxy.call('/grant_capacity')).body).toEqual({ capacity: 1 });
    const started = await proxy.call('/rl/start_session', { body: { task_id: 'maths' } });
    const { session_id: id, session_api_key: key, api_key: same } = started.body;
    expect(id).toBe('maths-0');
    expect(key).toBe(same);
    expect(String(key)).toHaveLength(43);
    const first = await chat(String(key));
    await follow(String(key), first, 'go on');
    const rewarded = await proxy.call('/rl/set_reward', { key: String(key), body: { reward: 1 } });
    expect(rewarded.body).toMatchObject({ message: 'success', reward: 1, revision: 1 });
    const ended = await proxy.call('/rl/end_session', { key: String(key) });
    expect(ended.body).toEqual({ message: 'success', interaction_count: 2 });
    const answer = await exportSession(String(id), { discount: 0.5 });
    expect(answer.status).toBe(200);
    const [root, leaf] = Object.values(exported(answer));
    expect(root).toMatchObject({ reward: 0.5, original_reward: null, parent_id: null });
    expect(leaf).toMatchObject({ reward: 1, original_reward: 1, parent_id: first.body.id });
    expect(leaf?.tensor_dict.input_ids).toMatchObject({ type: 'tensor', dtype: 'torch.int32', shape: [1, 10] });
    const acknowledged = await proxy.call('/rl/acknowledge_export', { body: { session_id: id } });
    expect(acknowledged.status).toBe(200);
    expect((await exportSession(String(id))).status).toBe(404);
  });

  it.each(['/chat/completions', '/v1/chat/completions'])('takes model calls at %s', async (path) => {
    const { key } = await proxy.start();
    expect((await chat(key, 'hello', path)).status).toBe(200);
  });

  describe('keys', () => {
    it('are taken from x-api-key on every kind of route, and from a Bearer of any case', async () => {
      const viaHeader = (key: string) => ({ key: null, headers: { 'x-api-key': key } });
      const { key } = await proxy.start();
      expect((await proxy.call('/grant_capacity', viaHeader('an-admin-key-for-specs'))).status).toBe(200);
      expect((await proxy.call('/chat/completions', { ...viaHeader(key), body: say('x') })).status).toBe(200);
      expect((await proxy.call('/rl/end_session', viaHeader(key))).status).toBe(200);
      const lower = { key: null, headers: { authorization: 'bEARER an-admin-key-for-specs' } };
      expect((await proxy.call('/grant_capacity', lower)).status).toBe(200);
    });

    it.each([
      ['POST', '/grant_capacity'],
      ['POST', '/rl/start_session'],
      ['POST', '/export_trajectories'],
      ['POST', '/rl/acknowledge_export'],
      ['GET', '/rl/sessions'],
      ['DELETE', '/rl/sessions/x'],
      ['POST', '/pause_generation'],
      ['POST', '/continue_generation'],
      ['POST', '/set_version'],
      ['GET', '/get_version'],
      ['GET', '/metrics'],
    ])('of the admin are needed for %s %s', async (method, path) => {
      const { key } = await proxy.start();
      const without = await proxy.call(path, { method, key: null });
      expect([without.status, without.body.reason]).toEqual([401, 'key_missing']);
      expect(without.headers.get('www-authenticate')).toBe('Bearer realm="weir-rollout"');
      expect((await proxy.call(path, { method, key: 'x'.repeat(43) })).status).toBe(401);
      const wrong = await proxy.call(path, { method, key });
      expect([wrong.status, wrong.body.reason]).toEqual([403, 'key_kind_wrong']);
      expect(wrong.body.detail).toMatch(/^This operation needs the admin( or read-only)? key\.$/);
    });

    it('of the admin are refused for model calls', async () => {
      expect((await chat('an-admin-key-for-specs')).status).toBe(403);
    });

    it('of an unfinished session are 409, of a finished one are taken again', async () => {
      const api_key = 'a-key-of-my-own-choice';
      const startWith = async () => {
        await proxy.call('/grant_capacity');
        return proxy.call('/rl/start_session', { body: { task_id: 't', api_key } });
      };
      expect((await startWith()).body).toMatchObject({ session_id: 't-0', session_api_key: api_key });
      expect((await startWith()).body).toMatchObject({ reason: 'session_key_in_use' });
      await chat(api_key);
      await proxy.call('/rl/end_session', { key: api_key });
      expect((await startWith()).body).toMatchObject({ session_id: 't-1' });
      expect(Object.keys(exported(await exportSession('t-0')))).toHaveLength(1);
      expect((await chat(api_key)).status).toBe(200);
    });

    it('of a session must not be that of the admin', async () => {
      await proxy.call('/grant_capacity');
      const answer = await proxy.call('/rl/start_session', {
        body: { task_id: '', api_key: 'an-admin-key-for-specs' },
      });
      expect([answer.status, answer.body.reason]).toEqual([400, 'key_is_admin_key']);
    });
  });

  describe('calls out of order', () => {
    it('refuses a model call and a reward after the end, and ends twice with one answer', async () => {
      const { key } = await proxy.start();
      await chat(key);
      const first = await proxy.call('/rl/end_session', { key });
      expect((await proxy.call('/rl/end_session', { key })).body).toEqual(first.body);
      expect((await chat(key)).body.reason).toBe('session_ended');
      const reward = await proxy.call('/rl/set_reward', { key, body: { reward: 1 } });
      expect([reward.status, reward.body.reason]).toEqual([409, 'session_ended']);
    });

    it('refuses an export before the end, and waits for it when asked', async () => {
      const { id, key } = await proxy.start();
      await chat(key);
      const early = await exportSession(id);
      expect([early.status, early.body.reason]).toEqual([409, 'session_not_ended']);
      const waiting = exportSession(id, { wait_seconds: 20 });
      await proxy.call('/rl/end_session', { key });
      expect((await waiting).status).toBe(200);
    });

    it('changes nothing when the client of an export disconnects while it waits', async () => {
      const { id, key } = await proxy.start();
      await chat(key);
      const aborting = new AbortController();
      const waiting = proxy.call('/export_trajectories', { body: { session_id: id }, signal: aborting.signal });
      aborting.abort();
      await expect(waiting).rejects.toThrow();
      await proxy.call('/rl/end_session', { key });
      expect(Object.keys(exported(await exportSession(id)))).toHaveLength(1);
    });

    it('can export after a bad style, and again until it is acknowledged', async () => {
      const { id, key } = await proxy.start();
      await chat(key);
      await proxy.call('/rl/end_session', { key });
      expect((await exportSession(id, { style: 'nonsense' })).status).toBe(400);
      const first = await exportSession(id);
      expect((await exportSession(id)).body).toEqual(first.body);
      expect((await chat(key)).status).toBe(401);
    });

    it('breaks model calls off when their session ends', async () => {
      const { key } = await proxy.start();
      const held = proxy.call('/chat/completions', { key, body: { ...say('x'), hold: true } });
      await waitFor(
        async () => {
          const { body } = await proxy.call('/rl/sessions', { method: 'GET' });
          return (body.sessions as { turns_under_way: number }[])[0]?.turns_under_way === 1;
        },
        { what: 'the call to begin' },
      );
      const ended = await proxy.call('/rl/end_session', { key });
      expect(ended.body).toEqual({ message: 'success', interaction_count: 0 });
      expect((await held).body.reason).toBe('session_ended');
    });

    it('exports a session without calls as empty, and says so', async () => {
      const { id, key } = await proxy.start();
      await proxy.call('/rl/end_session', { key });
      expect((await exportSession(id)).body).toMatchObject({ interactions: {}, report: { interactions: 0 } });
    });
  });

  describe('rewards', () => {
    it.each([['"1"'], ['null'], ['NaN'], ['1e999'], ['1e300'], ['true']])('refuses %s', async (reward) => {
      const { key } = await proxy.start();
      await chat(key);
      const answer = await proxy.call('/rl/set_reward', { key, body: `{"reward":${reward}}` });
      expect(answer.status).toBe(400);
    });

    it('needs a completed call, and knows its id', async () => {
      const { key } = await proxy.start();
      const none = await proxy.call('/rl/set_reward', { key, body: { reward: 1 } });
      expect([none.status, none.body.reason]).toEqual([400, 'no_interactions']);
      await chat(key);
      const unknown = await proxy.call('/rl/set_reward', { key, body: { reward: 1, interaction_id: 'other' } });
      expect([unknown.status, unknown.body.reason]).toEqual([400, 'interaction_not_found']);
    });

    it('does not leak from a branch to its sibling', async () => {
      const { id, key } = await proxy.start();
      const root = await chat(key);
      const isDisconnected = await follow(key, root, 'left');
      const right = await follow(key, root, 'right');
      for (const [branch, reward] of [
        [isDisconnected, 1],
        [right, 2],
      ] as const) {
        await proxy.call('/rl/set_reward', { key, body: { reward, interaction_id: branch.body.id } });
      }
      await proxy.call('/rl/end_session', { key });
      const all = exported(await exportSession(id, { discount: 0.5 }));
      expect(Object.values(all).map(({ reward }) => reward)).toEqual([1.5, 1, 2]);
    });

    it('can be corrected by the admin after an export', async () => {
      const { id, key } = await proxy.start();
      await chat(key);
      await proxy.call('/rl/end_session', { key });
      await exportSession(id);
      const corrected = await proxy.call('/rl/set_reward', { body: { reward: 3, session_id: id } });
      expect(corrected.body).toMatchObject({ revision: 1 });
      expect(Object.values(exported(await exportSession(id)))[0]).toMatchObject({ reward: 3 });
    });
  });

  it('exports safetensors by format and by the Accept header', async () => {
    const { id, key } = await proxy.start();
    await chat(key);
    await proxy.call('/rl/end_session', { key });
    const body = JSON.stringify({ session_id: id });
    const headers = { 'x-api-key': 'an-admin-key-for-specs', 'content-type': 'application/json' };
    const response = await fetch(`${proxy.url}/export_trajectories`, {
      method: 'POST',
      body,
      headers: { ...headers, accept: 'application/x-safetensors' },
    });
    expect(response.headers.get('content-type')).toBe('application/x-safetensors');
    const [row] = readTrainingBatch(new Uint8Array(await response.arrayBuffer()));
    expect(Array.from(row?.dict.loss_mask.data ?? [])).toEqual([0, 0, 0, 1, 1]);
  });

  it('removes a session once its export was sent, when asked', async () => {
    const { id, key } = await proxy.start();
    await proxy.call('/rl/end_session', { key });
    expect((await exportSession(id, { remove_session: true })).status).toBe(200);
    await waitFor(async () => (await exportSession(id)).status === 404, { what: 'the session to go' });
  });

  describe('idempotency keys', () => {
    const once = { 'idempotency-key': 'abc' };

    it('give the first answer again, without another session', async () => {
      await proxy.call('/grant_capacity');
      const start = () => proxy.call('/rl/start_session', { body: { task_id: 't' }, headers: once });
      const [first, second] = await Promise.all([start(), start()]);
      expect(second.body).toEqual(first.body);
      expect((await start()).body).toEqual(first.body);
    });

    it('let an export be repeated although it was to remove the session', async () => {
      const { id, key } = await proxy.start();
      await chat(key);
      await proxy.call('/rl/end_session', { key });
      const repeated = () =>
        proxy.call('/export_trajectories', { body: { session_id: id, remove_session: true }, headers: once });
      const first = await repeated();
      expect(Object.keys(exported(first))).toHaveLength(1);
      expect((await repeated()).body).toEqual(first.body);
    });

    it('refuse another request', async () => {
      await proxy.call('/grant_capacity', { headers: once });
      const other = await proxy.call('/rl/start_session', { body: { task_id: 't' }, headers: once });
      expect([other.status, other.body.reason]).toEqual([409, 'idempotency_key_reused']);
    });

    it('do not keep a failure', async () => {
      const start = () => proxy.call('/rl/start_session', { body: { task_id: 't' }, headers: once });
      expect((await start()).status).toBe(429);
      await proxy.call('/grant_capacity');
      expect((await start()).status).toBe(200);
    });
  });

  it('answers health, readiness, models, metrics and its description', async () => {
    const get = (path: string, key?: null) => proxy.call(path, { method: 'GET', ...(key === null ? { key } : {}) });
    expect((await get('/health', null)).body).toEqual({ status: 'ok', initialized: true });
    expect((await get('/ready', null)).status).toBe(200);
    expect((await get('/v1/models')).body).toMatchObject({ data: [{ id: 'echo' }] });
    expect((await get('/models')).status).toBe(200);
    expect(String((await get('/metrics')).body.text)).toContain('weir_rollout_grants_unused 0');
    expect((await get('/openapi.json')).body).toMatchObject({ openapi: '3.0.0' });
  });

  it('pauses and continues generation, and sets the version', async () => {
    expect((await proxy.call('/pause_generation')).body).toEqual({ status: 'ok', paused: true });
    const ready = await proxy.call('/ready', { method: 'GET', key: null });
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await proxy.call('/continue_generation')).body).toEqual({ status: 'ok', paused: false });
    expect((await proxy.call('/set_version', { body: { version: 3 } })).body).toEqual({ version: 3 });
    expect((await proxy.call('/get_version', { method: 'GET' })).body).toEqual({ version: 3 });
  });

  it('shows a session with its tree, and deletes it', async () => {
    const { id, key } = await proxy.start();
    await follow(key, await chat(key), 'go on');
    const detail = await proxy.call(`/rl/sessions/${id}`, { method: 'GET' });
    expect(detail.body).toMatchObject({ state: 'active', interaction_count: 2, sampled_tokens: 4 });
    expect((await proxy.call(`/rl/sessions/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await chat(key)).status).toBe(401);
    expect((await proxy.call(`/rl/sessions/${id}`, { method: 'GET' })).status).toBe(404);
  });

  it.each([
    ['/rl/start_session', { task_id: 5 }],
    ['/rl/start_session', { task_id: 'a\nb' }],
    ['/export_trajectories', { session_id: 'x', discount: 2 }],
    ['/export_trajectories', {}],
  ])('refuses at %s the body %j', async (path, body) => {
    const answer = await proxy.call(path, { body });
    expect([answer.status, answer.body.reason]).toEqual([400, 'request_invalid']);
    expect(typeof answer.body.detail).toBe('string');
  });
});

describe('what is left behind', () => {
  it('is nothing after many episodes: no session, no key, no file, no capacity, no bytes', async () => {
    const folder = temporaryFolder();
    const proxy = await startTestProxy({ dataFolder: folder.path, env: { ROLLOUT_CAPACITY: '1' } });
    for (let episode = 0; episode < 40; episode += 1) {
      const { id, key } = await proxy.start(`task-${episode}`);
      await proxy.call('/chat/completions', { key, body: say('hello') });
      await proxy.call('/rl/end_session', { key });
      await proxy.call('/export_trajectories', { body: { session_id: id, style: 'concat' } });
      await proxy.call('/rl/acknowledge_export', { body: { session_id: id } });
    }
    expect((await proxy.call('/rl/sessions', { method: 'GET' })).body.sessions).toEqual([]);
    expect(readdirSync(folder.file('sessions'))).toEqual([]);
    const metrics = String((await proxy.call('/metrics', { method: 'GET' })).body.text);
    expect(metrics).toContain('weir_rollout_session_bytes 0');
    expect(metrics).toContain('weir_rollout_grants_unused 0');
    await proxy.stop();
    await folder.remove();
  });

  it('keeps no text of a client and no key in the log', async () => {
    const proxy = await startTestProxy();
    const { key } = await proxy.start();
    await proxy.call('/chat/completions', { key, body: say('a secret of the client') });
    await proxy.call('/chat/completions', { key, body: '{"messages": "a secret of the client' });
    const log = JSON.stringify(proxy.logger.entries);
    for (const text of [key, 'an-admin-key-for-specs', 'a secret of the client']) expect(log).not.toContain(text);
    await proxy.stop();
  });
});

describe('limits', () => {
  it('releases capacity exactly once, at end, expiry and deletion', async () => {
    const proxy = await startTestProxy({ env: { ROLLOUT_CAPACITY: '2' } });
    const grant = () => proxy.call('/grant_capacity');
    const one = await proxy.start();
    const two = await proxy.start();
    const full = await grant();
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '1']);
    await proxy.call('/rl/end_session', { key: one.key });
    await proxy.call('/rl/end_session', { key: one.key });
    await proxy.call(`/rl/sessions/${one.id}`, { method: 'DELETE' });
    expect((await grant()).status).toBe(200);
    expect((await grant()).status).toBe(429);
    await proxy.call(`/rl/sessions/${two.id}`, { method: 'DELETE' });
    expect((await grant()).status).toBe(200);
    await proxy.stop();
  });

  it.each([
    ['ROLLOUT_MAX_INTERACTIONS', '1', 'session_interactions_exhausted', 400],
    ['ROLLOUT_MAX_SESSION_TOKENS', '2', 'session_tokens_exhausted', 400],
    ['ROLLOUT_MAX_SESSION_BYTES', '1024', 'session_bytes_exhausted', 400],
    ['ROLLOUT_MAX_BYTES', '1024', 'bytes_exhausted', 429],
  ])('refuses a model call beyond %s', async (name, value, reason, status) => {
    const proxy = await startTestProxy({ env: { [name]: value } });
    const { key } = await proxy.start();
    await proxy.call('/chat/completions', { key, body: say('x') });
    const answer = await proxy.call('/chat/completions', { key, body: say('y') });
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    await proxy.stop();
  });

  it('refuses a session beyond ROLLOUT_MAX_SESSIONS and keeps the grant', async () => {
    const proxy = await startTestProxy({ env: { ROLLOUT_MAX_SESSIONS: '1' } });
    const one = await proxy.start();
    await proxy.call('/grant_capacity');
    const refused = await proxy.call('/rl/start_session', { body: { task_id: 't' } });
    expect(refused.body.reason).toBe('sessions_exhausted');
    await proxy.call(`/rl/sessions/${one.id}`, { method: 'DELETE' });
    expect((await proxy.call('/rl/start_session', { body: { task_id: 't' } })).status).toBe(200);
    await proxy.stop();
  });

  it('lets a session beyond them replace an exported one without an acknowledgement', async () => {
    const proxy = await startTestProxy({ env: { ROLLOUT_MAX_SESSIONS: '1' } });
    const { id, key } = await proxy.start();
    await proxy.call('/rl/end_session', { key });
    await proxy.call('/grant_capacity');
    const tooEarly = await proxy.call('/rl/start_session', { body: { task_id: 't' } });
    await proxy.call('/export_trajectories', { body: { session_id: id } });
    const started = await proxy.call('/rl/start_session', { body: { task_id: 't' } });
    const repeated = await proxy.call('/export_trajectories', { body: { session_id: id } });
    expect([tooEarly.status, started.status, repeated.status]).toEqual([429, 200, 404]);
    await proxy.stop();
  });
});

describe('time', () => {
  it('ends idle sessions, removes forgotten ones and expires grants without any traffic', async () => {
    const manual = createManualClock();
    const proxy = await startTestProxy({
      clock: manual,
      env: { ROLLOUT_SESSION_IDLE_SECONDS: '60', ROLLOUT_ENDED_RETENTION_SECONDS: '120', ROLLOUT_GRANT_SECONDS: '30' },
    });
    const { id, key } = await proxy.start();
    await proxy.call('/chat/completions', { key, body: say('x') });
    await proxy.call('/grant_capacity');
    const advance = async (milliseconds: number) => {
      await waitFor(() => manual.sleeperCount() > 0, { what: 'a sleeper' });
      manual.advance(milliseconds);
    };
    const readState = async () => (await proxy.call(`/rl/sessions/${id}`, { method: 'GET' })).body.state;
    await advance(31_000);
    const late = await proxy.call('/rl/start_session', { body: { task_id: 't' } });
    expect(late.body.reason).toBe('capacity_not_granted');
    await advance(60_000);
    await waitFor(async () => (await readState()) === 'ended', { what: 'the end' });
    await advance(121_000);
    await waitFor(async () => (await readState()) === undefined, { what: 'the removal' });
    await proxy.stop();
  });
});

describe('a restart', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('restores sessions, rewards, grants and stored answers', async () => {
    const before = await startTestProxy({ dataFolder: folder.path });
    const { id, key } = await before.start();
    const first = await before.call('/chat/completions', { key, body: say('hello') });
    await before.call('/rl/set_reward', { key, body: { reward: 0.5 } });
    await before.call('/grant_capacity');
    const headers = { 'idempotency-key': 'once' };
    const start = (proxy: TestProxy) => proxy.call('/rl/start_session', { body: { task_id: 'x' }, headers });
    const started = await start(before);
    await before.call('/grant_capacity');
    await before.stop();

    const after = await startTestProxy({ dataFolder: folder.path });
    expect((await start(after)).body).toEqual(started.body);
    expect((await after.call('/grant_capacity')).body).toEqual({ capacity: 2 });
    const [choice] = first.body.choices as { message: object }[];
    const messages = [{ role: 'user', content: 'hello' }, choice?.message, { role: 'user', content: 'on' }];
    await after.call('/chat/completions', { key, body: { messages } });
    await after.call('/rl/end_session', { key });
    const answer = await after.call('/export_trajectories', { body: { session_id: id } });
    const entries = Object.values(exported(answer));
    expect(entries[0]).toMatchObject({ original_reward: 0.5 });
    expect(entries[1]).toMatchObject({ parent_id: first.body.id });
    await after.stop();
  });

  it('is refused while another process uses the folder', async () => {
    const proxy = await startTestProxy({ dataFolder: folder.path });
    await proxy.stop();
    await expect(
      startTestProxy({ dataFolder: folder.path }).then((repeated) => repeated.stop()),
    ).resolves.toBeUndefined();
  });
});
