import type { Message, ToolCall } from '@weir/rollout-core';

/** A part of an answer. `turn` is the response that it is of, where its id says so. */
export type AnswerPiece = { readonly responseId: string | undefined } & (
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall }
);

/** Puts the pieces of answers, which stand side by side in a list, together to messages. */
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
}

export function createAnswerJoiner(): AnswerJoiner {
  const messages: Message[] = [];
  let open: OpenAnswer | undefined;
  const close = (): void => {
    if (open !== undefined) messages.push(toMessage(open));
    open = undefined;
  };
  return {
    addPiece: (piece) => {
      if (open !== undefined && startsAnother(open, piece)) close();
      open ??= { responseId: undefined, reasoning: [], texts: [], calls: [] };
      open.responseId ??= piece.responseId;
      if (piece.kind === 'reasoning') open.reasoning.push(piece.text);
      else if (piece.kind === 'text') open.texts.push(piece.text);
      else open.calls.push(piece.call);
    },
    addMessage: (message) => {
      close();
      messages.push(message);
    },
    messages: () => {
      close();
      return messages;
    },
  };
}

/** Ids tell, where both sides have them; else an answer has its reasoning before all else, and one text. */
function startsAnother(open: OpenAnswer, piece: AnswerPiece): boolean {
  if (open.responseId !== undefined && piece.responseId !== undefined) return open.responseId !== piece.responseId;
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
