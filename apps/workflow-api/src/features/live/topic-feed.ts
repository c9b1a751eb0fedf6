import type { ServerEvent } from '@weir/http-contract';
import { compare } from 'fast-json-patch';

export interface TopicState {
  /** The id grows with every state of every topic of this process. */
  readonly id: number;
  readonly payload: unknown;
  /** The payload as JSON. */
  readonly json: string;
  /** The whole state, for clients that have no state or an older one. */
  readonly message: ServerEvent;
}

export interface TopicFeedOptions {
  /** The name of the topic in events. */
  readonly topic: string;
  readonly read: () => Promise<unknown>;
  readonly nextId: () => number;
  /** Returns the event id of a state. */
  readonly toEventId: (id: number) => string;
  /** Called when a read fails; the feed is not read again. */
  readonly onFailure: (error: unknown) => void;
  /** Called after the state has changed. */
  readonly onChange: () => void;
  /** The minimum pause between two reads. After a longer read, the pause takes as long as the read. */
  readonly pauseMs: number;
  readonly now: () => number;
  readonly later: (work: () => void, delayMs: number) => void;
}

export type TopicFeed = ReturnType<typeof createTopicFeed>;

/**
 * Reads the state of a topic once for all its subscribers: at first, and after each change, never twice at a time.
 * All subscribers get the same events, which are serialized once.
 */
export function createTopicFeed(options: TopicFeedOptions) {
  const { topic, read, nextId, toEventId, onFailure, onChange, pauseMs, now, later } = options;
  let state: TopicState | undefined;
  let previous: TopicState | undefined;
  /** The event that leads from the previous state to the current one; it is created when it is needed first. */
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
    /** Reads the state soon, and only once for several calls. */
    refresh: (): void => {
      isStale = true;
      if (reading === undefined) schedule();
    },
    /**
     * Returns the event that leads from the state of this id to this state: a patch if the two states are consecutive
     * and the patch is shorter, otherwise the whole state.
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
  // The text is parsed again, because the read value may share objects with others, and has fields that JSON leaves out.
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
