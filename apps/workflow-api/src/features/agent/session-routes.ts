import { pageRequest, paginate, workflowContract } from '@weir/workflow-contract';
import type { Clock } from '@weir/workflow-engine/model';
import type { Bind } from '../../access/bind';
import { presentMessage, presentSession, presentState } from './session-presenter';
import type { SessionService } from './session-service';

export function bindSessionRoutes(bind: Bind, sessions: SessionService, clock: Clock): void {
  bind(workflowContract.createAgentSession, async ({ input: { body }, principal, checkAccess }) => {
    const { id, isNew } = await sessions.create(body, { principal, checkAccess });
    return { sessionId: id, status: isNew ? 'accepted' : 'already_exists' };
  });

  bind(workflowContract.listAgentSessions, async ({ input: { query }, principal }) => {
    const page = pageRequest(query);
    const { sessions: found, total } = await sessions.list(page, principal);
    const now = clock.now();
    return {
      sessions: found.map((session) => ({ ...presentState(session, now), session: presentSession(session) })),
      pagination: paginate(page, total),
    };
  });

  bind(workflowContract.getAgentSession, async ({ input: { params }, principal }) => {
    const { session, messages } = await sessions.get(params.sessionId, principal);
    return {
      messages: messages.map((message) => presentMessage(session.id, message)),
      session: presentSession(session),
      sessionState: presentState(session, clock.now()),
      ...(session.partial === null ? {} : { partialContent: session.partial }),
    };
  });

  bind(workflowContract.chatAgentSession, async ({ input: { params, body }, principal, checkAccess }) => {
    await sessions.chat(params.sessionId, body, { principal, checkAccess });
    return { status: 'accepted' };
  });

  bind(workflowContract.cancelAgentSession, async ({ input: { params }, principal }) => {
    await sessions.cancel(params.sessionId, principal);
    return { status: 'cancelled' };
  });

  bind(workflowContract.respondAgentSession, async ({ input: { params, body }, principal, checkAccess }) => {
    await sessions.respond(params.sessionId, body, { principal, checkAccess });
    return { status: 'accepted' };
  });
}
