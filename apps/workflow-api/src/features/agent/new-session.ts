import type { CreateAgentSessionRequest } from '@weir/workflow-contract/schemas';
import type { Principal } from '../../access/principal';
import type { AgentSession, NewMessage } from './agent-session';

/** Returns the owner of a session. Where sign-in is disabled, all callers are one person. */
export function ownerOf({ kind, id }: Principal): string {
  return `${kind}:${id}`;
}

interface FirstMessage {
  readonly id: string;
  readonly ownerId: string;
  readonly request: CreateAgentSessionRequest;
  readonly message: NewMessage;
}

const titleLength = 80;

/** Creates a session with one message that is not answered yet. */
export function firstSession({ id, ownerId, request, message: { createdAt } }: FirstMessage): AgentSession {
  const { message, dagContexts, model, soulId } = request;
  return {
    id,
    ownerId,
    title: message.replaceAll(/\s+/g, ' ').slice(0, titleLength),
    dagName: dagContexts?.[0]?.dagFile ?? null,
    modelId: model ?? null,
    soulId: soulId ?? null,
    createdAt,
    updatedAt: createdAt,
    lastSequence: 1,
    totalTokens: 0,
    totalCost: 0,
    partial: null,
    prompt: null,
    fence: 0,
    leaseOwner: null,
    leaseUntil: null,
  };
}
