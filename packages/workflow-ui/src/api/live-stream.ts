import { createTopicStates } from '@weir/workflow-client';
import { apiAddress } from './api-address';
import type { LiveState, TopicEvent } from './event-stream';
import { openPort } from './open-port';
import type { FromTab, ToTab } from './tab-messages';

type PayloadListener = (payload: unknown) => void;

const reconnectMs = 2000;

/** The topics that this tab follows, on the stream that all tabs of the user share. */
class LiveStream {
  readonly #listeners = new Map<string, Set<PayloadListener>>();
  readonly #stateListeners = new Set<() => void>();
  readonly #states = createTopicStates();
  #state: LiveState = 'idle';
  #lastSign: Date | undefined;
  #user: string | undefined;
  #port: MessagePort | undefined;
  /** The topics that the shared stream knows of. */
  #followed: ReadonlySet<string> = new Set();
  #isSyncPlanned = false;

  readonly getState = (): LiveState => this.#state;

  /** The time of the last event, where the stream is lost. */
  readonly getLastSign = (): Date | undefined => this.#lastSign;

  readonly onStateChange = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => {
      this.#stateListeners.delete(listener);
    };
  };

  /** Calls `listener` with every new payload of the topic, until the returned function is called. */
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

  /** Nothing is followed before there is a user, whose other tabs share the stream. */
  begin(user: string): void {
    if (this.#user !== undefined && this.#user !== user) {
      // Data that another user has seen must not stay in the page.
      location.reload();
      return;
    }
    if (this.#user === undefined) this.#followPage();
    this.#user = user;
    this.#planSync();
  }

  /** The session has ended. */
  end(): void {
    this.#leave();
    this.#setState('idle');
  }

  #followPage(): void {
    // The browser may notice the network before the stream does.
    addEventListener('offline', () => this.#tell({ type: 'network', isOnline: false }));
    addEventListener('online', () => this.#tell({ type: 'network', isOnline: true }));
    addEventListener('pagehide', () => this.#leave());
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#planSync();
    });
  }

  /** Reports the topics that have listeners, once for several concurrent changes. */
  #planSync(): void {
    if (this.#isSyncPlanned) return;
    this.#isSyncPlanned = true;
    queueMicrotask(() => {
      this.#isSyncPlanned = false;
      if (this.#user !== undefined) this.#sync(this.#user);
    });
  }

  #sync(user: string): void {
    const topics = new Set(this.#listeners.keys());
    const gone = [...this.#followed].filter((topic) => !topics.has(topic));
    if (gone.length === 0 && topics.size === this.#followed.size) return;
    for (const topic of gone) this.#states.forget(topic);
    this.#followed = topics;
    this.#port ??= this.#connect(user);
    this.#tell({ type: 'topics', address: apiAddress, topics: [...topics] });
    if (topics.size === 0) this.#setState('idle');
  }

  #connect(user: string): MessagePort {
    const port = openPort(user, () => {
      // The code of the worker could not be loaded.
      port.close();
      this.#port = undefined;
      this.#followed = new Set();
      this.#lastSign ??= new Date();
      this.#setState('retrying');
      setTimeout(() => this.#planSync(), reconnectMs);
    });
    port.addEventListener('message', ({ data }: MessageEvent<ToTab>) => this.#receive(data));
    port.start();
    return port;
  }

  #receive(message: ToTab): void {
    // The event was sent before the tab has left.
    if (this.#followed.size === 0) return;
    if (message.type === 'event') {
      this.#update(message.event);
      return;
    }
    this.#lastSign = message.lastSign;
    this.#setState(message.state);
  }

  #update(event: TopicEvent): void {
    const state = this.#states.update(event);
    if (state === undefined) {
      // Leaving and subscribing again requests whole states.
      this.#leave();
      this.#planSync();
      return;
    }
    for (const listener of this.#listeners.get(state.topic) ?? []) listener(state.payload);
  }

  #leave(): void {
    this.#followed = new Set();
    this.#states.clear();
    this.#tell({ type: 'leave' });
  }

  #tell(message: FromTab): void {
    this.#port?.postMessage(message);
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }
}

/** The stream of this tab. */
export const liveStream = new LiveStream();
