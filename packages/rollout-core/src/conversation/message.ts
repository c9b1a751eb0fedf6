/** `developer` of the chat and responses protocols is `system` here. */
export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

export interface ToolCall {
  /** Links the result to the call; volatile, so never used to match messages. */
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model sampled it, or as the client sent it back. Never reformatted. */
  readonly arguments: string;
}

/** A message of a conversation, independent of protocols. */
export interface Message {
  readonly role: MessageRole;
  /** Text parts joined without a separator; empty where there is none. */
  readonly content: string;
  /** The model's reasoning before its answer. Only for `assistant`. */
  readonly reasoning?: string;
  /** Only for `assistant`. */
  readonly toolCalls?: readonly ToolCall[];
  /** Only for `tool`: the call of this result. */
  readonly toolCallId?: string;
  readonly name?: string;
  /**
   * Only for `system`: the instructions of one request, which later ones do not inherit. Used neither to match messages
   * nor in prompts.
   */
  readonly isInstructions?: true;
  /**
   * Only for `assistant`, and never from a client: what a client appended to the answer before it, from the stop string on.
   * Both are one message of the conversation.
   */
  readonly continues?: true;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
}
