import type { SessionChanges } from '@weir/rollout-contract';
import { waitFor } from '@weir/test-kit';
import { readKey, useReadableProxy } from '../testing/use-readable-proxy';

const proxy = useReadableProxy();
const { converse, get } = proxy;

it('GET /rl/status reports version, capacity and load', async () => {
  await converse();
  await proxy.call('/grant_capacity');
  const { body } = await get('/rl/status');
  expect(body).toMatchObject({
    model: 'echo',
    version: 0,
    paused: false,
    unused_grants: 1,
    unfinished_sessions: 1,
    sessions: 1,
    sampled_tokens: 4,
    tokens_last_minute: 4,
    versions: [{ version: 0, tokens: 4 }],
    not_ready: null,
  });
});

describe('GET /rl/events', () => {
  it('reports changes without polling', async () => {
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

  it('is refused beyond a number of streams, and available again once one has ended', async () => {
    const open = async () => {
      const leaving = new AbortController();
      const init = { headers: { 'x-api-key': readKey }, signal: leaving.signal };
      // The answer is kept: the body of one that nobody holds is cancelled when it is collected.
      return { leaving, answer: await fetch(`${proxy.url}/rl/events`, init) };
    };
    const streams = await Promise.all(Array.from({ length: 64 }, open));
    expect((await open()).answer.status).toBe(429);
    streams.pop()?.leaving.abort();
    const next = await waitFor(() => open().then((one) => (one.answer.ok ? one : undefined)), { what: 'a stream' });
    for (const { leaving, answer } of [...streams, next]) {
      expect(answer.status).toBe(200);
      leaving.abort();
    }
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
