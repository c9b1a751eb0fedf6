import type { CreateAgentSessionRequest } from '@weir/workflow-contract/schemas';
import type { Principal } from '../../access/principal';
import type { AgentSession, NewMessage } from './agent-session';

/** Who may see a session. Where nobody signs in, all callers are one person. */
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

/** A session with one message, which nobody answers yet. */
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
