import { once } from 'node:events';
import { createWorkflowClient, readEvents, type EventOptions, type LiveEvent } from '..';
import { json, startScriptedServer, type Script, type ScriptedServer } from '../testing/scripted-server';

let server: ScriptedServer;
let stopping: AbortController;

beforeEach(() => {
  stopping = new AbortController();
});
afterEach(() => server.stop());

async function open(scripts: readonly Script[], options: Partial<EventOptions> = {}) {
  server = await startScriptedServer(...scripts);
  const weir = createWorkflowClient({ baseUrl: server.baseUrl, token: () => 'abc' });
  return readEvents(weir, { topics: ['dagrun:a/b', 'queues:'], signal: stopping.signal, pauseMs: 1, ...options });
}

/** The next events, until there are as many. */
async function take(events: AsyncGenerator<LiveEvent>, count: number): Promise<readonly LiveEvent[]> {
  const taken: LiveEvent[] = [];
  while (taken.length < count) {
    const next = await events.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

const event = (name: string, data: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const control = event('control', { sessionID: 's', subscribed: ['queues:'] });

/** Sends these and leaves the stream open, or ends it. */
const stream =
  (text: string, { ends = false } = {}): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
    if (ends) response.end();
  };

const queries = (): readonly string[] => server.seen.map(({ url }) => decodeURIComponent(url.search));

describe('readEvents', () => {
  it('reads what the server sends of the topics', async () => {
    const patch = [{ op: 'replace', path: '/a', value: 2 }];
    const closed = { topic: 'dagrun:a/b', code: 'not_found', message: 'It was deleted.' };
    const text = [
      control,
      ': heartbeat\n\n',
      event('message', { topic: 'queues:', payload: { queues: [] } }, '7'),
      event('of-a-later-version', {}, '8'),
      event('delta', { topic: 'queues:', from: '7', patch }, '9'),
      event('closed', closed),
    ].join('');
    const events = await open([stream(text)], { delta: true });

    await expect(take(events, 4)).resolves.toEqual([
      { type: 'control', sessionId: 's', subscribed: ['queues:'], errors: [] },
      { type: 'message', id: '7', topic: 'queues:', payload: { queues: [] } },
      { type: 'delta', id: '9', topic: 'queues:', from: '7', patch },
      { type: 'closed', ...closed },
    ]);
    expect(queries()).toEqual(['?topic=dagrun:a/b&topic=queues:&delta=true']);
    expect(server.seen[0]?.headers.authorization).toBe('Bearer abc');
    await events.return(undefined);
  });

  it('opens a stream that has ended again, from its last event, with the topics of that time', async () => {
    const topics = new Set(['queues:']);
    const message = event('message', { topic: 'queues:', payload: 1 }, '7');
    const events = await open([stream(control + message + event('closed', {}), { ends: true }), stream(control)], {
      topics,
      lastEventId: '3',
    });
    await take(events, 3);
    topics.add('dagslist:');

    await expect(take(events, 1)).resolves.toMatchObject([{ type: 'control' }]);
    expect(queries()).toEqual(['?topic=queues:&lastEventId=3', '?topic=queues:&topic=dagslist:&lastEventId=7']);
    await events.return(undefined);
  });

  it('tells of a lost connection and of a server that is not ready, and goes on', async () => {
    const events = await open([
      (response) => response.destroy(),
      json(503, { code: 'unavailable', message: 'There are too many streams.', reason: 'too_many_streams' }),
      stream(control),
    ]);

    await expect(take(events, 3)).resolves.toMatchObject([
      { type: 'disconnected', error: { name: 'TypeError' } },
      { type: 'disconnected', error: { reason: 'too_many_streams' } },
      { type: 'control' },
    ]);
    await events.return(undefined);
  });

  it('opens another stream when nothing was received for too long', async () => {
    const events = await open([() => undefined, stream(control)], { silenceMs: 100 });
    const received: LiveEvent[] = [];
    // A machine under load may be silent for so long more than once.
    for await (const event of events) {
      received.push(event);
      if (event.type === 'control') break;
    }

    expect(received[0]).toMatchObject({ type: 'disconnected', error: { name: 'TimeoutError' } });
  });

  it('throws when the server refuses the stream', async () => {
    const events = await open([json(401, { code: 'unauthenticated', message: 'Sign in.' })]);

    await expect(take(events, 1)).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(server.seen).toHaveLength(1);
  });

  it('ends when its signal is aborted, also in the pause between two connections', async () => {
    const events = await open([stream(control)]);
    await take(events, 1);
    stopping.abort();
    await expect(events.next()).resolves.toEqual({ done: true, value: undefined });
    await server.stop();

    stopping = new AbortController();
    const pausing = await open([stream(control, { ends: true })], { pauseMs: 3_600_000 });
    await take(pausing, 1);
    const next = pausing.next();
    stopping.abort();
    await expect(next).resolves.toEqual({ done: true, value: undefined });
  });

  it('closes the connection when its reader leaves', async () => {
    let closed: Promise<unknown> | undefined;
    const events = await open([
      (response) => {
        closed = once(response, 'close');
        stream(control)(response);
      },
    ]);
    for await (const { type } of events) if (type === 'control') break;

    await expect(closed).resolves.toEqual([]);
  });
});
