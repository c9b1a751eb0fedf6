import type { AppError } from '@weir/foundation';
import type { Message } from '@weir/rollout-core';
import type { Protocol, CompletionEvent, CompletionIdentity, CompletionRequest } from '../completions/completion';

/** The part of a call's session that a protocol needs. */
export interface Conversations {
  /** The whole conversation including the answer with this id. */
  findConversation(id: string): readonly Message[] | undefined;
}

export interface ReadCall {
  readonly request: CompletionRequest;
  /** Names of parameters without an effect; they are reported in a header. */
  readonly ignored: readonly string[];
}

/** The parts of an address that some protocols read. */
export interface CallAddress {
  /** The model that the path names. */
  readonly model?: string;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** Builds the whole answer from the events of a completion. */
export interface AnswerBuilder {
  take(event: CompletionEvent): void;
  /** The JSON body of the answer. Called once, after `finished`. */
  body(): unknown;
}

/** Converts each event to the text of server-sent events; empty for events that the protocol does not report. */
export interface AnswerStream {
  take(event: CompletionEvent): string;
  /** Ends an answer that failed after its start. */
  fail(error: AppError, requestId: string): string;
}

/** One of the protocols: it parses a call and formats its answer, independent of tokens. */
export interface ModelProtocol<Call extends ReadCall> {
  readonly name: Protocol;
  /** Throws `invalid_request` for an invalid or unsupported request. */
  read(body: unknown, identity: CompletionIdentity, conversations: Conversations, address?: CallAddress): Call;
  createAnswer(call: Call): AnswerBuilder;
  createStream(call: Call): AnswerStream;
  /** Returns the error object of the protocol. */
  errorBody(error: AppError, requestId: string): unknown;
  readonly heartbeat: string;
}
