import type { ServerEvent } from '@weir/http-contract';
import { compare } from 'fast-json-patch';

export interface TopicState {
  /** Grows with every state of every topic of this process. */
  readonly id: number;
  readonly payload: unknown;
  /** The payload as JSON. */
  readonly json: string;
  /** The whole state, for clients that have none or an older one. */
  readonly message: ServerEvent;
}

export interface TopicFeedOptions {
  /** The topic, as events name it. */
  readonly topic: string;
  readonly read: () => Promise<unknown>;
  readonly nextId: () => number;
  /** The id of the event of a state. */
  readonly toEventId: (id: number) => string;
  /** Called with a failure of a reading; the feed is not read again. */
  readonly onFailure: (error: unknown) => void;
  /** Called after the state has changed. */
  readonly onChange: () => void;
  /** Least pause between two readings. A reading that takes longer makes the pause as long. */
  readonly pauseMs: number;
  readonly now: () => number;
  readonly later: (work: () => void, delayMs: number) => void;
}

export type TopicFeed = ReturnType<typeof createTopicFeed>;

/**
 * The state of a topic, read once for all its subscribers: at first, and after each change, never twice at a time. All of
 * them are sent the same events, which are serialized once.
 */
export function createTopicFeed(options: TopicFeedOptions) {
  const { topic, read, nextId, toEventId, onFailure, onChange, pauseMs, now, later } = options;
  let state: TopicState | undefined;
  let previous: TopicState | undefined;
  /** Leads from the previous state to the current one. Made when it is asked for first. */
  let delta: ServerEvent | undefined;
  let reading: Promise<void> | undefined;
  let isStale = false;
  let isScheduled = false;
  let readyAt = 0;

  const readOnce = async (): Promise<void> => {
    isStale = false;
    const begun = now();
    const json = JSON.stringify(await read());
    readyAt = now() + Math.max(pauseMs, now() - begun);
    if (json === state?.json) return;
    previous = state;
    delta = undefined;
    state = toState(topic, { id: nextId(), json, toEventId });
    onChange();
  };
  const start = (): Promise<void> => {
    reading ??= readOnce().finally(() => {
      reading = undefined;
      if (isStale) schedule();
    });
    return reading;
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    later(
      () => {
        isScheduled = false;
        start().catch(onFailure);
      },
      Math.max(0, readyAt - now()),
    );
  };

  return {
    state: () => state,
    /** Reads the state now. Rejects when it cannot be read. */
    load: start,
    /** Reads the state soon, however often it is called meanwhile. */
    refresh: (): void => {
      isStale = true;
      if (reading === undefined) schedule();
    },
    /**
     * What leads from the state of this id to this state: a patch where one is the state before the other and the patch
     * is shorter, otherwise the whole state.
     */
    deltaFrom: (id: number, to: TopicState): ServerEvent => {
      if (to !== state || previous?.id !== id) return to.message;
      delta ??= toDelta(topic, { from: previous, to: state, toEventId });
      return delta;
    },
  };
}

type ToEventId = Pick<TopicFeedOptions, 'toEventId'>;

function toState(topic: string, { id, json, toEventId }: Pick<TopicState, 'id' | 'json'> & ToEventId): TopicState {
  // Parsed again, because what was read may share objects with others, and has what JSON leaves out.
  const payload = JSON.parse(json) as unknown;
  return { id, payload, json, message: { event: 'message', id: toEventId(id), data: { topic, payload } } };
}

interface Step extends ToEventId {
  readonly from: TopicState;
  readonly to: TopicState;
}

function toDelta(topic: string, { from, to, toEventId }: Step): ServerEvent {
  const patch = compare(from.payload as object, to.payload as object);
  if (JSON.stringify(patch).length >= to.json.length) return to.message;
  return { event: 'delta', id: toEventId(to.id), data: { topic, from: toEventId(from.id), patch } };
}
