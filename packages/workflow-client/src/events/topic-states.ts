import { immutableJSONPatch, type JSONPatchDocument } from 'immutable-json-patch';
import type { DeltaEvent, StateEvent } from './live-event';

export type TopicStates = ReturnType<typeof createTopicStates>;

/**
 * Keeps the states of topics from a stream with patches. Parts of a payload that have not changed stay the same
 * objects.
 */
export function createTopicStates() {
  const states = new Map<string, StateEvent>();
  let lastEventId: string | undefined;

  const toState = (event: StateEvent | DeltaEvent): StateEvent | undefined => {
    if (event.type === 'message') return event;
    const known = states.get(event.topic);
    if (known?.id !== event.from) return undefined;
    const { id, topic, patch } = event;
    // The values of a patch are what JSON can be parsed to.
    return { type: 'message', id, topic, payload: immutableJSONPatch(known.payload, patch as JSONPatchDocument) };
  };

  return {
    get: (topic: string): StateEvent | undefined => states.get(topic),
    /** The state of the topic after the event; nothing when that is a patch of another state than the one known. */
    update(event: StateEvent | DeltaEvent): StateEvent | undefined {
      const state = toState(event);
      if (state === undefined) return undefined;
      states.set(state.topic, state);
      lastEventId = state.id;
      return state;
    },
    forget: (topic: string): void => void states.delete(topic),
    /**
     * The id from which a stream of these topics can go on, and the others are forgotten. Nothing unless all of them are
     * known: the server would not send a state that the id covers.
     */
    resumeAt(topics: Iterable<string>): string | undefined {
      const wanted = new Set(topics);
      for (const topic of states.keys()) if (!wanted.has(topic)) states.delete(topic);
      return states.size === wanted.size ? lastEventId : undefined;
    },
    /** So that a stream begins with whole states. */
    clear: (): void => states.clear(),
  };
}
