import type { JsonObject } from '@weir/workflow-spec';
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';

/** A function that a model may call. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly parameters: JsonObject;
}

export interface ToolCall {
  /** Given by the model. */
  readonly id: string;
  readonly name: string;
  /** As the model wrote it, which may be no JSON. */
  readonly arguments: string;
}

/** A message as every provider knows it. Each call of an assistant is followed by one result. */
export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls: readonly ToolCall[];
      /** Of the reply that this was, if the model that gave it is asked. */
      readonly parts?: ModelReply['parts'];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string; readonly isError: boolean };

export interface ModelReply {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** The name by which the server knows the model. */
  readonly model: string;
  readonly finishReason: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The prompt tokens that the server has read from its cache. */
  readonly cachedTokens: number;
  /** The reply as messages of Anthropic have it, which want their signed thoughts and searches back. */
  readonly parts?: readonly ContentBlockParam[] | undefined;
}

/** Where a model is, and how it is asked. */
export interface ModelAccess {
  /** Chat completions of OpenAI, which most servers offer, or messages of Anthropic. */
  readonly protocol: 'openai' | 'anthropic';
  readonly name: string;
  readonly baseUrl: string;
  /** Empty where none is needed. */
  readonly apiKey: string;
  readonly temperature?: number | undefined;
  /** Limits one reply. Default: the limit of the server; 4,096 for messages of Anthropic, which has none. */
  readonly maxTokens?: number | undefined;
  readonly reasoningEffort?: 'low' | 'medium' | 'high' | 'xhigh' | undefined;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** Further parameters of the protocol, by its own names. */
  readonly more?: JsonObject | undefined;
  /** Tools that the server of the model has itself, as the protocol writes them. */
  readonly serverTools?: readonly JsonObject[] | undefined;
  /** Whether chat completions are streamed; true by default. */
  readonly isStreamed?: boolean | undefined;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Limits the whole reply, with all repeated requests. */
  readonly timeoutMs: number;
  /** Requests that are repeated for a busy, failing or unreachable server. */
  readonly retries: number;
  /** Limits text and calls together. */
  readonly maxBytes: number;
  /** Called for each part of the text as it arrives. */
  readonly onText: (text: string) => void;
  /** Called for each part of what the model thinks, where its server shows that. */
  readonly onThought?: ((text: string) => void) | undefined;
}
