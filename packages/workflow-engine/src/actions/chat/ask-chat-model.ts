import type { JsonObject } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ModelMessage } from '../../host/models/conversation';
import type { ActionWork } from '../call/action-executor';
import type { ChatModel } from './chat-models';
import { offerDags, type StartedRun } from './chat-tools';
import { createModelTurns, noAnswer } from './model-turns';

type Settings = SettingsFor<'chat.completion'>;

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
  const { settings, call } = work;
  const tools = await offerDags(settings.tools ?? [], work);
  const turns = createModelTurns(work, model, call.maxOutputBytes);
  const messages = conversationOf(settings, turns.form);
  const calls: StartedRun[] = [];
  let [promptTokens, completionTokens] = [0, 0];
  for (let round = 0; round < maxRounds; round += 1) {
    // A second answer would follow a part of the first, and another model would start the DAGs again.
    const isLast = (): boolean => calls.length > 0 || turns.hasPrinted();
    const reply = await turns.ask({ messages, tools: tools.offered }, isLast);
    const { content, toolCalls, finishReason } = reply;
    promptTokens += reply.promptTokens;
    completionTokens += reply.completionTokens;
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

function conversationOf({ system, prompt, messages = [] }: Settings, form: string | undefined): ModelMessage[] {
  const given = prompt === undefined ? messages : [{ role: 'user', content: prompt }];
  const rules = [system, form].filter((text) => text !== undefined).join('\n\n');
  return (rules === '' ? given : [{ role: 'system', content: rules }, ...given]).map(toModelMessage);
}

function toModelMessage({ role, content }: { readonly role: string; readonly content: string }): ModelMessage {
  if (role === 'assistant') return { role, content, toolCalls: [] };
  return { role: role === 'system' ? 'system' : 'user', content };
}
