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
  it('reads the events of the topics, with patches as complete states', async () => {
    const queue = (running: number) => ({
      queues: [
        { name: 'a', running },
        { name: 'b', running: 0 },
      ],
    });
    const patch = [{ op: 'replace', path: '/queues/0/running', value: 2 }];
    const closed = { topic: 'dagrun:a/b', code: 'not_found', message: 'It was deleted.' };
    const text = [
      control,
      ': heartbeat\n\n',
      event('message', { topic: 'queues:', payload: queue(1) }, '7'),
      event('of-a-later-version', {}, '8'),
      event('delta', { topic: 'queues:', from: '7', patch }, '9'),
      event('closed', closed),
    ].join('');
    const events = await open([stream(text)]);

    await expect(take(events, 4)).resolves.toEqual([
      { type: 'control', sessionId: 's', subscribed: ['queues:'], errors: [] },
      { type: 'message', id: '7', topic: 'queues:', payload: queue(1) },
      { type: 'message', id: '9', topic: 'queues:', payload: queue(2) },
      { type: 'closed', ...closed },
    ]);
    expect(queries()).toEqual(['?topic=dagrun:a/b&topic=queues:&delta=true']);
    expect(server.seen[0]?.headers.authorization).toBe('Bearer abc');
    await events.return(undefined);
  });

  it('reopens an ended stream from its last event', async () => {
    const messages =
      event('message', { topic: 'queues:', payload: 1 }, '7') +
      event('message', { topic: 'dagrun:a/b', payload: 1 }, '8');
    const patch = [{ op: 'replace', path: '', value: 2 }];
    const events = await open([
      stream(control + messages, { ends: true }),
      stream(control + event('delta', { topic: 'queues:', from: '7', patch }, '9')),
    ]);

    await expect(take(events, 5)).resolves.toMatchObject([
      ...[{ type: 'control' }, { payload: 1 }, { payload: 1 }, { type: 'control' }],
      { topic: 'queues:', payload: 2 },
    ]);
    expect(queries()[1]).toBe('?topic=dagrun:a/b&topic=queues:&lastEventId=8&delta=true');
    await events.return(undefined);
  });

  it('requests complete states when there is another topic, and when a topic was closed', async () => {
    const topics = new Set(['queues:']);
    const message = event('message', { topic: 'queues:', payload: 1 }, '7');
    const closed = event('closed', { topic: 'queues:', code: 'not_found', message: 'It was deleted.' });
    const events = await open(
      [stream(control + message, { ends: true }), stream(control + message + closed, { ends: true }), stream(control)],
      { topics },
    );
    await take(events, 2);
    topics.add('dagslist:');
    await take(events, 2);
    topics.delete('dagslist:');
    await take(events, 2);

    expect(queries()).toEqual([
      '?topic=queues:&delta=true',
      '?topic=queues:&topic=dagslist:&delta=true',
      '?topic=queues:&delta=true',
    ]);
    await events.return(undefined);
  });

  it('starts again with complete states when a patch does not apply', async () => {
    const patch = [{ op: 'replace', path: '', value: 2 }];
    const events = await open(
      [
        stream(
          event('message', { topic: 'queues:', payload: 1 }, '7') +
            event('delta', { topic: 'queues:', from: '8', patch }, '9'),
        ),
        stream(control),
      ],
      { topics: ['queues:'] },
    );

    await expect(take(events, 3)).resolves.toMatchObject([
      { payload: 1 },
      { type: 'disconnected', error: { message: 'A patch of "queues:" does not fit what was received before.' } },
      { type: 'control' },
    ]);
    expect(queries()[1]).toBe('?topic=queues:&delta=true');
    await events.return(undefined);
  });

  it('reports a lost connection and a server that is not ready, and continues', async () => {
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

  it('ends when its signal is aborted, even in the pause between two connections', async () => {
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

  it('closes the connection when its reader stops', async () => {
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
