import { askModel } from '@weir/workflow-engine';
import { costOf } from '@weir/workflow-engine/model';
import { isApiError } from '@weir/workflow-client';
import type { UsableModel } from '../agent-settings';
import { modelMissing, TurnEnded } from './agent-errors';
import { maxConversation, toModelAccess } from './agent-models';
import { offeredTools } from './agent-tools';
import { countSteps, fitConversation, toModelMessages } from './conversation';
import { reachedLimit } from './limits';
import { systemPrompt } from './system-prompt';
import type { Turn, TurnPorts } from './turn-ports';
import type { StepResult, TurnState } from './turn-state';

const retries = 2;
const maxReplyBytes = 1024 * 1024;
const partialEveryMs = 250;

/** Asks the model for its next message. Throws `TurnEnded` where a limit is reached. */
export async function askAgentModel(
  ports: TurnPorts,
  turn: Turn,
  { session, messages }: TurnState,
): Promise<StepResult> {
  const { agentSettings: settings, agentTimeoutMs } = ports;
  const { toolPolicy, limits } = await settings.config();
  const limit = reachedLimit(
    { steps: countSteps(messages), tokens: session.totalTokens, cost: session.totalCost },
    limits,
  );
  if (limit !== undefined) throw new TurnEnded(limit);
  const model = await settings.findUsableModel(session.modelId ?? undefined);
  if (model === undefined) throw modelMissing();
  const system = systemPrompt(await readPromptParts(ports, turn, session));
  const request = {
    messages: fitConversation(toModelMessages(system, messages), maxConversation(model)),
    tools: offeredTools(toolPolicy.tools),
  };
  const partial = createPartialWriter(ports, turn);
  const options = {
    signal: turn.signal,
    timeoutMs: agentTimeoutMs,
    retries,
    maxBytes: maxReplyBytes,
    onText: partial.add,
  };
  try {
    const reply = await askModel(toModelAccess(model), request, options);
    return toResult(reply, model);
  } finally {
    await partial.end();
  }
}

function toResult(
  { content, toolCalls, promptTokens, completionTokens, cachedTokens }: Awaited<ReturnType<typeof askModel>>,
  model: UsableModel,
): StepResult {
  const usage = { promptTokens, completionTokens };
  const cost = costOf({ inputTokens: promptTokens, outputTokens: completionTokens, cachedTokens }, model);
  return {
    message: { type: 'assistant', content, data: { ...(toolCalls.length === 0 ? {} : { toolCalls }), usage, cost } },
    changes: { addedTokens: promptTokens + completionTokens, addedCost: cost },
  };
}

/** Reads the texts that admins have written for the agent. The memory of a DAG is only for people who may see the DAG. */
async function readPromptParts(
  { agentSettings: settings }: TurnPorts,
  { client }: Turn,
  { dagName, soulId }: TurnState['session'],
): Promise<Parameters<typeof systemPrompt>[0]> {
  const { selectedSoulId } = await settings.config();
  const chosen = soulId ?? selectedSoulId;
  const soul = chosen === undefined ? undefined : await settings.soul(chosen);
  const general = await settings.memory();
  const ofDag = dagName !== null && (await canRead(client, dagName)) ? await settings.memory(dagName) : '';
  return { soul: soul?.content, memory: `${general}\n\n${ofDag}` };
}

async function canRead(client: Turn['client'], fileName: string): Promise<boolean> {
  try {
    await client.GET('/dags/{fileName}/spec', { params: { path: { fileName } } });
    return true;
  } catch (error) {
    if (isApiError(error)) return false;
    throw error;
  }
}

/** Stores the text of an incomplete reply at intervals, for people who watch from any server. */
function createPartialWriter({ agentSessions, clock, logger }: TurnPorts, { sessionId, fence }: Turn) {
  let text = '';
  let writtenAt = 0;
  let writing: Promise<void> | undefined;
  return {
    add: (part: string): void => {
      text += part;
      const now = clock.now().getTime();
      if (writing !== undefined || now - writtenAt < partialEveryMs) return;
      writtenAt = now;
      writing = agentSessions
        .setPartial(sessionId, fence, text)
        // This text is only shown; the reply is stored as a whole.
        .catch((error: unknown) => logger.warn({ sessionId, error }, 'a part of a reply was not stored'))
        .finally(() => (writing = undefined));
    },
    end: async (): Promise<void> => {
      await writing;
    },
  };
}
