import type { StoredSession } from '../features/sessions';
import type { Replica } from './lease';

/** How a request names its session. */
export type SessionName = { readonly keyHash: string } | { readonly id: string };

export interface ListedSession {
  readonly id: string;
  /** `undefined` while nobody owns it. */
  readonly owner: Replica | undefined;
}

/** Where the sessions of all replicas are. All rejections are `unavailable`. */
export interface SessionDirectory {
  /** A key names the session that was started last with it. */
  find(name: SessionName): Promise<ListedSession | undefined>;
  /** Ids of sessions without an owner, in random order: replicas that look at the same time do not take the same ones. */
  orphans(except: readonly string[], limit: number): Promise<readonly string[]>;
  /**
   * Becomes the owner of a session that has none, and reads its records. `undefined` if it has another owner, or if
   * there is no such session.
   */
  takeOver(sessionId: string): Promise<StoredSession | undefined>;
  /** Gives up sessions of this replica; what it still writes to them is refused. */
  release(sessionIds: readonly string[]): Promise<void>;
}
