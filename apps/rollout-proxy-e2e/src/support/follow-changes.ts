import type { SessionChanges } from '@weir/rollout-contract';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { adminKey } from './rollout-proxy';

/** A live stream of a proxy, and what it has told so far. */
export interface FollowedChanges {
  /** How often it said that lists have to be read. */
  readonly readies: () => number;
  /** What is known of each session that was told of and not removed after that. */
  readonly sessions: ReadonlyMap<string, SessionChanges['sessions'][number]>;
  readonly removed: ReadonlySet<string>;
  readonly stop: () => Promise<void>;
}

/** Resolves when the answer has begun. */
export async function followChanges(url: string): Promise<FollowedChanges> {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/rl/events`, { headers: { 'x-api-key': adminKey }, signal: leaving.signal });
  if (!answer.ok || answer.body === null) throw new Error(`The stream was refused with ${answer.status}.`);
  const sessions = new Map<string, SessionChanges['sessions'][number]>();
  const removed = new Set<string>();
  let readies = 0;
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of events) {
      if (event === 'ready') readies += 1;
      if (event !== 'changes') continue;
      const changes = JSON.parse(data) as SessionChanges;
      for (const session of changes.sessions) sessions.set(session.session_id, session);
      for (const id of changes.removed) {
        sessions.delete(id);
        removed.add(id);
      }
    }
  };
  // Ends with the stream.
  const reading = read(answer.body).catch(() => undefined);
  return {
    readies: () => readies,
    sessions,
    removed,
    stop: async () => {
      leaving.abort();
      await reading;
    },
  };
}
