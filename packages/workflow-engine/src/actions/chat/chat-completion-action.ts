import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { isAppError } from '@weir/foundation';
import type { JsonObject } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { durationMs } from '../../values/text/duration';
import { publishValues } from '../call/publish-values';
import { chatModels, type ChatModel } from './chat-models';
import { requestAnswer } from './request-answer';

type Settings = SettingsFor<'chat.completion'>;

const defaultTimeoutMs = 600_000;
const defaultRetries = 3;

/** Asks the first model, and the next one while there was no answer. */
export const chatCompletion: ActionExecutor<'chat.completion'> = async (work) => {
  const { call, settings, signal, log } = work;
  const models = chatModels(settings, call.env);
  let failure: unknown;
  for (const model of models) {
    try {
      return publishValues(await ask(work, model), call.maxOutputBytes);
    } catch (error) {
      if (signal.aborted || !isAppError(error) || error.reason === 'answer_cut_off') throw error;
      failure ??= error;
      if (models.length > 1) log.note(`${model.name}: ${error.message}`);
    }
  }
  throw models.length === 1 ? failure : actionFailed(`None of the ${models.length} models has answered.`, failure);
};

async function ask(
  { call, settings, signal, log }: ActionWork<'chat.completion'>,
  model: ChatModel,
): Promise<JsonObject> {
  const timeoutMs = durationMs('timeout', settings.timeout, defaultTimeoutMs);
  const answer = await requestAnswer(toRequest(settings, model), {
    model,
    signal,
    timeoutMs,
    retries: settings.max_retries ?? defaultRetries,
    maxBytes: call.maxOutputBytes,
    onText: (text) => log.out(text),
    onRefusal: (text) => log.note(text),
  });
  log.out('\n');
  return {
    content: answer.content,
    model: answer.model,
    finish_reason: answer.finishReason,
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
  };
}

function toRequest(settings: Settings, { name, temperature, maxTokens }: ChatModel): ChatCompletionCreateParams {
  const { top_p: topP, reasoning_effort: effort, response_format: format } = settings;
  const isStreamed = settings.stream !== false;
  return {
    model: name,
    messages: toMessages(settings),
    ...(temperature === undefined ? {} : { temperature }),
    // oxlint-disable-next-line typescript/no-deprecated -- its successor is known to OpenAI alone
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(format === 'json' ? { response_format: { type: 'json_object' } as const } : {}),
    ...(isStreamed ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

function toMessages({ system, prompt, messages = [] }: Settings): ChatCompletionMessageParam[] {
  const given = prompt === undefined ? messages : [{ role: 'user', content: prompt }];
  const all = system === undefined ? given : [{ role: 'system', content: system }, ...given];
  // The roles were checked with the settings.
  return all as ChatCompletionMessageParam[];
}
