import type { AgentUserPrompt } from '@weir/workflow-contract/schemas';
import type { ToolCall } from '@weir/workflow-engine';

/** A conversation of a person with the agent. */
export interface AgentSession {
  readonly id: string;
  /** The id of the only person who may see the session; see `ownerOf`. */
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
  /** The cost in US dollars. */
  readonly totalCost: number;
  /** The text that the model has written of an incomplete reply. */
  readonly partial: string | null;
  /** The question that the session asks the person. */
  readonly prompt: PendingPrompt | null;
  /** Grows with every claim; a write with an older one is refused. */
  readonly fence: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
}

export interface PendingPrompt extends AgentUserPrompt {
  /** The call that the answer is the result of, or that it permits. */
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

/** The content of a message besides its text. */
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
  /** Messages are counted from 1, without gaps. */
  readonly sequence: number;
}

/** Whether a server works on an answer. The lease of a lost server ends by itself. */
export function isWorking({ leaseUntil }: Pick<AgentSession, 'leaseUntil'>, now: Date): boolean {
  return leaseUntil !== null && leaseUntil > now;
}
