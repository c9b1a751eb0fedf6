import { AppError, isAppError } from '@weir/foundation';
import { askModel } from '../../host/models/ask-model';
import type { AskOptions, ModelReply, ModelRequest } from '../../host/models/conversation';
import type { ModelUse } from '../../model/run-model/model-use';
import { durationMs } from '../../values/text/duration';
import type { ActionLog } from '../../host/logs/action-log';
import type { ActionWork } from '../call/action-executor';
import type { ChatModel } from './chat-models';
import { providerParameters } from './provider-parameters';

const defaultTimeoutMs = 600_000;
const defaultRetries = 3;

/** Asks one model again and again, with the settings of a chat step. */
export interface ModelTurns {
  /** Tells the model the form of its answer, where its provider has no parameter for that. */
  readonly form: string | undefined;
  /**
   * Prints the reply and counts its tokens. Throws an `AppError`, with the reason `answer_cut_off` where `isLast` then
   * says that no other model may be asked.
   */
  ask(request: Pick<ModelRequest, 'messages' | 'tools'>, isLast: () => boolean): Promise<ModelReply>;
  hasPrinted(): boolean;
}

/** `maxBytes` limits the text and the calls of one reply. */
export function createModelTurns(work: ActionWork<'chat.completion'>, model: ChatModel, maxBytes: number): ModelTurns {
  const { settings, call, signal, log, onModelUse } = work;
  const { access, form, ...parameters } = providerParameters(model, settings, call.outputSchema);
  const isStreamed = settings.stream !== false;
  const printer = createPrinter(log, isStreamed);
  const options: AskOptions = {
    signal,
    timeoutMs: durationMs('timeout', settings.timeout, defaultTimeoutMs),
    retries: settings.max_retries ?? defaultRetries,
    maxBytes,
    onText: printer.text,
    onThought: printer.thought,
  };
  return {
    form,
    ask: async (request, isLast) => {
      let reply;
      try {
        reply = await askModel(access, { ...request, ...parameters, isStreamed }, options);
      } catch (error) {
        signal.throwIfAborted();
        if (!isAppError(error)) throw error;
        noteRefusal(error, log);
        throw isLast() ? noAnswer(error.message, error) : error;
      }
      onModelUse(toModelUse(call, model, reply));
      printer.end(reply.content);
      return reply;
    },
    hasPrinted: printer.hasText,
  };
}

function toModelUse(
  { masker }: ActionWork<'chat.completion'>['call'],
  { provider, name, hasOwnAddress }: ChatModel,
  { promptTokens: inputTokens, completionTokens: outputTokens, cachedTokens }: ModelReply,
): ModelUse {
  return { provider, model: masker?.text(name) ?? name, hasOwnAddress, inputTokens, outputTokens, cachedTokens };
}

/** No other model is asked then. */
export function noAnswer(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { reason: 'answer_cut_off', cause });
}

/** Prints what a server says of a refused request, which may quote settings. */
function noteRefusal({ cause }: AppError, log: ActionLog): void {
  if (cause instanceof Error && 'status' in cause && typeof cause.status === 'number') log.note(cause.message);
}

interface Printer {
  readonly text: (text: string) => void;
  readonly thought: (text: string) => void;
  readonly end: (content: string) => void;
  readonly hasText: () => boolean;
}

/** Answers go to standard output, and thoughts to standard error. */
function createPrinter(log: ActionLog, isStreamed: boolean): Printer {
  let [hasText, isThinking] = [false, false];
  const endThoughts = (): void => {
    if (isThinking) log.err('\n');
    isThinking = false;
  };
  return {
    text: (text: string): void => {
      endThoughts();
      if (!isStreamed) return;
      hasText = true;
      log.out(text);
    },
    thought: (text: string): void => {
      isThinking = true;
      log.err(text);
    },
    end: (content: string): void => {
      endThoughts();
      if (content === '') return;
      hasText = true;
      log.out(isStreamed ? '\n' : `${content}\n`);
    },
    hasText: () => hasText,
  };
}
