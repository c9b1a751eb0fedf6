import type { AgentSession, NewMessage, StoredMessage } from './agent-session';

/** The changes that a message makes to its session. */
export interface SessionChanges {
  readonly modelId?: string | null;
  readonly soulId?: string | null;
  readonly prompt?: AgentSession['prompt'];
  readonly addedTokens?: number;
  readonly addedCost?: number;
  /** Gives the lease up. */
  readonly release?: true;
  /** Ends the work of the owner of the lease. */
  readonly revoke?: true;
}

/** The conditions that a session must meet for a write. */
export interface Expected {
  /** The fence of the claim under which the session is written. */
  readonly fence?: number;
  /** The id of the prompt that the session waits with. */
  readonly promptId?: string;
}

export interface SessionRepository {
  /** Returns false where a session of this id exists. */
  insert(session: AgentSession, first: NewMessage): Promise<boolean>;
  find(id: string): Promise<AgentSession | undefined>;
  /** Lists in order. */
  listMessages(id: string): Promise<readonly StoredMessage[]>;
  /** Lists the newest change first. */
  list(ownerId: string, page: { readonly skip: number; readonly take: number }): Promise<readonly AgentSession[]>;
  count(ownerId: string): Promise<number>;
  /**
   * Stores messages and changes in one transaction, and returns the session afterwards. Stores nothing and returns
   * `undefined` unless the session is as expected.
   */
  append(
    id: string,
    messages: readonly NewMessage[],
    changes: SessionChanges & { readonly now: Date },
    expected?: Expected,
  ): Promise<AgentSession | undefined>;
  /** Claims a session without an owner of its lease; returns the fence. */
  claim(
    id: string,
    lease: { readonly owner: string; readonly until: Date; readonly now: Date },
  ): Promise<number | undefined>;
  /** Returns false when the session was claimed again or cancelled meanwhile. */
  renew(id: string, fence: number, until: Date): Promise<boolean>;
  /** Gives the lease up. Returns false, and keeps the lease, if there are messages after this one. */
  release(id: string, fence: number, lastSequence: number): Promise<boolean>;
  setPartial(id: string, fence: number, text: string): Promise<void>;
  /** Deletes the oldest sessions of a person, except those that a server works on. */
  prune(ownerId: string, limits: { readonly most: number; readonly now: Date }): Promise<void>;
}
