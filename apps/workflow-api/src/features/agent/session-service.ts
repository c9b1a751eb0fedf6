import type { PageRequest } from '@weir/workflow-contract';
import type {
  AgentChatRequest,
  AgentUserPromptResponse,
  CreateAgentSessionRequest,
} from '@weir/workflow-contract/schemas';
import type { Principal } from '../../access/principal';
import type { CheckAccess, CreateActingClient } from './acting-client';
import {
  agentDisabled,
  modelMissing,
  promptGone,
  sessionNotFound,
  sessionTaken,
  soulUnknown,
  answerInvalid,
} from './agent-errors';
import { isWorking, type AgentSession, type NewMessage, type StoredMessage, type PendingPrompt } from './agent-session';
import { firstSession, ownerOf } from './new-session';
import type { TurnPorts } from './turn-ports';
import type { Turns } from './turns';
import { approve } from './execute-call';

export interface SessionServicePorts extends TurnPorts {
  readonly turns: Turns;
  readonly createActingClient: CreateActingClient;
  /** Limits the sessions of one person; older ones are deleted. */
  readonly maxAgentSessions: number;
  readonly onChange: (sessionId: string) => void;
}

/** The caller, and the check of the caller's access at later times. */
export interface Caller {
  readonly principal: Principal;
  readonly checkAccess: CheckAccess;
}

export type SessionService = ReturnType<typeof createSessionService>;

/** Serves the sessions of the callers themselves: sessions of others are not found. */
export function createSessionService(ports: SessionServicePorts) {
  const base = createBase(ports);
  return { ...createReading(ports, base), ...createWriting(ports, base), ...createAnswering(ports, base) };
}

type Base = ReturnType<typeof createBase>;

function createBase({
  agentSessions,
  agentSettings,
  clock,
  random,
  turns,
  onChange,
  createActingClient,
}: SessionServicePorts) {
  const requireAgent = async (): Promise<void> => {
    if (!(await agentSettings.config()).isEnabled) throw agentDisabled();
  };
  return {
    requireAgent,
    /** Throws `agent_soul_unknown` and `agent_model_missing`. */
    requireUsable: async (modelId: string | undefined, soulId: string | undefined): Promise<void> => {
      if (soulId !== undefined && (await agentSettings.soul(soulId)) === undefined) throw soulUnknown(soulId);
      if ((await agentSettings.findUsableModel(modelId)) === undefined) throw modelMissing();
    },
    find: async (id: string, principal: Principal): Promise<AgentSession> => {
      await requireAgent();
      const session = await agentSessions.find(id);
      if (session?.ownerId !== ownerOf(principal)) throw sessionNotFound(id);
      return session;
    },
    written: ({ message, dagContexts = [] }: AgentChatRequest): NewMessage => ({
      id: random.uuid(),
      type: 'user',
      content: message,
      createdAt: clock.now(),
      data: dagContexts.length === 0 ? {} : { dagContexts },
    }),
    wake: async (id: string, { checkAccess }: Caller): Promise<void> => {
      await turns.wake(id, { createClient: () => createActingClient(checkAccess) });
      onChange(id);
    },
  };
}

function createReading({ agentSessions }: SessionServicePorts, { find, requireAgent }: Base) {
  return {
    async list(
      { page, perPage: take }: PageRequest,
      principal: Principal,
    ): Promise<{ readonly sessions: readonly AgentSession[]; readonly total: number }> {
      await requireAgent();
      const ownerId = ownerOf(principal);
      const [sessions, total] = await Promise.all([
        agentSessions.list(ownerId, { skip: (page - 1) * take, take }),
        agentSessions.count(ownerId),
      ]);
      return { sessions, total };
    },

    /** Throws `agent_session_not_found`. */
    async get(
      id: string,
      principal: Principal,
    ): Promise<{ readonly session: AgentSession; readonly messages: readonly StoredMessage[] }> {
      const session = await find(id, principal);
      const messages = await agentSessions.listMessages(id);
      return { session, messages: messages.filter(({ sequence }) => sequence <= session.lastSequence) };
    },
  };
}

function createWriting(
  { agentSessions, clock, random, maxAgentSessions }: SessionServicePorts,
  { find, requireAgent, requireUsable, written, wake }: Base,
) {
  return {
    /** Throws `agent_disabled`, `agent_soul_unknown`, `agent_model_missing` and `agent_session_taken`. */
    async create(
      request: CreateAgentSessionRequest,
      caller: Caller,
    ): Promise<{ readonly id: string; readonly isNew: boolean }> {
      await requireAgent();
      const ownerId = ownerOf(caller.principal);
      const id = request.sessionId ?? random.uuid();
      const known = await agentSessions.find(id);
      if (known === undefined) {
        await requireUsable(request.model, request.soulId);
        const message = written(request);
        if (await agentSessions.insert(firstSession({ id, ownerId, request, message }), message)) {
          await agentSessions.prune(ownerId, { most: maxAgentSessions, now: clock.now() });
          await wake(id, caller);
          return { id, isNew: true };
        }
      }
      // Another request may have created the session at the same time.
      if ((known ?? (await agentSessions.find(id)))?.ownerId !== ownerId) throw sessionTaken();
      return { id, isNew: false };
    },

    /** Withdraws an unanswered prompt. Throws `agent_session_not_found`, `agent_soul_unknown` and `agent_model_missing`. */
    async chat(id: string, request: AgentChatRequest, caller: Caller): Promise<void> {
      const session = await find(id, caller.principal);
      await requireUsable(request.model ?? session.modelId ?? undefined, request.soulId);
      const { model: modelId, soulId } = request;
      const changes = { ...(modelId === undefined ? {} : { modelId }), ...(soulId === undefined ? {} : { soulId }) };
      const stored = await agentSessions.append(id, [written(request)], { ...changes, prompt: null, now: clock.now() });
      if (stored === undefined) throw sessionNotFound(id);
      await wake(id, caller);
    },
  };
}

function createAnswering({ agentSessions, clock, random, turns, onChange }: SessionServicePorts, { find, wake }: Base) {
  return {
    /** Throws `agent_session_not_found`. */
    async cancel(id: string, principal: Principal): Promise<void> {
      const session = await find(id, principal);
      const now = clock.now();
      const note: NewMessage = { id: random.uuid(), type: 'error', content: 'Cancelled.', data: {}, createdAt: now };
      const isOpen = isWorking(session, now) || session.prompt !== null;
      await agentSessions.append(id, isOpen ? [note] : [], { prompt: null, revoke: true, now });
      turns.abort(id);
      onChange(id);
    },

    /** Throws `agent_session_not_found`, `agent_prompt_gone` and `agent_answer_invalid`. */
    async respond(id: string, answer: AgentUserPromptResponse, caller: Caller): Promise<void> {
      const { prompt } = await find(id, caller.principal);
      if (prompt?.promptId !== answer.promptId) throw promptGone();
      const message = { id: random.uuid(), createdAt: clock.now(), ...readAnswer(prompt, answer) };
      const { promptId } = prompt;
      const stored = await agentSessions.append(id, [message], { prompt: null, now: clock.now() }, { promptId });
      if (stored === undefined) throw promptGone();
      await wake(id, caller);
    },
  };
}

type Answer = Pick<NewMessage, 'type' | 'content' | 'data'>;

/** Returns the result or the approval that the answer of a person adds to the session. Throws `agent_answer_invalid`. */
function readAnswer(prompt: PendingPrompt, answer: AgentUserPromptResponse): Answer {
  const { cancelled = false, selectedOptionIds: chosen = [], freeTextResponse: text = '' } = answer;
  if (prompt.promptType === 'command_approval')
    return readDecision(prompt, cancelled ? [] : checkOptions(prompt, chosen), cancelled);
  if (cancelled) return toResult(prompt, 'The person gives no answer.');
  const labels = checkOptions(prompt, chosen).map(
    (id) => prompt.options?.find((option) => option.id === id)?.label ?? '',
  );
  const parts = [...labels, ...(text.trim() === '' ? [] : [text])];
  if (parts.length === 0) throw answerInvalid('The answer is empty; choose an option, write a text, or cancel.');
  return toResult(prompt, parts.join('\n'));
}

function readDecision({ toolCallId }: PendingPrompt, chosen: readonly string[], isCancelled: boolean): Answer {
  if (!isCancelled && chosen.length === 0) throw answerInvalid('An approval needs one of the options.');
  const isApproved = chosen.includes(approve);
  return { type: 'user', content: isApproved ? 'Yes' : 'No', data: { approval: { toolCallId, isApproved } } };
}

function checkOptions({ options = [], multiSelect }: PendingPrompt, chosen: readonly string[]): readonly string[] {
  const unknown = chosen.find((id) => !options.some((option) => option.id === id));
  if (unknown !== undefined) throw answerInvalid(`The prompt has no option "${unknown}".`);
  if (chosen.length > 1 && !multiSelect) throw answerInvalid('Only one option may be chosen.');
  return chosen;
}

function toResult({ toolCallId }: PendingPrompt, content: string): Answer {
  return { type: 'user', content, data: { toolResults: [{ toolCallId, content, isError: false }] } };
}
