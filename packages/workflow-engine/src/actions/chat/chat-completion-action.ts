import { isAppError } from '@weir/foundation';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import type { ActionContext, ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { publishValues } from '../call/publish-values';
import { askChatModel } from './ask-chat-model';
import { chatModels } from './chat-models';

/** Asks the first model, and the next one while there was no answer. */
export const chatCompletion: ActionExecutor<'chat.completion'> = async (work) => {
  const { call, settings, signal, log } = work;
  const models = chatModels(settings, call.env);
  const schema = schemaOf(work);
  let failure: unknown;
  for (const model of models) {
    let answer;
    try {
      answer = await askChatModel(work, model);
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
