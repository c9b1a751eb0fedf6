import { modelFailed } from './model-failure';
import type { AskOptions, ModelReply, ToolCall } from './conversation';

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
}

/** Puts a streamed reply together, in bounded memory. */
export class ReplyBuilder {
  readonly #options: Pick<AskOptions, 'maxBytes' | 'onText'>;
  readonly #calls = new Map<number, OpenCall>();
  #content = '';
  #bytes = 0;
  model: string;
  finishReason = '';
  promptTokens = 0;
  completionTokens = 0;

  constructor(model: string, options: Pick<AskOptions, 'maxBytes' | 'onText'>) {
    this.model = model;
    this.#options = options;
  }

  addText(text: string): void {
    if (text === '') return;
    this.#count(text);
    this.#content += text;
    this.#options.onText(text);
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

  /** Throws `model_failed` when the stream has ended without a reason: its connection was lost. */
  reply(): ModelReply {
    if (this.finishReason === '') throw modelFailed('The answer of the model was cut off.');
    const { model, finishReason, promptTokens, completionTokens } = this;
    return {
      content: this.#content,
      toolCalls: this.#toolCalls(),
      model,
      finishReason,
      promptTokens,
      completionTokens,
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
