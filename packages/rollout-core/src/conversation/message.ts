export const messageRoles = ['system', 'user', 'assistant', 'tool'] as const;
/** `developer` of the chat and responses protocols is `system` here. */
export type MessageRole = (typeof messageRoles)[number];

/** A call of a tool, made by the model. */
export interface ToolCall {
  /** Ties the result to the call; volatile, so never part of what messages are matched by. */
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it, or as the client sent it back. Never parsed and printed again. */
  readonly arguments: string;
}

/** One message of a conversation, whatever protocol it came in. */
export interface Message {
  readonly role: MessageRole;
  /** Text parts joined without anything between them; empty where there is none. */
  readonly content: string;
  /** What the model thought before it answered. Only of `assistant`. */
  readonly reasoning?: string;
  /** Only of `assistant`. */
  readonly toolCalls?: readonly ToolCall[];
  /** Only of `tool`: the call that this is the result of. */
  readonly toolCallId?: string;
  readonly name?: string;
  /**
   * Only of `system`: it came as the instructions of one request, which later ones do not inherit. No part of what
   * messages are matched by, nor of any prompt.
   */
  readonly isInstructions?: true;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
}
