import type { SessionLimits } from '../../session';
import { memoryFull, sessionFull } from './session-errors';

/** The limits of one session and of all sessions together. */
export interface SessionRoom {
  readonly limits: SessionLimits;
  /** Bytes of all sessions together; each session updates it. */
  readonly usage: { bytes: number };
  /** Removes exported sessions, as long as all sessions together are at their maximum size. */
  readonly makeRoom: () => void;
}

/** The usage of one session; `interactions` include running ones. */
export interface UsedBySession {
  readonly interactions: number;
  readonly tokens: number;
  readonly bytes: number;
}

/** Throws where another completion would exceed a limit. */
export function assertRoom(room: SessionRoom, used: UsedBySession): void {
  const { limits } = room;
  if (used.interactions >= limits.sessionInteractions) {
    throw sessionFull('model calls', 'session_interactions_exhausted');
  }
  if (used.tokens >= limits.sessionTokens) throw sessionFull('tokens', 'session_tokens_exhausted');
  assertBytes(room, used);
}

/** Throws where the session, or all sessions together, have no bytes left. */
export function assertBytes({ limits, usage, makeRoom }: SessionRoom, used: Pick<UsedBySession, 'bytes'>): void {
  if (used.bytes >= limits.sessionBytes) throw sessionFull('bytes', 'session_bytes_exhausted');
  if (usage.bytes >= limits.bytes) makeRoom();
  if (usage.bytes >= limits.bytes) throw memoryFull();
}
