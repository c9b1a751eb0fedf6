import { createTabService } from './serve-tabs';
import type { FromTab, ToTab } from './tab-messages';

interface Source extends EventTarget {
  readonly url: URL;
  readonly isClosed: boolean;
}

const sources: Source[] = [];
const { EventSource: original, fetch: originalFetch } = globalThis;

beforeEach(() => {
  sources.length = 0;
  globalThis.EventSource = class extends EventTarget {
    readonly url: URL;
    isClosed = false;
    constructor(url: string) {
      super();
      this.url = new URL(url);
      sources.push(this);
    }
    close(): void {
      this.isClosed = true;
    }
  } as unknown as typeof EventSource;
});
afterAll(() => {
  globalThis.EventSource = original;
  globalThis.fetch = originalFetch;
});

const open = (): readonly Source[] => sources.filter(({ isClosed }) => !isClosed);
const stream = (): Source => {
  const [source] = open();
  if (source === undefined) throw new Error('No stream is open.');
  return source;
};
const send = (name: string, data: object, id = ''): boolean =>
  stream().dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId: id }));
const beLive = (): boolean => send('control', { sessionID: 's', subscribed: [] });
const queryOf = (name: string): string | null => stream().url.searchParams.get(name);

/** A tab; what it is told is there after the promise. */
function openTab(connect: (port: MessagePort) => void) {
  const { port1, port2 } = new MessageChannel();
  const told: ToTab[] = [];
  port1.onmessage = ({ data }: MessageEvent<ToTab>) => told.push(data);
  connect(port2);
  return {
    tell: async (message: FromTab) => {
      port1.postMessage(message);
      await settle();
    },
    follow: async (...topics: string[]) => {
      port1.postMessage({ type: 'topics', address: 'http://weir.test/api/v1', topics } satisfies FromTab);
      await settle();
    },
    told: async () => {
      await settle();
      return told.splice(0);
    },
    close: () => port1.close(),
  };
}

/** Until the messages between ports have arrived. */
async function settle(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  for (let hop = 0; hop < 3; hop += 1) {
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage('hop');
    });
  }
  port1.close();
}

const ofType = (type: ToTab['type'], told: readonly ToTab[]): readonly ToTab[] =>
  told.filter((message) => message.type === type);

describe('the shared stream of all tabs', () => {
  it('is a single one with the topics of all tabs', async () => {
    const connect = createTabService();
    const [one, other] = [openTab(connect), openTab(connect)];
    await one.follow('queues:');
    beLive();
    send('message', { topic: 'queues:', payload: 1 }, '7');
    await other.follow('queues:');

    expect(open()).toHaveLength(1);
    expect(ofType('event', await one.told())).toMatchObject([{ event: { id: '7', payload: 1 } }]);
    // The second is told at once what the first knows.
    expect(ofType('event', await other.told())).toMatchObject([{ event: { id: '7', payload: 1 } }]);
    one.close();
    other.close();
  });

  it('continues for the other tabs when the tab that opened it is closed', async () => {
    const connect = createTabService();
    const [one, other] = [openTab(connect), openTab(connect)];
    await one.follow('queues:');
    await other.follow('queues:');
    beLive();
    send('message', { topic: 'queues:', payload: 1 }, '7');
    await one.tell({ type: 'leave' });
    await other.told();
    const patch = [{ op: 'replace', path: '', value: 2 }];
    send('delta', { topic: 'queues:', from: '7', patch }, '8');

    expect(sources).toHaveLength(1);
    expect(await other.told()).toMatchObject([{ type: 'event', event: { type: 'delta', id: '8' } }]);
    expect(ofType('event', await one.told())).toHaveLength(1);
    one.close();
    other.close();
  });

  it('is closed when no tab follows anything', async () => {
    const connect = createTabService();
    const tab = openTab(connect);
    await tab.follow('queues:');
    beLive();
    await tab.tell({ type: 'leave' });

    expect(open()).toEqual([]);
    tab.close();
  });

  it('is reopened at once when it ends, from its last event, without reporting a loss to any tab', async () => {
    const connect = createTabService();
    const tab = openTab(connect);
    await tab.follow('queues:');
    beLive();
    send('message', { topic: 'queues:', payload: 1 }, '7');
    stream().dispatchEvent(new Event('error'));

    expect(sources).toHaveLength(2);
    expect(queryOf('lastEventId')).toBe('7');
    beLive();
    expect(ofType('state', await tab.told())).not.toContainEqual(expect.objectContaining({ state: 'retrying' }));
    tab.close();
  });

  describe('requests a topic again that the server could not read', () => {
    const failure = { topic: 'queues:', code: 'unavailable', message: 'The topic could not be read.' };
    const changes: unknown[] = [];
    const answers: object[] = [];

    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'performance'] });
      changes.length = 0;
      answers.splice(0, answers.length, { subscribed: [], errors: [failure] }, { subscribed: ['queues:'], errors: [] });
      globalThis.fetch = (_address, request) => {
        changes.push(JSON.parse(request?.body as string));
        return Promise.resolve(Response.json(answers.shift()));
      };
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it.each([
      ['when it was opened', () => send('control', { sessionID: 's', subscribed: [], errors: [failure] })],
      ['later', () => beLive() && send('message', { topic: 'queues:', payload: 1 }, '7') && send('closed', failure)],
    ])('%s, until it can be read', async (_case, fail) => {
      const tab = openTab(createTabService());
      await tab.follow('queues:');
      fail();
      for (let turn = 0; turn < 3; turn += 1) {
        await jest.advanceTimersByTimeAsync(2000);
        await settle();
      }

      expect(changes).toEqual(Array.from({ length: 2 }, () => ({ sessionID: 's', add: ['queues:'], remove: [] })));
      expect(sources).toHaveLength(1);
      await tab.tell({ type: 'leave' });
      tab.close();
    });
  });

  it('notifies all tabs of the loss when it cannot be reopened', async () => {
    const connect = createTabService();
    const tabs = [openTab(connect), openTab(connect)];
    for (const tab of tabs) await tab.follow('queues:');
    beLive();
    for (let lost = 0; lost < 2; lost += 1) stream().dispatchEvent(new Event('error'));

    for (const tab of tabs) {
      expect((await tab.told()).at(-1)).toMatchObject({ state: 'retrying', lastSign: expect.anything() as Date });
      await tab.tell({ type: 'leave' });
      tab.close();
    }
    expect(open()).toEqual([]);
  });
});
