import { openAccessAdmin } from '../../access/principal';
import type { FeedSource } from './feed-source';
import { createLiveHub } from './live-hub';

/** One topic whose state is a number that the spec changes. */
function createCounter() {
  let value = 0;
  let reads = 0;
  const listeners = new Set<() => void>();
  const source: FeedSource = {
    read: () => {
      reads += 1;
      return Promise.resolve({ value, text: 'x'.repeat(100) });
    },
    watch: (_topic, _principal, refresh) => {
      listeners.add(refresh);
      return () => listeners.delete(refresh);
    },
  };
  return {
    source,
    reads: () => reads,
    watchers: () => listeners.size,
    set: (next: number) => {
      value = next;
      for (const refresh of listeners) refresh();
    },
  };
}

let next = 0;
const createHub = (source: FeedSource, maxStreams = 100) =>
  createLiveHub({ source, createSessionId: () => `s${(next += 1)}`, maxStreams });
const topic = 'dagrun:nightly/run-1';
const options = { principal: openAccessAdmin, sendsDeltas: true, lastEventId: '' };

describe('the topics of many sessions', () => {
  it('are read once for all of them', async () => {
    const counter = createCounter();
    const hub = createHub(counter.source);
    const opened = await Promise.all(Array.from({ length: 50 }, () => hub.open([topic], options)));
    const signal = new AbortController();
    const streams = opened.map(({ session }) => session.events(signal.signal));
    const first = await Promise.all(streams.map((stream) => stream.next()));
    expect(counter.reads()).toBe(1);
    counter.set(1);
    const second = await Promise.all(streams.map((stream) => stream.next()));
    signal.abort();

    expect(counter.reads()).toBe(2);
    const [from, ...others] = new Set(first.map(({ value }) => (value as { id: string }).id));
    expect(others).toEqual([]);
    for (const { value } of second) {
      expect(value).toMatchObject({
        event: 'delta',
        id: from?.replace('.1', '.2'),
        data: { from, patch: [{ op: 'replace', path: '/value', value: 1 }] },
      });
    }
  });

  it('give a client that reads slowly the newest state, as a whole', async () => {
    const counter = createCounter();
    const hub = createHub(counter.source);
    const { session } = await hub.open([topic], options);
    const fast = (await hub.open([topic], options)).session;
    const signal = new AbortController();
    const [stream, other] = [session.events(signal.signal), fast.events(signal.signal)];
    await Promise.all([stream.next(), other.next()]);
    for (const value of [1, 2, 3]) {
      counter.set(value);
      await other.next();
    }
    const slow = await stream.next();
    signal.abort();

    expect(slow.value).toMatchObject({ event: 'message', data: { payload: { value: 3 } } });
  });

  it.each([
    ['the same process, which sends what is new', 0, 'delta'],
    ['another process, which sends the whole state', 1, 'message'],
  ])('continue from the last event in %s', async (_case, resumedBy, event) => {
    const counter = createCounter();
    const [first, second] = [createHub(counter.source), createHub(counter.source)];
    const signal = new AbortController();
    // With two topics, the numbers of its states are greater than those of the other.
    const { session } = await first.open([topic, 'dagrun:nightly/run-2'], options);
    const stream = session.events(signal.signal);
    await stream.next();
    const last = await stream.next();
    const hub = [first, second][resumedBy] ?? first;
    const { id: lastEventId } = last.value as { id: string };
    const resumed = await hub.open([topic], { ...options, lastEventId });
    if (resumedBy === 0) counter.set(1);
    const next = await resumed.session.events(signal.signal).next();
    signal.abort();

    expect(next.value).toMatchObject({ event, data: { topic } });
  });

  it('are watched until the last session has gone', async () => {
    const counter = createCounter();
    const hub = createHub(counter.source);
    const { session } = await hub.open([topic], options);
    const missing: FeedSource = { ...counter.source, read: () => Promise.reject(new Error('gone')) };
    const { errors } = await createHub(missing).open([topic], options);

    expect(errors).toEqual([{ topic, code: 'unavailable', message: 'The topic could not be read.' }]);
    // The one that could not be read is not watched any more.
    expect(counter.watchers()).toBe(1);
    hub.close(session);
    await expect(hub.change(session.id, openAccessAdmin, { add: [], remove: [] })).rejects.toMatchObject({
      reason: 'unknown_session',
    });
  });

  it('are refused beyond the number of streams', async () => {
    const hub = createHub(createCounter().source, 1);
    await hub.open([], options);

    await expect(hub.open([], options)).rejects.toMatchObject({ code: 'unavailable', reason: 'too_many_streams' });
  });
});
