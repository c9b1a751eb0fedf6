import type { AgentMessage, AgentSessionDetailResponse } from '@weir/workflow-contract/schemas';
import { isWorking, type AgentSession, type StoredMessage } from './agent-session';

export function presentSession(session: AgentSession): AgentSessionDetailResponse['session'] {
  const { id, ownerId, dagName, title, createdAt, updatedAt } = session;
  const userId = ownerId.slice(ownerId.indexOf(':') + 1);
  return {
    id,
    title,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(userId === '' ? {} : { userId }),
    ...(dagName === null ? {} : { dagName }),
  };
}

export function presentState(session: AgentSession, now: Date): AgentSessionDetailResponse['sessionState'] {
  const { id: sessionId, prompt, modelId, totalCost } = session;
  return {
    sessionId,
    working: isWorking(session, now),
    totalCost,
    ...(prompt === null ? {} : { hasPendingPrompt: true }),
    ...(modelId === null ? {} : { model: modelId }),
  };
}

export function presentMessage(sessionId: string, message: StoredMessage): AgentMessage {
  const { id, type, sequence: sequenceId, content, createdAt, data } = message;
  const { toolCalls, toolResults, usage, cost, userPrompt } = data;
  return {
    id,
    sessionId,
    type,
    sequenceId,
    content,
    createdAt: createdAt.toISOString(),
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map(presentCall) }),
    ...(toolResults === undefined ? {} : { toolResults: [...toolResults] }),
    ...(usage === undefined ? {} : { usage: { ...usage, totalTokens: usage.promptTokens + usage.completionTokens } }),
    ...(cost === undefined ? {} : { cost }),
    ...(userPrompt === undefined ? {} : { userPrompt }),
  };
}

function presentCall({ id, name, arguments: given }: NonNullable<StoredMessage['data']['toolCalls']>[number]) {
  return { id, type: 'function', function: { name, arguments: given } };
}
