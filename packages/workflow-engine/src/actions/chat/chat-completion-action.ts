import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { isAppError } from '@weir/foundation';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionContext, ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { durationMs } from '../../values/text/duration';
import { publishValues } from '../call/publish-values';
import type { ModelRequest } from '../../host/models/conversation';
import { chatModels, type ChatModel } from './chat-models';
import { askWithTools, type ChatMessage } from './chat-tools';
import { requestAnswer } from './request-answer';

type Settings = SettingsFor<'chat.completion'>;

const defaultTimeoutMs = 600_000;
const defaultRetries = 3;

/** Asks the first model, and the next one while there was no answer. */
export const chatCompletion: ActionExecutor<'chat.completion'> = async (work) => {
  const { call, settings, signal, log } = work;
  const models = chatModels(settings, call.env);
  const schema = schemaOf(work);
  let failure: unknown;
  for (const model of models) {
    let answer;
    try {
      answer = await ask(work, model);
    } catch (error) {
      if (signal.aborted || !isAppError(error) || error.reason === 'answer_cut_off') throw error;
      failure ??= error;
      if (models.length > 1) log.note(`${model.name}: ${error.message}`);
      continue;
    }
    // Another model is not asked for a second answer after the first was printed.
    const read = schema === undefined ? {} : { answer: await readAnswer(work, schema, answer.content) };
    return publishValues({ ...answer, ...read }, call.maxOutputBytes);
  }
  throw models.length === 1 ? failure : actionFailed(`None of the ${models.length} models has answered.`, failure);
};

async function ask(
  work: ActionWork<'chat.completion'>,
  model: ChatModel,
): Promise<JsonObject & { readonly content: string }> {
  const { call, settings, signal, log } = work;
  const timeoutMs = durationMs('timeout', settings.timeout, defaultTimeoutMs);
  const retries = settings.max_retries ?? defaultRetries;
  if ((settings.tools ?? []).length > 0) {
    const request = { conversation: conversationOf(settings), more: parametersOf(settings, call.outputSchema) };
    return askWithTools(work, model, { ...request, timeoutMs, retries });
  }
  const answer = await requestAnswer(toRequest(settings, model, call.outputSchema), {
    model,
    signal,
    timeoutMs,
    retries,
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

/** Throws where the answer has to match a schema, and there is none. */
function schemaOf({ settings, call: { outputSchema } }: ActionWork<'chat.completion'>): JsonObject | undefined {
  if (settings.response_format !== 'schema') return undefined;
  if (outputSchema === undefined) throw actionFailed('response_format is schema, but the step has no output_schema.');
  return outputSchema;
}

/** Reads the answer as JSON. Models that do not know schemas ignore them, so every answer is checked. */
async function readAnswer(
  { call, services, signal }: ActionContext,
  schema: JsonObject,
  content: string,
): Promise<JsonValue> {
  const fields = [{ name: 'answer', source: { kind: 'stdout', decode: 'json' } }] as const;
  const request = { fields, schema, stdout: content, files: [], maxBytes: call.maxOutputBytes };
  const evaluated = await services.evaluate(request, signal);
  signal.throwIfAborted();
  if ('problem' in evaluated) throw actionFailed(`The answer of the model is refused: ${evaluated.problem}.`);
  return evaluated.fields[0]?.value ?? null;
}

function toRequest(
  settings: Settings,
  { name, temperature, maxTokens }: ChatModel,
  schema: JsonObject | undefined,
): ChatCompletionCreateParams {
  const isStreamed = settings.stream !== false;
  return {
    model: name,
    // The roles were checked with the settings.
    messages: conversationOf(settings) as ChatCompletionMessageParam[],
    ...(temperature === undefined ? {} : { temperature }),
    // oxlint-disable-next-line typescript/no-deprecated -- its successor is known to OpenAI alone
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...parametersOf(settings, schema),
    ...(isStreamed ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

function parametersOf(
  { top_p: topP, reasoning_effort: effort, response_format: format }: Settings,
  schema: JsonObject | undefined,
): NonNullable<ModelRequest['more']> {
  return {
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(format === 'json' ? { response_format: { type: 'json_object' } as const } : {}),
    ...(format === 'schema' && schema !== undefined
      ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } as const }
      : {}),
  };
}

function conversationOf({ system, prompt, messages = [] }: Settings): ChatMessage[] {
  const given = prompt === undefined ? messages : [{ role: 'user', content: prompt }];
  return system === undefined ? [...given] : [{ role: 'system', content: system }, ...given];
}
