import type { AppError } from '@weir/errors';
import type { Message } from '@weir/rollout-core';
import type { Protocol, CompletionEvent, CompletionIdentity, CompletionRequest } from '../completions/completion';

/** What a protocol may ask of the session that a call belongs to. */
export interface Conversations {
  /** The whole conversation up to and with the answer of this id. */
  findConversation(id: string): readonly Message[] | undefined;
}

export interface ReadCall {
  readonly request: CompletionRequest;
  /** Names of parameters that were understood and change nothing; they are reported in a header. */
  readonly ignored: readonly string[];
}

/** Takes the events of a turn in and gives the whole answer. */
export interface AnswerBuilder {
  take(event: CompletionEvent): void;
  /** What becomes the JSON of the answer. Called once, after `finished`. */
  body(): unknown;
}

/** Turns each event into server-sent events, as text; empty for what the protocol does not tell. */
export interface AnswerStream {
  take(event: CompletionEvent): string;
  /** Ends an answer that was begun and cannot be finished. */
  fail(error: AppError, requestId: string): string;
}

/** One of the three protocols: it reads a call and tells what becomes of it, and knows nothing of tokens. */
export interface ModelProtocol<Call extends ReadCall> {
  readonly name: Protocol;
  /** Throws `invalid_request` for whatever the protocol does not know or this service cannot do. */
  read(body: unknown, identity: CompletionIdentity, conversations: Conversations): Call;
  createAnswer(call: Call): AnswerBuilder;
  createStream(call: Call): AnswerStream;
  /** The protocol's own error object. */
  errorBody(error: AppError, requestId: string): unknown;
  readonly heartbeat: string;
}
