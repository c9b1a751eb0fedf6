import { AppError, isAppError } from '@weir/foundation';
import type { JsonObject } from '@weir/workflow-spec';
import type { ActionWork } from '../../actions/call/action-executor';
import { chatModels, type ChatModel } from '../../actions/chat/chat-models';
import { createModelTurns } from '../../actions/chat/model-turns';
import type { ModelReply } from '../../host/models/conversation';
import type { AgentDecision, AgentMemo } from '../../model/run-model/agent-memo';
import type { ModelUse } from '../../model/run-model/model-use';
import { actionFailed } from '../../model/steps/action-errors';
import { toConversation } from './agent-conversation';
import { askTool, settleTool, type StepTool } from './agent-tools';
import { judgeReply } from './judge-reply';

/** Text and call of one reply, which is stored. */
const maxReplyBytes = 64 * 1024;

/** An agent is asked with the settings of a chat step. */
export type AgentWork = ActionWork<'chat.completion'>;

export interface AskedAgent {
  readonly work: AgentWork;
  readonly tools: readonly StepTool[];
  /** What each action came to, as the model reads it, by the index of its decision. */
  readonly results: ReadonlyMap<number, string>;
}

/** Returns what asks for the next decision: the model that has answered last, and the ones after it when that fails. */
export function createAsker(agent: AskedAgent): (memo: AgentMemo) => Promise<AgentDecision> {
  const { settings, call, signal, log } = agent.work;
  const models = chatModels(settings, call.env);
  const failures: unknown[] = [];
  const left = [...models];
  return async (memo) => {
    for (let [model] = left; model !== undefined; [model] = left) {
      try {
        return await askOne(agent, model, memo);
      } catch (error) {
        if (signal.aborted || !isAppError(error)) throw error;
        failures.push(error);
        left.shift();
        if (models.length > 1) log.note(`${model.name}: ${error.message}`);
      }
    }
    const [failure] = failures;
    throw models.length === 1 ? failure : actionFailed(`None of the ${models.length} models has answered.`, failure);
  };
}

async function askOne({ work, tools, results }: AskedAgent, model: ChatModel, memo: AgentMemo): Promise<AgentDecision> {
  const { settings, call, services, onModelUse } = work;
  const uses: ModelUse[] = [];
  const turns = createModelTurns({ ...work, onModelUse: (use) => void uses.push(use) }, model, maxReplyBytes);
  const asked = { provider: model.provider, model: call.masker?.text(model.name) ?? model.name };
  const messages = toConversation(memo, { system: settings.system, results, model: asked });
  const reply = await turns.ask({ messages, tools: [...tools, askTool, settleTool] }, () => false);
  const [use] = uses;
  if (use === undefined) throw new AppError('internal', 'The reply of a model was not counted.');
  onModelUse(use);
  const decision = toDecision(reply, { use, at: services.clock.now().toISOString() });
  // What the model repeats of a secret is neither stored nor used.
  const kept = (call.masker?.json(decision) ?? decision) as typeof decision;
  return { ...kept, choice: judgeReply(kept.call, tools, memo) };
}

type Undecided = Omit<AgentDecision, 'choice'> & JsonObject;

/** Only the first call counts: the model decides about the others once it knows the result. */
function toDecision(
  { content, toolCalls: [call], parts }: ModelReply,
  { use, at }: Pick<AgentDecision, 'use' | 'at'>,
): Undecided {
  const own = parts?.filter((part) => part.type !== 'tool_use' || part.id === call?.id);
  const decision = {
    at,
    content,
    ...(call === undefined ? {} : { call: { id: call.id, name: call.name, arguments: call.arguments } }),
    ...(own === undefined ? {} : { parts: own as unknown as readonly JsonObject[] }),
    use: { ...use },
  };
  // A database cannot store this character in JSON.
  const withoutNul = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? value.replaceAll('\0', '') : value;
  return JSON.parse(JSON.stringify(decision), withoutNul) as Undecided;
}
