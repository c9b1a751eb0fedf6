import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { AppError } from '@weir/foundation';
import { startProtocolApp, type ProtocolApp } from './testing/protocol-app';
import { text, type ScriptStep } from './testing/scripted-completions';

let app: ProtocolApp;
/** This proxy sends no heartbeats that a slow client could miss. */
let calm: ProtocolApp;
beforeAll(async () => {
  app = await startProtocolApp({ heartbeatMs: 20 });
  calm = await startProtocolApp();
});
afterAll(async () => {
  await app.stop();
  await calm.stop();
});

const chat = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };
const calls = {
  '/v1/chat/completions': chat,
  '/v1/responses': { model: 'm', input: 'hi' },
  '/v1/messages': { ...chat, max_tokens: 16 },
} as const;
const paths = Object.keys(calls) as (keyof typeof calls)[];

function gate() {
  let open = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, step: { kind: 'wait', until } satisfies ScriptStep };
}

describe.each(paths)('POST %s', (path) => {
  const body = calls[path];
  const streamed = { ...body, stream: true };

  it('sends the first byte long before the answer is ready, and heartbeats until then', async () => {
    const first = gate();
    app.completions.play([first.step, text('late')]);
    const answer = await app.open(path, streamed);
    expect(answer.statusCode).toBe(200);
    const seen = await untilText(answer, /(: keep-alive|event: ping)/);
    expect(seen).not.toContain('late');
    first.open();
    expect(await rest(answer)).toContain('late');
  });

  it('sends a delta as soon as it is generated', async () => {
    const second = gate();
    app.completions.play([text('one'), second.step, text('two')]);
    const answer = await app.open(path, streamed);
    expect(await untilText(answer, /one/)).not.toContain('two');
    second.open();
    expect(await rest(answer)).toContain('two');
  });

  it.each([
    ['streamed', true],
    ['whole', false],
  ] as const)('ends the completion when the client of a %s answer disconnects', async (_form, isStreaming) => {
    const never = gate();
    app.completions.play([text('one'), never.step]);
    const before = app.completions.completions.length;
    const disconnect = new AbortController();
    const asked = fetch(app.url + path, {
      method: 'POST',
      body: JSON.stringify({ ...body, stream: isStreaming }),
      headers: { 'content-type': 'application/json', authorization: 'Bearer the-key-of-the-session' },
      signal: disconnect.signal,
    });
    asked.catch(() => undefined);
    if (isStreaming) await asked;
    while (app.completions.completions.length === before) await new Promise(setImmediate);
    disconnect.abort();
    await app.completions.last.over;
    expect(app.completions.last.signal.aborted).toBe(true);
  });

  it('does not abort the signal when the answer was sent', async () => {
    app.completions.play([text('one')]);
    expect((await app.post(path, JSON.stringify(streamed))).status).toBe(200);
    await app.completions.last.over;
    expect(app.completions.last.signal.aborted).toBe(false);
  });

  it('generates no more than the client reads', async () => {
    const piece = 'x'.repeat(512 * 1024);
    let made = 0;
    calm.completions.play(
      (function* () {
        for (; made < 48; made += 1) yield text(piece);
        // The repetition that some protocols send at the end is not tested here.
        yield gate().step;
      })(),
    );
    const answer = await calm.open(path, streamed);
    // A macrotask each, in which a completion that is not held back would make all that it has.
    for (let completions = 0; completions < 100; completions += 1) await new Promise(setImmediate);
    let received = 0;
    let ahead = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      ahead = Math.max(ahead, made * piece.length - received);
      received += chunk.length;
      if (received >= 48 * piece.length) break;
    }
    expect(made).toBe(48);
    expect(ahead).toBeLessThan(20 * 1024 * 1024);
  });

  it('disconnects a client that reads nothing for twenty heartbeats', async () => {
    const piece = 'x'.repeat(512 * 1024);
    app.completions.play(Array.from({ length: 64 }, () => text(piece)));
    await app.open(path, streamed);
    await app.completions.last.over;
    expect(app.completions.last.signal.aborted).toBe(true);
  });

  it('tells clients not to repeat a call that a conflict refused', async () => {
    app.completions.play([{ kind: 'refuse', error: new AppError('conflict', 'The session has ended.') }]);
    const { status, headers } = await app.post(path, JSON.stringify(body));
    expect([status, headers.get('x-should-retry')]).toEqual([409, 'false']);
    app.completions.play([
      { kind: 'refuse', error: new AppError('unavailable', 'Not now.', { details: { retryAfterSeconds: 2 } }) },
    ]);
    const later = await app.post(path, JSON.stringify(body));
    expect([later.status, later.headers.get('x-should-retry'), later.headers.get('retry-after')]).toEqual([
      503,
      null,
      '2',
    ]);
  });

  it('hides the message of an internal failure', async () => {
    app.completions.play([{ kind: 'refuse', error: new Error('secret address') }]);
    const whole = await app.post(path, JSON.stringify(body));
    expect(whole.status).toBe(500);
    app.completions.play([text('one'), { kind: 'fail', error: new Error('secret address') }]);
    const broken = await app.post(path, JSON.stringify(streamed));
    expect(broken.text).toContain('An internal error occurred.');
    expect(whole.text + broken.text).not.toContain('secret');
  });

  it('never treats a completion without a result as an answer', async () => {
    app.completions.play([text('one'), { kind: 'vanish' }]);
    expect((await app.post(path, JSON.stringify(body))).status).toBe(500);
    expect((await app.post(path, JSON.stringify(streamed))).text).toContain('error');
  });

  it('sends the id of the request in the headers that SDKs look for', async () => {
    app.completions.play([text('one')]);
    const { headers } = await app.post(path, JSON.stringify(body), { 'x-request-id': 'mine' });
    expect(headers.get('x-request-id')).toBe('mine');
    expect(headers.get('request-id')).toBe(path === '/v1/messages' ? 'mine' : null);
  });

  it('passes on the fields that identify a repeated call', async () => {
    app.completions.play([text('one')]);
    const sent = JSON.stringify(body);
    await app.post(path, sent, { 'idempotency-key': 'once', 'x-stainless-retry-count': '2' });
    const bodyDigest = createHash('sha256').update(sent).digest('hex');
    expect(app.completions.last.request.identity).toEqual({ key: 'once', bodyDigest, attempt: 2 });
    await app.post(path, sent, { 'x-stainless-retry-count': 'many' });
    expect(app.completions.last.request.identity).toEqual({ key: undefined, bodyDigest, attempt: 0 });
  });

  it('is retried by an SDK only for failures that may be temporary', async () => {
    const before = app.completions.completions.length;
    app.completions.play([{ kind: 'refuse', error: new AppError('conflict', 'The session has ended.') }]);
    const client = app.openai.withOptions({ maxRetries: 2 });
    await expect(client.chat.completions.create(chat)).rejects.toMatchObject({ status: 409 });
    expect(app.completions.completions).toHaveLength(before + 1);
  });
});

async function untilText(answer: IncomingMessage, pattern: RegExp): Promise<string> {
  let seen = '';
  while (!pattern.test(seen)) {
    const [chunk] = (await once(answer, 'data')) as [Buffer];
    seen += chunk.toString();
  }
  return seen;
}

async function rest(answer: IncomingMessage): Promise<string> {
  let seen = '';
  answer.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
  });
  await once(answer, 'end');
  return seen;
}
