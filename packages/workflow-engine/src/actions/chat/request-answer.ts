import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
} from 'openai/resources/chat/completions';
import { AppError, isAppError } from '@weir/foundation';
import { describeModelFailure, noAnswerWithin } from '../../host/models/model-failure';
import { createOpenAiClient } from '../../host/models/openai-client';
import { actionFailed } from '../../model/steps/action-errors';
import type { ChatModel } from './chat-models';

export interface AnswerRequest {
  readonly model: ChatModel;
  readonly signal: AbortSignal;
  /** Limits the whole answer, with all repeated requests. */
  readonly timeoutMs: number;
  /** Requests that are repeated for a busy, failing or unreachable server. */
  readonly retries: number;
  readonly maxBytes: number;
  /** Called for each part of the answer as it arrives. */
  readonly onText: (text: string) => void;
  /** Called with what a server says of a refused request, which may quote settings. */
  readonly onRefusal: (text: string) => void;
}

export interface Answer {
  readonly content: string;
  readonly model: string;
  readonly finishReason: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Requests one answer. Throws an `AppError`, with the reason `answer_cut_off` when a part of it was passed on. */
export async function requestAnswer(params: ChatCompletionCreateParams, request: AnswerRequest): Promise<Answer> {
  const { model, signal, timeoutMs, retries } = request;
  const limit = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, limit]);
  const reader = new AnswerReader(request);
  const client = await createOpenAiClient({ ...model, retries, timeoutMs });
  try {
    const found = await client.chat.completions.create(params, { signal: ended });
    if ('choices' in found) reader.whole(found);
    else for await (const chunk of found) reader.chunk(chunk);
    ended.throwIfAborted();
    return reader.answer();
  } catch (error) {
    if (signal.aborted || isAppError(error)) throw error;
    const failure = limit.aborted ? noAnswerWithin(timeoutMs) : describeModelFailure(error);
    if (error instanceof Error && 'status' in error && typeof error.status === 'number') {
      request.onRefusal(`${error.message}\n`);
    }
    if (failure === undefined) throw error;
    throw reader.hasText() ? answerCutOff(failure, error) : actionFailed(failure, error);
  }
}

function answerCutOff(message: string, cause: unknown): AppError {
  return new AppError('unavailable', message, { reason: 'answer_cut_off', cause });
}

class AnswerReader {
  readonly #request: AnswerRequest;
  #content = '';
  #bytes = 0;
  #model: string;
  #finishReason = '';
  #usage: ChatCompletion['usage'] | null;

  constructor(request: AnswerRequest) {
    this.#request = request;
    this.#model = request.model.name;
  }

  whole({ choices, model, usage }: ChatCompletion): void {
    const [choice] = choices;
    this.#model = model;
    this.#usage = usage;
    this.#finishReason = choice?.finish_reason ?? '';
    this.#add(choice?.message.content ?? choice?.message.refusal ?? '');
  }

  chunk({ choices, model, usage }: ChatCompletionChunk): void {
    const [choice] = choices;
    this.#model = model;
    this.#usage = usage ?? this.#usage;
    this.#finishReason = choice?.finish_reason ?? this.#finishReason;
    this.#add(choice?.delta.content ?? choice?.delta.refusal ?? '');
  }

  hasText(): boolean {
    return this.#content !== '';
  }

  answer(): Answer {
    // A stream that ends without a reason has lost its connection.
    if (this.#finishReason === '') throw answerCutOff('The answer of the model was cut off.', undefined);
    return {
      content: this.#content,
      model: this.#model,
      finishReason: this.#finishReason,
      promptTokens: this.#usage?.prompt_tokens ?? 0,
      completionTokens: this.#usage?.completion_tokens ?? 0,
    };
  }

  #add(text: string): void {
    if (text === '') return;
    this.#content += text;
    this.#bytes += Buffer.byteLength(text);
    const { maxBytes, onText } = this.#request;
    if (this.#bytes > maxBytes) throw answerCutOff(`The answer is larger than ${maxBytes} bytes.`, undefined);
    onText(text);
  }
}
