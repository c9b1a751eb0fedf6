import type { AgentUserPrompt } from '@weir/workflow-contract/schemas';
import type { ToolCall } from '@weir/workflow-engine';

/** A conversation of a person with the agent. */
export interface AgentSession {
  readonly id: string;
  /** Who may see it; see `ownerOf`. */
  readonly ownerId: string;
  readonly title: string;
  readonly dagName: string | null;
  readonly modelId: string | null;
  readonly soulId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Number of the newest message. */
  readonly lastSequence: number;
  readonly totalTokens: number;
  /** In US dollars. */
  readonly totalCost: number;
  /** What the model has written of a reply that is not complete. */
  readonly partial: string | null;
  /** What the person is being asked. */
  readonly prompt: PendingPrompt | null;
  /** Grows with every claim; a write with an older one is refused. */
  readonly fence: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
}

export interface PendingPrompt extends AgentUserPrompt {
  /** The call whose result the answer is, or whose execution it permits. */
  readonly toolCallId: string;
}

export interface ToolResult {
  readonly toolCallId: string;
  readonly content: string;
  readonly isError: boolean;
}

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface DagContext {
  readonly dagFile: string;
  readonly dagRunId?: string | undefined;
}

/** What a message holds besides its text. */
export interface MessageData {
  readonly toolCalls?: readonly ToolCall[];
  readonly toolResults?: readonly ToolResult[];
  readonly usage?: Usage;
  readonly cost?: number;
  readonly userPrompt?: AgentUserPrompt;
  readonly dagContexts?: readonly DagContext[];
  /** The person's decision about a call. */
  readonly approval?: { readonly toolCallId: string; readonly isApproved: boolean };
}

export interface NewMessage {
  readonly id: string;
  readonly type: 'user' | 'assistant' | 'error' | 'user_prompt';
  readonly content: string;
  readonly data: MessageData;
  readonly createdAt: Date;
}

export interface StoredMessage extends NewMessage {
  /** From 1, without gaps. */
  readonly sequence: number;
}

/** Whether a server answers. Its lease ends by itself when it is gone. */
export function isWorking({ leaseUntil }: Pick<AgentSession, 'leaseUntil'>, now: Date): boolean {
  return leaseUntil !== null && leaseUntil > now;
}
