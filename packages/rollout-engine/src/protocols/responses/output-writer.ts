import type { TokenLogprob, CompletionEvent, CompletionResult } from '../../completions/completion';
import { itemId, type ItemKind } from './item-id';

export type OutputItem = Readonly<Record<string, unknown>>;

/** Receives every event of a growing answer; `fields` are without type and number. */
export type EmitEvent = (type: string, fields: Readonly<Record<string, unknown>>) => void;

/** Builds the items of an answer from its events, and emits every step. */
export interface OutputWriter {
  start(responseId: string): void;
  take(event: CompletionEvent): void;
  /** Closes the open item. An answer without output is an empty message. */
  finish(result: CompletionResult): void;
  readonly items: readonly OutputItem[];
}

interface OpenItem {
  readonly kind: ItemKind;
  readonly id: string;
  /** Set only for calls. */
  readonly call: { readonly call_id: string; readonly name: string } | undefined;
  readonly pieces: string[];
  readonly tokens: TokenLogprob[];
}

export function createOutputWriter(emit: EmitEvent): OutputWriter {
  return new WrittenOutput(emit);
}

class WrittenOutput implements OutputWriter {
  readonly items: OutputItem[] = [];
  readonly #emit: EmitEvent;
  readonly #counts = { reasoning: 0, message: 0, function_call: 0 };
  #responseId = '';
  #open: OpenItem | undefined;
  // Tokens arrive before the pieces of text that they produce, and are sent with the next piece.
  #tokens: TokenLogprob[] = [];

  constructor(emit: EmitEvent) {
    this.#emit = emit;
  }

  start(responseId: string): void {
    this.#responseId = responseId;
  }

  take(event: CompletionEvent): void {
    switch (event.kind) {
      case 'tokens':
        this.#tokens.push(...event.tokens);
        break;
      case 'text':
        this.#write('message', event.text);
        break;
      case 'reasoning':
        this.#write('reasoning', event.text);
        break;
      case 'call_started':
        this.#close('completed');
        this.#begin('function_call', { call_id: event.id, name: event.name });
        break;
      case 'call_arguments':
        this.#write('function_call', event.text);
        break;
      case 'call_ended':
        this.#close('completed');
        break;
      case 'started':
      case 'finished':
        break;
    }
  }

  finish({ finishReason }: CompletionResult): void {
    if (this.items.length === 0 && this.#open === undefined) this.#begin('message', undefined);
    this.#close(finishReason === 'length' ? 'incomplete' : 'completed');
  }

  #write(kind: ItemKind, text: string): void {
    if (this.#open?.kind !== kind) {
      this.#close('completed');
      this.#begin(kind, undefined);
    }
    const { kind: openKind, pieces, tokens, id } = this.#open ?? this.#begin(kind, undefined);
    const made = openKind === 'message' ? this.#tokens : [];
    this.#tokens = [];
    pieces.push(text);
    tokens.push(...made);
    this.#emit(`response.${deltaNames[kind]}.delta`, {
      item_id: id,
      output_index: this.items.length,
      ...(kind === 'function_call' ? {} : { content_index: 0 }),
      delta: text,
      ...(kind === 'message' ? { logprobs: deltaLogprobs(made) } : {}),
    });
  }

  #begin(kind: ItemKind, call: OpenItem['call']): OpenItem {
    const id = itemId(this.#responseId, kind, this.#counts[kind]);
    this.#counts[kind] += 1;
    const open: OpenItem = { kind, id, call, pieces: [], tokens: [] };
    this.#open = open;
    const position = { output_index: this.items.length };
    this.#emit('response.output_item.added', { ...position, item: toItem(open, 'in_progress') });
    if (kind !== 'function_call') {
      this.#emit('response.content_part.added', { item_id: id, ...position, content_index: 0, part: toPart(open) });
    }
    return open;
  }

  #close(status: 'completed' | 'incomplete'): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { kind, id, pieces } = open;
    const position = { item_id: id, output_index: this.items.length };
    const name = `response.${deltaNames[kind]}.done`;
    if (kind === 'function_call') {
      this.#emit(name, { ...position, name: open.call?.name, arguments: pieces.join('') });
    } else {
      const logprobs = kind === 'message' ? { logprobs: deltaLogprobs(open.tokens) } : {};
      this.#emit(name, { ...position, content_index: 0, text: pieces.join(''), ...logprobs });
      this.#emit('response.content_part.done', { ...position, content_index: 0, part: toPart(open) });
    }
    const item = toItem(open, status);
    this.#emit('response.output_item.done', { output_index: this.items.length, item });
    this.items.push(item);
  }
}

const deltaNames: Readonly<Record<ItemKind, string>> = {
  reasoning: 'reasoning_text',
  message: 'output_text',
  function_call: 'function_call_arguments',
};

function toItem(open: OpenItem, status: 'in_progress' | 'completed' | 'incomplete'): OutputItem {
  const { kind, id, call, pieces } = open;
  const content = status === 'in_progress' ? [] : [toPart(open)];
  if (kind === 'function_call') return { id, type: kind, status, ...call, arguments: pieces.join('') };
  if (kind === 'message') return { id, type: kind, status, role: 'assistant', content };
  return { id, type: kind, status, summary: [], content, encrypted_content: null };
}

function toPart({ kind, pieces, tokens }: OpenItem): Readonly<Record<string, unknown>> {
  const text = pieces.join('');
  if (kind === 'reasoning') return { type: 'reasoning_text', text };
  return { type: 'output_text', text, annotations: [], logprobs: partLogprobs(tokens) };
}

/** Returns the form that a finished part uses. */
function partLogprobs(tokens: readonly TokenLogprob[]): readonly unknown[] {
  return tokens.map((token) => ({ ...toWireToken(token), top_logprobs: token.top.map(toWireToken) }));
}

/** The form in the events of a stream: without bytes. */
function deltaLogprobs(tokens: readonly TokenLogprob[]): readonly unknown[] {
  return tokens.map(({ text, logprob, top }) => ({
    token: text,
    logprob,
    top_logprobs: top.map((other) => ({ token: other.text, logprob: other.logprob })),
  }));
}

function toWireToken({ text, bytes, logprob }: Pick<TokenLogprob, 'text' | 'bytes' | 'logprob'>) {
  return { token: text, logprob, bytes: [...bytes] };
}
