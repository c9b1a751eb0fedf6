import {
  createTopicStates,
  parseLiveEvent,
  type DeltaEvent,
  type ReceivedEvent,
  type Schemas,
  type StateEvent,
} from '@weir/workflow-client';

/** The state is `idle` where no topic is live. */
export type LiveState = 'idle' | 'connecting' | 'live' | 'retrying';
export type TopicEvent = StateEvent | DeltaEvent;
type TopicError = Schemas['StreamTopicError'];
type TopicListener = (event: TopicEvent) => void;

const shortestDelayMs = 1000;
// The delay is short, so that a page is live again soon after its server is.
const longestDelayMs = 5000;
/** Limits the topics in the address; the others are added once the stream is open. */
const topicsOfAddress = 20;
/** A topic that the server could not read is requested again after this time. */
const unreadDelayMs = 2000;
const topicsTimeoutMs = 30_000;

/**
 * One stream of server-sent events for all topics. It is open while a topic has a listener, and resumes where it was:
 * a stream that ends is opened again at once, one that cannot be opened later each time. Changes arrive as patches
 * where these are shorter.
 */
export class EventStream {
  readonly #address: string;
  readonly #listeners = new Map<string, Set<TopicListener>>();
  readonly #stateListeners = new Set<() => void>();
  #state: LiveState = 'idle';
  #lastSign: Date | undefined;
  #source: EventSource | undefined;
  /** Set once the server has answered. */
  #sessionId: string | undefined;
  #subscribed: ReadonlySet<string> = new Set();
  readonly #states = createTopicStates();
  #delayMs = shortestDelayMs;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isSyncPlanned = false;

  /** `address` is the address of the API. */
  constructor(address: string) {
    this.#address = address;
  }

  readonly getState = (): LiveState => this.#state;

  /** Returns when the server last sent something. */
  readonly getLastSign = (): Date | undefined => this.#lastSign;

  readonly onStateChange = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => {
      this.#stateListeners.delete(listener);
    };
  };

  /**
   * Calls `listener` with every event of the topic, until the returned function is called; first with the state that
   * other listeners have.
   */
  subscribe(topic: string, listener: TopicListener): () => void {
    const known = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, known.add(listener));
    const state = this.#state === 'live' ? this.#states.get(topic) : undefined;
    if (state !== undefined) listener(state);
    this.#planSync();
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.#listeners.get(topic) === known) this.#listeners.delete(topic);
      this.#planSync();
    };
  }

  /** For callers that notice changes of the network before the stream does. */
  changeNetwork(isOnline: boolean): void {
    if (this.#listeners.size === 0) return;
    if (!isOnline) this.#reopen();
    else if (this.#state !== 'live') {
      this.#delayMs = shortestDelayMs;
      this.#open();
    }
  }

  /** Updates the topics of the stream to those with listeners, once for several concurrent changes. */
  #planSync(): void {
    if (this.#isSyncPlanned) return;
    this.#isSyncPlanned = true;
    queueMicrotask(() => {
      this.#isSyncPlanned = false;
      if (this.#listeners.size === 0) {
        this.#close();
        this.#states.clear();
        this.#setState('idle');
      } else if (this.#source !== undefined) void this.#changeTopics();
      else if (this.#retry === undefined) this.#open();
    });
  }

  #open(): void {
    this.#close();
    const topics = [...this.#listeners.keys()];
    const lastEventId = this.#states.resumeAt(topics);
    this.#subscribed = new Set(topics.slice(0, topicsOfAddress));
    const query = new URLSearchParams({ topics: [...this.#subscribed].join(','), delta: 'true' });
    if (lastEventId !== undefined) query.set('lastEventId', lastEventId);
    const source = new EventSource(`${this.#address}/events/stream?${query.toString()}`);
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
      this.#handleErrors(event.errors);
    } else if (event?.type === 'closed') this.#handleErrors([event]);
    // Events without a listener are outdated when the next one subscribes.
    else if (event !== undefined && this.#subscribed.has(event.topic)) this.#update(event);
  }

  #update(event: TopicEvent): void {
    if (this.#states.update(event) === undefined) {
      // A new stream begins with whole states.
      this.#states.clear();
      this.#open();
      return;
    }
    for (const listener of this.#listeners.get(event.topic) ?? []) listener(event);
  }

  async #changeTopics(): Promise<void> {
    if (this.#sessionId === undefined) return;
    const add = [...this.#listeners.keys()].filter((topic) => !this.#subscribed.has(topic));
    const remove = [...this.#subscribed].filter((topic) => !this.#listeners.has(topic));
    if (add.length === 0 && remove.length === 0) return;
    for (const topic of remove) this.#states.forget(topic);
    this.#subscribed = new Set(this.#listeners.keys());
    const source = this.#source;
    const errors = await this.#sendTopics({ sessionID: this.#sessionId, add, remove });
    if (this.#source !== source) return;
    // The stream has ended; a new one begins with all topics.
    if (errors === undefined) this.#reopen();
    else this.#handleErrors(errors);
  }

  /** A server that has just started, or is busy, may fail to read a topic that it can read soon. */
  #handleErrors(errors: readonly TopicError[]): void {
    for (const { topic } of errors) this.#states.forget(topic);
    const unread = errors.filter(({ code }) => code === 'unavailable').map(({ topic }) => topic);
    if (unread.length === 0) return;
    const source = this.#source;
    setTimeout(() => {
      if (this.#source !== source) return;
      this.#subscribed = new Set([...this.#subscribed].filter((topic) => !unread.includes(topic)));
      this.#planSync();
    }, unreadDelayMs);
  }

  /**
   * Returns the topics that were not subscribed; `undefined` where the change was refused. It does without the client
   * of the API, which is half as large as the whole worker.
   */
  async #sendTopics(change: Schemas['ChangeStreamTopicsRequest']): Promise<readonly TopicError[] | undefined> {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
      signal: AbortSignal.timeout(topicsTimeoutMs),
    };
    try {
      const answer = await fetch(`${this.#address}/events/stream/topics`, request);
      return answer.ok ? ((await answer.json()) as Schemas['ChangeStreamTopicsResponse']).errors : undefined;
    } catch {
      return undefined;
    }
  }

  #reopen(): void {
    this.#close();
    if (this.#state === 'live') {
      // Streams end after some minutes, which nobody needs to know.
      this.#setState('connecting');
      this.#open();
      return;
    }
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
