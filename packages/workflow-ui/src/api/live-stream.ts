import {
  createTopicStates,
  parseLiveEvent,
  type DeltaEvent,
  type ReceivedEvent,
  type StateEvent,
} from '@weir/workflow-client';
import { api } from './client';
import { unwrap } from './failure';
import { apiAddress } from './base-address';

/** `idle` where nothing on the page is live. */
export type LiveState = 'idle' | 'connecting' | 'live' | 'retrying';
type PayloadListener = (payload: unknown) => void;

const shortestDelayMs = 1000;
// Short, so that a page is live again soon after its server is.
const longestDelayMs = 5000;

/**
 * One stream of server-sent events for all topics of the page. It is open while a topic has a listener, is opened again
 * after a loss, later each time, and resumes where it was. What has changed arrives as patches where they are shorter.
 */
export class LiveStream {
  readonly #listeners = new Map<string, Set<PayloadListener>>();
  readonly #stateListeners = new Set<() => void>();
  #state: LiveState = 'idle';
  #lastSign: Date | undefined;
  #source: EventSource | undefined;
  /** Known once the server has answered. */
  #sessionId: string | undefined;
  #subscribed: ReadonlySet<string> = new Set();
  readonly #states = createTopicStates();
  #delayMs = shortestDelayMs;
  #isFollowingNetwork = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isSyncPlanned = false;

  readonly getState = (): LiveState => this.#state;

  /** When the server was heard last. */
  readonly getLastSign = (): Date | undefined => this.#lastSign;

  readonly onStateChange = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  /** Has `listener` called with every new payload of the topic, until the returned function is called. */
  subscribe(topic: string, listener: PayloadListener): () => void {
    const known = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, known.add(listener));
    this.#planSync();
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.#listeners.get(topic) === known) this.#listeners.delete(topic);
      this.#planSync();
    };
  }

  /** Brings the topics of the stream in line with those that have listeners, once for all changes of a moment. */
  #planSync(): void {
    if (this.#isSyncPlanned) return;
    this.#isSyncPlanned = true;
    queueMicrotask(() => {
      this.#isSyncPlanned = false;
      if (this.#listeners.size === 0) {
        this.#close();
        this.#setState('idle');
      } else if (this.#source !== undefined) void this.#changeTopics();
      else if (this.#retry === undefined) this.#open();
      this.#followNetwork();
    });
  }

  /** Where the browser notices the network before the stream does. */
  #followNetwork(): void {
    if (this.#isFollowingNetwork) return;
    this.#isFollowingNetwork = true;
    addEventListener('offline', () => {
      if (this.#source !== undefined) this.#reopen();
    });
    addEventListener('online', () => {
      this.#delayMs = shortestDelayMs;
      if (this.#listeners.size > 0) this.#open();
    });
  }

  #open(): void {
    this.#close();
    this.#subscribed = new Set(this.#listeners.keys());
    const query = new URLSearchParams({ topics: [...this.#subscribed].join(','), delta: 'true' });
    const lastEventId = this.#states.resumeAt(this.#subscribed);
    if (lastEventId !== undefined) query.set('lastEventId', lastEventId);
    const source = new EventSource(`${apiAddress}/events/stream?${query.toString()}`);
    for (const name of ['control', 'message', 'delta', 'closed']) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        this.#lastSign = new Date();
        this.#receive({ event: name, id: event.lastEventId, data: event.data });
      });
    }
    source.addEventListener('error', () => this.#reopen());
    this.#source = source;
    if (this.#state === 'idle') this.#setState('connecting');
  }

  #receive(received: ReceivedEvent): void {
    const event = parseLiveEvent(received);
    if (event?.type === 'control') {
      this.#sessionId = event.sessionId;
      this.#delayMs = shortestDelayMs;
      this.#setState('live');
      this.#planSync();
    } else if (event?.type === 'closed') this.#states.forget(event.topic);
    // What is on its way when nobody listens any more is no longer known.
    else if (event !== undefined && this.#subscribed.has(event.topic)) this.#update(event);
  }

  #update(event: StateEvent | DeltaEvent): void {
    const state = this.#states.update(event);
    if (state === undefined) {
      // A new stream begins with whole states.
      this.#states.clear();
      this.#open();
      return;
    }
    for (const listener of this.#listeners.get(state.topic) ?? []) listener(state.payload);
  }

  async #changeTopics(): Promise<void> {
    if (this.#sessionId === undefined) return;
    const add = [...this.#listeners.keys()].filter((topic) => !this.#subscribed.has(topic));
    const remove = [...this.#subscribed].filter((topic) => !this.#listeners.has(topic));
    if (add.length === 0 && remove.length === 0) return;
    for (const topic of remove) this.#states.forget(topic);
    this.#subscribed = new Set(this.#listeners.keys());
    const body = { sessionID: this.#sessionId, add, remove };
    try {
      await unwrap(api.POST('/events/stream/topics', { body }));
    } catch {
      // The stream is gone; a new one begins with all topics.
      this.#reopen();
    }
  }

  #reopen(): void {
    this.#close();
    this.#setState('retrying');
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      if (this.#listeners.size > 0) this.#open();
    }, this.#delayMs);
    this.#delayMs = Math.min(longestDelayMs, this.#delayMs * 2);
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
    this.#sessionId = undefined;
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }
}

/** The stream of this page. */
export const liveStream = new LiveStream();
