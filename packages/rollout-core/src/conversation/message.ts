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
  /** Text parts joined without a separator; empty if there are none. */
  readonly content: string;
  /** The model's reasoning before its answer. Only for `assistant`. */
  readonly reasoning?: string;
  /** Set only for `assistant`. */
  readonly toolCalls?: readonly ToolCall[];
  /** Set only for `tool`: the id of the call that this result answers. */
  readonly toolCallId?: string;
  readonly name?: string;
  /**
   * Set only for `system`: the instructions of one request, which later requests do not inherit. They are used neither
   * to match messages nor in prompts.
   */
  readonly isInstructions?: true;
  /**
   * Set only for `assistant`, and never by a client: a client appended this text to the previous answer, from the stop
   * string on. Both are one message of the conversation.
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
