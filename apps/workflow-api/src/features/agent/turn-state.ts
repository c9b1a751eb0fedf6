import type { AgentSession, NewMessage, StoredMessage } from './agent-session';
import type { SessionChanges } from './session-repository';

export interface TurnState {
  readonly session: AgentSession;
  readonly messages: readonly StoredMessage[];
}

/** The message and the changes that a step stores. */
export interface StepResult {
  readonly message: Omit<NewMessage, 'id' | 'createdAt'>;
  readonly changes?: SessionChanges;
}
