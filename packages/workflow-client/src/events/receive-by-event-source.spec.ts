import { createWorkflowClient, readEvents, type EventSourceLike, type LiveEvent } from '..';

/** An `EventSource` that is told what to receive. */
function createFakeEventSource(url: string) {
  const target = new EventTarget();
  const state = { url, isClosed: false };
  return {
    state,
    receive: (name: string, data: unknown, lastEventId = '') =>
      target.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId })),
    fail: () => target.dispatchEvent(new Event('error')),
    addEventListener: (name: string, listener: (event: Event) => void) => target.addEventListener(name, listener),
    close: () => void (state.isClosed = true),
  } satisfies EventSourceLike & Record<string, unknown>;
}

const weir = createWorkflowClient({ baseUrl: '/api/v1' });
const control = { sessionID: 's', subscribed: ['queues:'] };

describe('readEvents with an EventSource', () => {
  it('reads its events, and opens another one from the last event when it fails', async () => {
    const opened: ReturnType<typeof createFakeEventSource>[] = [];
    const stopping = new AbortController();
    const events = readEvents(weir, {
      topics: ['queues:'],
      pauseMs: 1,
      signal: stopping.signal,
      eventSource: (url) => {
        const source = createFakeEventSource(url);
        opened.push(source);
        // A browser calls the listeners later, too.
        queueMicrotask(() => {
          source.receive('control', control);
          if (opened.length > 1) return;
          source.receive('message', { topic: 'queues:', payload: 1 }, '7');
          source.fail();
        });
        return source;
      },
    });
    const types: LiveEvent['type'][] = [];
    for await (const { type } of events) {
      types.push(type);
      if (types.length === 4) break;
    }

    expect(types).toEqual(['control', 'message', 'disconnected', 'control']);
    expect(opened.map(({ state }) => state)).toEqual([
      { url: '/api/v1/events/stream?topic=queues%3A&delta=true', isClosed: true },
      { url: '/api/v1/events/stream?topic=queues%3A&lastEventId=7&delta=true', isClosed: true },
    ]);
  });

  it('ends when its signal is aborted', async () => {
    const stopping = new AbortController();
    const source = createFakeEventSource('');
    const events = readEvents(weir, { topics: [], signal: stopping.signal, eventSource: () => source });
    const next = events.next();
    stopping.abort();

    await expect(next).resolves.toEqual({ done: true, value: undefined });
    expect(source.state.isClosed).toBe(true);
  });
});
