import type { Message, ToolCall } from '@weir/rollout-core';

/** A part of an answer. `responseId` is the response that it belongs to, where its id names one. */
export type AnswerPiece = { readonly responseId: string | undefined } & (
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall }
);

/**
 * Joins adjacent pieces of answers to messages. Results may stand between the calls of one answer, where ids name it: they
 * come behind it.
 */
export interface AnswerJoiner {
  addPiece(piece: AnswerPiece): void;
  addMessage(message: Message): void;
  messages(): readonly Message[];
}

interface OpenAnswer {
  responseId: string | undefined;
  readonly reasoning: string[];
  readonly texts: string[];
  readonly calls: ToolCall[];
  readonly results: Message[];
}

export function createAnswerJoiner(): AnswerJoiner {
  const messages: Message[] = [];
  let open: OpenAnswer | undefined;
  const close = (): void => {
    if (open !== undefined) messages.push(toMessage(open), ...open.results);
    open = undefined;
  };
  return {
    addPiece: (piece) => {
      if (open !== undefined && startsAnother(open, piece)) close();
      open ??= { responseId: undefined, reasoning: [], texts: [], calls: [], results: [] };
      open.responseId ??= piece.responseId;
      if (piece.kind === 'reasoning') open.reasoning.push(piece.text);
      else if (piece.kind === 'text') open.texts.push(piece.text);
      else open.calls.push(piece.call);
    },
    addMessage: (message) => {
      if (message.role === 'tool' && open !== undefined) {
        open.results.push(message);
        return;
      }
      close();
      messages.push(message);
    },
    messages: () => {
      close();
      return messages;
    },
  };
}

/** Ids decide if both items have one; otherwise an answer begins with its reasoning and has one text. */
function startsAnother(open: OpenAnswer, piece: AnswerPiece): boolean {
  if (open.responseId !== undefined && piece.responseId !== undefined) return open.responseId !== piece.responseId;
  if (open.results.length > 0) return true;
  if (piece.kind === 'reasoning') return open.texts.length + open.calls.length > 0;
  return piece.kind === 'text' && open.texts.length > 0;
}

function toMessage({ reasoning, texts, calls }: OpenAnswer): Message {
  const thought = reasoning.join('');
  return {
    role: 'assistant',
    content: texts.join(''),
    ...(thought === '' ? {} : { reasoning: thought }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}
