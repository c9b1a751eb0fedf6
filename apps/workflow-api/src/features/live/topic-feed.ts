import type { Operation } from 'fast-json-patch';
import { compare } from 'fast-json-patch';

export interface TopicState {
  /** Grows with every state of every topic, also beyond a restart. */
  readonly id: number;
  readonly payload: unknown;
  /** The payload as JSON. */
  readonly json: string;
}

export interface TopicFeedOptions {
  readonly read: () => Promise<unknown>;
  readonly nextId: () => number;
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

/** The state of a topic, read once for all its subscribers: at first, and after each change, never twice at a time. */
export function createTopicFeed({ read, nextId, onFailure, onChange, pauseMs, now, later }: TopicFeedOptions) {
  let state: TopicState | undefined;
  let previous: TopicState | undefined;
  let patch: { readonly from: number; readonly operations: readonly Operation[] } | undefined;
  let reading: Promise<void> | undefined;
  let isStale = false;
  let isScheduled = false;
  let readyAt = 0;

  const readOnce = async (): Promise<void> => {
    isStale = false;
    const begun = now();
    const payload = await read();
    const json = JSON.stringify(payload);
    readyAt = now() + Math.max(pauseMs, now() - begun);
    if (json === state?.json) return;
    previous = state;
    patch = undefined;
    // Parsed again, because the payload may share objects with others, and has what JSON leaves out.
    state = { id: nextId(), payload: JSON.parse(json) as unknown, json };
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
    /** What leads from the state of this id to the current one; nothing unless that is the one before. */
    patchFrom: (id: number): readonly Operation[] | undefined => {
      if (state === undefined || previous?.id !== id) return undefined;
      patch ??= { from: id, operations: compare(previous.payload as object, state.payload as object) };
      return patch.operations;
    },
  };
}
