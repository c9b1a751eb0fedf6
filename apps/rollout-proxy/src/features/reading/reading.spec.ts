import {
  rolloutContract,
  type ExportResponse,
  type ForestResponse,
  type RowsResponse,
  type SearchResponse,
  type SessionChanges,
} from '@weir/rollout-contract';
import { readTrainingBatch } from '@weir/rollout-core';
import { readSafetensors } from '@weir/tensor-dict';
import { startTestProxy, type TestProxy } from '../testing/test-proxy';

const readKey = 'a-read-only-key-for-specs';
const user = (content: string) => ({ role: 'user', content });

describe('reading', () => {
  let proxy: TestProxy;
  beforeEach(async () => {
    proxy = await startTestProxy({ env: { ROLLOUT_READ_KEY: readKey } });
  });
  afterEach(() => proxy.stop());

  const get = (address: string, headers: Record<string, string> = {}) =>
    proxy.call(address, { method: 'GET', key: readKey, headers });
  const chat = async (key: string, messages: readonly object[]) => {
    const { body } = await proxy.call('/chat/completions', { key, body: { model: 'echo', messages } });
    const [choice] = body.choices as { message: { role: string; content: string } }[];
    return { id: String(body.id), message: choice?.message ?? user('') };
  };
  /** A question and a further one, of which the second has a reward. */
  const converse = async (taskId = 'task') => {
    const { id, key } = await proxy.start(taskId);
    const first = await chat(key, [user('How high is the Zugspitze?')]);
    const second = await chat(key, [user('How high is the Zugspitze?'), first.message, user('In feet?')]);
    await proxy.call('/rl/set_reward', { key, body: { reward: 1, interaction_id: second.id } });
    return { id, key, first: first.id, second: second.id };
  };

  describe('GET /rl/sessions', () => {
    it('gives pages that a session which starts or ends meanwhile does not shift', async () => {
      for (const task of ['a', 'b', 'a', 'b']) await proxy.start(task);
      const page = async (query: string) => {
        const { body } = await get(`/rl/sessions?order=newest&limit=2${query}`);
        const { sessions, next_cursor: cursor } = body as {
          readonly sessions: readonly { readonly session_id: string }[];
          readonly next_cursor: string | null;
        };
        return { ids: sessions.map((session) => session.session_id), cursor };
      };
      const first = await page('');
      expect(first.ids).toEqual(['b-1', 'a-1']);
      await proxy.start('c');
      const second = await page(`&cursor=${first.cursor ?? ''}`);
      expect(second).toEqual({ ids: ['b-0', 'a-0'], cursor: null });
      expect(await page('&task_id=a')).toEqual({ ids: ['a-1', 'a-0'], cursor: null });
      expect((await page('&text=B-')).ids).toEqual(['b-1', 'b-0']);
    });

    it('sums up rewards, versions and ends', async () => {
      const { id } = await converse();
      const { body } = await get('/rl/sessions');
      expect(body.sessions).toEqual([
        expect.objectContaining({
          ...{ session_id: id, reward: 1, first_version: 0, last_version: 0, quarantined_count: 0 },
          ...{ mismatch_count: 0, last_finish_reason: 'stop', interaction_count: 2 },
        }),
      ]);
    });

    it('returns 400 for a cursor of something else', async () => {
      expect((await get('/rl/sessions?cursor=zzz')).status).toBe(400);
    });
  });

  it('GET /rl/tasks adds up the sessions of a task, the latest task first', async () => {
    await converse('maths');
    await proxy.start('maths');
    await proxy.start('code');
    const { body } = await get('/rl/tasks');
    expect(body).toEqual({
      next_cursor: null,
      tasks: [
        expect.objectContaining({ task_id: 'code', sessions: 1, rewarded: 0, reward_mean: null }),
        expect.objectContaining({ task_id: 'maths', sessions: 2, unfinished: 2, rewarded: 1, reward_mean: 1 }),
      ],
    });
    const next = (await get('/rl/tasks?limit=1')).body.next_cursor;
    expect((await get(`/rl/tasks?limit=1&cursor=${String(next)}`)).body).toMatchObject({
      tasks: [{ task_id: 'maths' }],
      next_cursor: null,
    });
  });

  it('GET …/forest discounts rewards by other choices, and changes nothing', async () => {
    const { id, first, second } = await converse();
    const rewards = async (query: string) => {
      const { nodes } = (await get(`/rl/sessions/${id}/forest${query}`)).body as unknown as ForestResponse;
      return nodes.map((node) => [node.interaction_id, node.reward, node.discounted_reward]);
    };
    expect(await rewards('')).toEqual([
      [first, null, 1],
      [second, 1, 1],
    ]);
    expect(await rewards('?discount=0.25')).toEqual([
      [first, null, 0.25],
      [second, 1, 1],
    ]);
    expect(await rewards('')).toEqual([
      [first, null, 1],
      [second, 1, 1],
    ]);
    expect((await get(`/rl/sessions/${id}/forest?discount=2`)).status).toBe(400);
  });

  describe('GET …/interactions/{interactionId}', () => {
    it('has the conversation, and says what of it is new', async () => {
      const { id, second } = await converse();
      const { body } = await get(`/rl/sessions/${id}/interactions/${second}`);
      expect(body).toMatchObject({
        session_id: id,
        messages: [user('How high is the Zugspitze?'), { role: 'assistant' }, user('In feet?')],
        new_messages: 1,
        output: { role: 'assistant' },
        node: { interaction_id: second, reward: 1, prompt_tokens: 8, sampled_tokens: 2 },
        provenance: null,
      });
    });

    it('returns 404 for another id', async () => {
      const { id } = await converse();
      const { status, body } = await get(`/rl/sessions/${id}/interactions/nothing`);
      expect([status, body.reason]).toEqual([404, 'unknown_interaction']);
    });
  });

  describe('GET …/tokens', () => {
    it('has every token of the path, where it comes from, and its bytes', async () => {
      const { id, first, second } = await converse();
      const { body } = await get(`/rl/sessions/${id}/interactions/${second}/tokens`);
      const ids = body.ids as number[];
      expect(ids.slice(0, 4)).toEqual([1, 2, 3, 4]);
      expect(body).toMatchObject({
        segments: [
          { interaction_id: first, from: 0, sampled_from: 3, to: 5 },
          { interaction_id: second, from: 5, sampled_from: 8, to: 10 },
        ],
        logprobs: [null, null, null, -0.5, -0.25, null, null, null, -0.5, -0.25],
        versions: [-1, -1, -1, 0, 0, -1, -1, -1, 0, 0],
        loss_mask: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
        sources: [0, 0, 0, 2, 2, 0, 0, 0, 1, 1],
        turns: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
        control: [0, 0, 1, 0, 0, 0, 0, 1, 0, 0],
      });
      expect(String(body.text).slice(0, 8)).toBe('ab<end>d');
      expect((body.byte_offsets as number[]).slice(0, 5)).toEqual([0, 1, 2, 7, 8]);
      expect(Buffer.from(String(body.bytes), 'base64').toString()).toBe(body.text);
    });

    it('is a safetensors file where that is asked for, with the same values', async () => {
      const { id, second } = await converse();
      const address = `/rl/sessions/${id}/interactions/${second}/tokens`;
      const { body } = await get(address);
      const answer = await fetch(`${proxy.url}${address}`, {
        headers: { 'x-api-key': readKey, accept: 'application/x-safetensors' },
      });
      expect(answer.headers.get('content-type')).toBe('application/x-safetensors');
      const { tensors, metadata } = readSafetensors(new Uint8Array(await answer.arrayBuffer()));
      for (const name of ['ids', 'versions', 'loss_mask', 'sources', 'turns', 'control', 'byte_offsets']) {
        expect([name, [...(tensors[name]?.data ?? [])]]).toEqual([name, body[name]]);
      }
      expect(tensors.logprobs?.dtype).toBe('float32');
      const packed = tensors.bytes?.data ?? new Int32Array();
      const bytes = Buffer.from(packed.buffer, packed.byteOffset, Number(metadata.byte_length));
      expect(bytes.toString()).toBe(body.text);
    });
  });

  describe('previews', () => {
    it('have what the export then has, and leave the session as it is', async () => {
      const { id, key } = await converse();
      const preview = await get(`/rl/sessions/${id}/export_preview?discount=0.5&style=concat`);
      expect(preview.status).toBe(200);
      const rows = (await get(`/rl/sessions/${id}/rows?discount=0.5&style=concat`)).body as unknown as RowsResponse;
      expect((await chat(key, [user('still here?')])).id).toMatch(/^chatcmpl/);
      await proxy.call('/rl/end_session', { key });

      const again = await get(`/rl/sessions/${id}/export_preview?discount=0.5&style=concat`);
      const choices = { session_id: id, discount: 0.5, style: 'concat' };
      const exported = await proxy.call('/export_trajectories', { body: choices });
      expect(again.body).toEqual(exported.body);
      const { interactions } = exported.body as unknown as ExportResponse;
      expect(rows.rows.map((row) => row.interaction_id)).toEqual(Object.keys(interactions).slice(0, 1));
      expect(rows.rows[0]).toMatchObject({ tokens: 10, trained_tokens: 4, reward: 1 });
    });

    it('are the file of an export where that is asked for', async () => {
      const { id } = await converse();
      const answer = await fetch(`${proxy.url}/rl/sessions/${id}/export_preview?format=safetensors`, {
        headers: { 'x-api-key': readKey },
      });
      expect(readTrainingBatch(new Uint8Array(await answer.arrayBuffer()))).toHaveLength(2);
    });

    it('say what is left out', async () => {
      const { id, key } = await proxy.start();
      const replaced = await chat(key, [user('same')]);
      await chat(key, [user('same')]);
      const { body } = await get(`/rl/sessions/${id}/rows?drop_retry_orphans=true`);
      expect(body).toMatchObject({
        rows: [{ trained_tokens: 2 }],
        left_out: [{ interaction_id: replaced.id, reason: 'retry_orphan', sampled_tokens: 2 }],
      });
    });
  });

  describe('GET /rl/search', () => {
    it('finds text whatever its case, and says where it is', async () => {
      const { id, first } = await converse();
      const { body } = await get('/rl/search?text=zugspitze');
      expect(body).toEqual({
        matches: [
          expect.objectContaining({
            ...{ session_id: id, interaction_id: first, role: 'user', part: 'content' },
            ...{ before: 'How high is the ', match: 'Zugspitze', after: '?' },
          }),
        ],
        next_cursor: null,
        searched_interactions: 2,
      });
      expect((await get('/rl/search?text=zugspitze&match_case=true')).body.matches).toEqual([]);
      expect((await get('/rl/search?text=.%2B')).body.matches).toEqual([]);
    });

    it('goes on where it stopped', async () => {
      for (let at = 0; at < 3; at += 1) await converse();
      const seen: unknown[] = [];
      let next: string | null = '';
      while (next !== null) {
        const cursor: string = next === '' ? '' : `&cursor=${next}`;
        const { matches, next_cursor } = (await get(`/rl/search?text=feet&limit=1${cursor}`))
          .body as unknown as SearchResponse;
        seen.push(...matches.map((match) => match.session_id));
        next = next_cursor;
      }
      expect(seen).toEqual(['task-2', 'task-1', 'task-0']);
    });
  });

  it('GET /rl/status tells version, capacity and load', async () => {
    await converse();
    await proxy.call('/grant_capacity');
    const { body } = await get('/rl/status');
    expect(body).toMatchObject({
      ...{ model: 'echo', version: 0, paused: false, unused_grants: 1, unfinished_sessions: 1, sessions: 1 },
      ...{ sampled_tokens: 4, tokens_last_minute: 4, versions: [{ version: 0, tokens: 4 }], not_ready: null },
    });
  });

  describe('GET /rl/events', () => {
    it('tells what has changed since, without being asked', async () => {
      const leaving = new AbortController();
      const answer = await fetch(`${proxy.url}/rl/events`, {
        headers: { 'x-api-key': readKey },
        signal: leaving.signal,
      });
      const events = readEvents(answer);
      await expect(events.next()).resolves.toMatchObject({ value: { event: 'ready' } });
      const { id } = await converse();
      const nextChanges = async () => {
        const next = (await events.next()) as { readonly value: { readonly data: unknown } };
        return next.value.data as SessionChanges;
      };
      let data = await nextChanges();
      while (data.sessions[0]?.reward !== 1) data = await nextChanges();
      expect(data.sessions[0]).toMatchObject({ session_id: id, interaction_count: 2 });
      await proxy.call(`/rl/sessions/${id}`, { method: 'DELETE' });
      await expect(events.next()).resolves.toMatchObject({ value: { data: { sessions: [], removed: [id] } } });
      leaving.abort();
    });

    it('is refused beyond a number of streams, and open again once one has ended', async () => {
      const open = () => {
        const leaving = new AbortController();
        const init = { headers: { 'x-api-key': readKey }, signal: leaving.signal };
        return fetch(`${proxy.url}/rl/events`, init).then((answer) => ({ status: answer.status, leaving }));
      };
      const streams = await Promise.all(Array.from({ length: 64 }, open));
      expect(await open()).toMatchObject({ status: 429 });
      for (const { leaving } of streams) leaving.abort();
    });
  });

  describe('keys', () => {
    const operations = Object.values(rolloutContract);
    const address = (path: string) => path.replaceAll(/\{\w+\}/g, 'x');

    it.each(operations.map((one) => [one.operationId, one] as const))('%s', async (_name, operation) => {
      const { method, path, access } = operation;
      const isRead = method === 'GET';
      const leaving = new AbortController();
      const call = async (headers: Record<string, string>) => {
        const answer = await fetch(`${proxy.url}${address(path)}?text=x`, { method, headers, signal: leaving.signal });
        return answer.status;
      };
      const signedIn = await proxy.call('/rl/browser_session', { key: null, body: { key: readKey } });
      const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
      const reader = await call({ 'x-api-key': readKey });
      const browser = await call({ cookie });
      leaving.abort();
      if (access === 'public') return;
      expect([reader === 403, browser === 403]).toEqual(isRead ? [false, false] : [true, true]);
    });

    it('that only read are refused for model calls', async () => {
      const { status } = await proxy.call('/chat/completions', { key: readKey, body: { messages: [user('x')] } });
      expect(status).toBe(403);
    });

    it('of the service are refused as keys of sessions', async () => {
      await proxy.call('/grant_capacity');
      const { status } = await proxy.call('/rl/start_session', { body: { api_key: readKey } });
      expect(status).toBe(400);
    });

    it('that are equal are refused at the start', async () => {
      const env = { ROLLOUT_READ_KEY: 'an-admin-key-for-specs' };
      await expect(startTestProxy({ env })).rejects.toMatchObject({ reason: 'read_key_is_admin_key' });
    });
  });

  describe('a browser', () => {
    it.each([readKey, 'an-admin-key-for-specs'])('reads with the cookie of its sign-in by %s', async (key) => {
      const signedIn = await proxy.call('/rl/browser_session', { key: null, body: { key } });
      const setCookie = signedIn.headers.get('set-cookie') ?? '';
      expect(setCookie).toMatch(/^weir_rollout_session=[\w-]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/);
      expect(setCookie).not.toContain(key);
      const headers = { cookie: setCookie.split(';')[0] ?? '' };
      expect((await proxy.call('/rl/sessions', { method: 'GET', key: null, headers })).status).toBe(200);
      expect((await proxy.call('/grant_capacity', { key: null, headers })).status).toBe(403);
      await proxy.call('/rl/browser_session', { method: 'DELETE', key: null, headers });
      expect((await proxy.call('/rl/sessions', { method: 'GET', key: null, headers })).status).toBe(401);
    });

    it('is not signed in by the key of a session, or by another text', async () => {
      const { key } = await proxy.start();
      for (const wrong of [key, 'x'.repeat(40)]) {
        const answer = await proxy.call('/rl/browser_session', { key: null, body: { key: wrong } });
        expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
      }
      const { body } = await proxy.call('/rl/browser_session', { method: 'GET', key: null });
      expect(body).toEqual({ signed_in: false });
    });
  });
});

async function* readEvents(answer: Response): AsyncGenerator<{ readonly event: string; readonly data: unknown }> {
  const decoder = new TextDecoder();
  let text = '';
  // The body of an answer that was received is never null.
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field('data');
      if (data !== undefined) yield { event: field('event') ?? 'message', data: JSON.parse(data) as unknown };
    }
  }
}
