import { AppError, isAppError } from '@weir/foundation';
import type { JsonObject } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import { askModel } from '../../host/models/ask-model';
import type { AskOptions, ModelAccess, ModelMessage, ModelReply, ModelRequest } from '../../host/models/conversation';
import type { ModelUse } from '../../model/run-model/model-use';
import { durationMs } from '../../values/text/duration';
import type { ActionLog } from '../../host/logs/action-log';
import type { ActionWork } from '../call/action-executor';
import type { ChatModel } from './chat-models';
import { offerDags, type StartedRun } from './chat-tools';
import { providerParameters } from './provider-parameters';

type Settings = SettingsFor<'chat.completion'>;

const defaultTimeoutMs = 600_000;
const defaultRetries = 3;
/** A model that calls DAGs again and again ends here. */
const maxRounds = 20;
const maxCallsInRound = 16;

interface ChatAnswer extends JsonObject {
  readonly content: string;
  readonly model: string;
  readonly finish_reason: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/**
 * Asks one model, and lets it start the DAGs that the step offers, each as a child run whose result it reads, until it
 * answers. Throws an `AppError`, with the reason `answer_cut_off` once no other model may be asked.
 */
export async function askChatModel(work: ActionWork<'chat.completion'>, model: ChatModel): Promise<ChatAnswer> {
  const { settings, call, onModelUse } = work;
  const tools = await offerDags(settings.tools ?? [], work);
  const { access, form, ...parameters } = providerParameters(model, settings, call.outputSchema);
  const messages = conversationOf(settings, form);
  const isStreamed = settings.stream !== false;
  const printer = createPrinter(work.log, isStreamed);
  const calls: StartedRun[] = [];
  const ask = createAsker(work, access, printer);
  const request = { messages, tools: tools.offered, ...parameters, isStreamed };
  let [promptTokens, completionTokens] = [0, 0];
  for (let round = 0; round < maxRounds; round += 1) {
    // A second answer would follow a part of the first, and another model would start the DAGs again.
    const reply = await ask(request, () => calls.length > 0 || printer.hasText());
    const { content, toolCalls, finishReason } = reply;
    promptTokens += reply.promptTokens;
    completionTokens += reply.completionTokens;
    onModelUse(toModelUse(call, model, reply));
    printer.end(content);
    if (toolCalls.length === 0) {
      const counts = { prompt_tokens: promptTokens, completion_tokens: completionTokens };
      const started = tools.offered.length === 0 ? {} : { calls };
      return { content, model: reply.model, finish_reason: finishReason, ...counts, ...started };
    }
    if (toolCalls.length > maxCallsInRound) throw noAnswer(`The model calls ${toolCalls.length} DAGs at once.`);
    messages.push({
      role: 'assistant',
      content,
      toolCalls,
      ...(reply.parts === undefined ? {} : { parts: reply.parts }),
    });
    for (const each of toolCalls) {
      const { text, run } = await tools.call(each);
      if (run !== undefined) {
        calls.push(run);
        work.log.note(`${run.dag} ${run.dagRunId}: ${run.status}\n`);
      }
      messages.push({ role: 'tool', toolCallId: each.id, content: text, isError: run?.status !== 'succeeded' });
    }
  }
  throw noAnswer(`The model has called DAGs in ${maxRounds} turns, and has not answered.`);
}

type Asker = (request: ModelRequest, isLast: () => boolean) => Promise<ModelReply>;

/** `isLast` decides, after a failure, that no other model may be asked. */
function createAsker(
  { settings, signal, call, log }: ActionWork<'chat.completion'>,
  access: ModelAccess,
  printer: Printer,
): Asker {
  const options: AskOptions = {
    signal,
    timeoutMs: durationMs('timeout', settings.timeout, defaultTimeoutMs),
    retries: settings.max_retries ?? defaultRetries,
    maxBytes: call.maxOutputBytes,
    onText: printer.text,
    onThought: printer.thought,
  };
  return async (request, isLast) => {
    try {
      return await askModel(access, request, options);
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error)) throw error;
      noteRefusal(error, log);
      throw isLast() ? noAnswer(error.message, error) : error;
    }
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
function noAnswer(message: string, cause?: unknown): AppError {
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

function conversationOf({ system, prompt, messages = [] }: Settings, form: string | undefined): ModelMessage[] {
  const given = prompt === undefined ? messages : [{ role: 'user', content: prompt }];
  const rules = [system, form].filter((text) => text !== undefined).join('\n\n');
  return (rules === '' ? given : [{ role: 'system', content: rules }, ...given]).map(toModelMessage);
}

function toModelMessage({ role, content }: { readonly role: string; readonly content: string }): ModelMessage {
  if (role === 'assistant') return { role, content, toolCalls: [] };
  return { role: role === 'system' ? 'system' : 'user', content };
}
