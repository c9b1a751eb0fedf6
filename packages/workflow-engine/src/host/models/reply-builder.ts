import { modelFailed } from './model-failure';
import type { AskOptions, ModelReply, ToolCall } from './conversation';

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
}

type ReplyOptions = Pick<AskOptions, 'maxBytes' | 'onText' | 'onThought'>;

/** Of thoughts and of what the server of the model has found. */
const maxHeldBytes = 16 * 1024 * 1024;

/** Puts a streamed reply together, in bounded memory. */
export class ReplyBuilder {
  readonly #options: ReplyOptions;
  readonly #calls = new Map<number, OpenCall>();
  #content = '';
  #bytes = 0;
  #heldBytes = 0;
  model: string;
  finishReason = '';
  promptTokens = 0;
  completionTokens = 0;
  cachedTokens = 0;

  constructor(model: string, options: ReplyOptions) {
    this.model = model;
    this.#options = options;
  }

  addText(text: string): void {
    if (text === '') return;
    this.#count(text);
    this.#content += text;
    this.#options.onText(text);
  }

  /** Not a part of the reply. */
  addThought(text: string): void {
    this.addHeld(text);
    if (text !== '') this.#options.onThought?.(text);
  }

  /** Counts what is held besides the reply. */
  addHeld(text: string): void {
    this.#heldBytes += Buffer.byteLength(text);
    if (this.#heldBytes > maxHeldBytes)
      throw modelFailed(`What the model thinks and finds is larger than ${maxHeldBytes} bytes.`);
  }

  /** A part of the call at this position; its id and name come with the first one. */
  addCall(
    index: number,
    part: {
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly arguments?: string | undefined;
    },
  ): void {
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' };
    this.#calls.set(index, call);
    call.id ||= part.id ?? '';
    call.name += part.name ?? '';
    call.arguments += part.arguments ?? '';
    this.#count(`${part.name ?? ''}${part.arguments ?? ''}`);
  }

  /** A part of the arguments of a call that has begun; other tools than those of the request have no call. */
  addArguments(index: number, text: string): void {
    if (this.#calls.has(index)) this.addCall(index, { arguments: text });
  }

  /** Throws `model_failed` when the stream has ended without a reason: its connection was lost. */
  reply(): ModelReply {
    if (this.finishReason === '') throw modelFailed('The answer of the model was cut off.');
    const { model, finishReason, promptTokens, completionTokens, cachedTokens } = this;
    return {
      content: this.#content,
      toolCalls: this.#toolCalls(),
      model,
      finishReason,
      promptTokens,
      completionTokens,
      cachedTokens,
    };
  }

  #toolCalls(): readonly ToolCall[] {
    const calls = [...this.#calls].toSorted(([left], [right]) => left - right).map(([, call]) => call);
    if (calls.some(({ id, name }) => id === '' || name === ''))
      throw modelFailed('The model has called a tool without a name or an id.');
    return calls;
  }

  #count(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#options.maxBytes)
      throw modelFailed(`The answer is larger than ${this.#options.maxBytes} bytes.`);
  }
}
