import type { AgentSession, NewMessage, StoredMessage } from './agent-session';

/** What a message changes of its session. */
export interface SessionChanges {
  readonly modelId?: string | null;
  readonly soulId?: string | null;
  readonly prompt?: AgentSession['prompt'];
  readonly addedTokens?: number;
  readonly addedCost?: number;
  /** Gives the lease up. */
  readonly release?: true;
  /** Ends the work of whoever has the lease. */
  readonly revoke?: true;
}

/** What the session must be like for a write. */
export interface Expected {
  /** That of the claim under which it is written. */
  readonly fence?: number;
  /** Of the prompt that it waits with. */
  readonly promptId?: string;
}

export interface SessionRepository {
  /** False where there is a session of this id. */
  insert(session: AgentSession, first: NewMessage): Promise<boolean>;
  find(id: string): Promise<AgentSession | undefined>;
  /** In order. */
  listMessages(id: string): Promise<readonly StoredMessage[]>;
  /** Newest change first. */
  list(ownerId: string, page: { readonly skip: number; readonly take: number }): Promise<readonly AgentSession[]>;
  count(ownerId: string): Promise<number>;
  /**
   * Stores messages and changes in one transaction; returns the session afterwards. Undefined, and nothing is stored,
   * unless it is as expected.
   */
  append(
    id: string,
    messages: readonly NewMessage[],
    changes: SessionChanges & { readonly now: Date },
    expected?: Expected,
  ): Promise<AgentSession | undefined>;
  /** Takes a session that nobody has the lease of; returns the fence. */
  claim(
    id: string,
    lease: { readonly owner: string; readonly until: Date; readonly now: Date },
  ): Promise<number | undefined>;
  /** False when another claim or a cancellation came between. */
  renew(id: string, fence: number, until: Date): Promise<boolean>;
  /** Gives the lease up, unless there are messages after this one; false then. */
  release(id: string, fence: number, lastSequence: number): Promise<boolean>;
  setPartial(id: string, fence: number, text: string): Promise<void>;
  /** Deletes the oldest sessions of a person that no server answers. */
  prune(ownerId: string, limits: { readonly most: number; readonly now: Date }): Promise<void>;
}
