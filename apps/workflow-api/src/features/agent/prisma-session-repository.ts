import { translatePrismaError, type Database } from '@weir/workflow-db';
import type { AgentSession as Row, AgentMessage as MessageRow } from '@weir/workflow-db';
import type { AgentSession, NewMessage, StoredMessage } from './agent-session';
import type { Expected, SessionChanges, SessionRepository } from './session-repository';

export function createPrismaSessionRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): SessionRepository {
  return {
    insert: (session, first) =>
      unitOfWork(async ({ agentSession, agentMessage }) => {
        await agentSession.create({ data: toRow(session) });
        await agentMessage.create({ data: toMessageRow(session.id, session.lastSequence, first) });
        return true;
      }).catch((error: unknown) => {
        if (translatePrismaError(error)?.kind === 'unique') return false;
        throw error;
      }),
    find: async (id) => {
      const row = await db.agentSession.findUnique({ where: { id } });
      return row === null ? undefined : fromRow(row);
    },
    listMessages: async (sessionId) =>
      (await db.agentMessage.findMany({ where: { sessionId }, orderBy: { sequence: 'asc' } })).map(fromMessageRow),
    list: async (ownerId, page) => {
      const orderBy = [{ updatedAt: 'desc' }, { id: 'asc' }] as const;
      return (await db.agentSession.findMany({ where: { ownerId }, orderBy: [...orderBy], ...page })).map(fromRow);
    },
    count: (ownerId) => db.agentSession.count({ where: { ownerId } }),
    append: (id, messages, changes, expected = {}) =>
      unitOfWork(async ({ agentSession, agentMessage }) => {
        // The update locks the row first, so that numbers have no gaps.
        const [row] = await agentSession.updateManyAndReturn({
          where: { id, ...toCondition(expected) },
          data: toChanges(changes, messages.length),
        });
        if (row === undefined) return undefined;
        const begin = row.lastSequence - messages.length + 1;
        await agentMessage.createMany({ data: messages.map((one, index) => toMessageRow(id, begin + index, one)) });
        return fromRow(row);
      }),
    ...leases(db),
    prune: async (ownerId, { most, now }) => {
      const surplus = await db.agentSession.findMany({
        where: { ownerId },
        orderBy: { updatedAt: 'desc' },
        skip: most,
        select: { id: true },
      });
      if (surplus.length === 0) return;
      const idle = [{ leaseUntil: null }, { leaseUntil: { lte: now } }];
      await db.agentSession.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) }, OR: idle } });
    },
  };
}

function leases(db: Database['db']): Pick<SessionRepository, 'claim' | 'renew' | 'release' | 'setPartial'> {
  return {
    claim: async (id, { owner, until, now }) => {
      const [row] = await db.agentSession.updateManyAndReturn({
        where: { id, OR: [{ leaseUntil: null }, { leaseUntil: { lte: now } }] },
        data: { leaseOwner: owner, leaseUntil: until, fence: { increment: 1 }, partial: null },
      });
      return row?.fence;
    },
    renew: async (id, fence, leaseUntil) =>
      (await db.agentSession.updateMany({ where: { id, fence, leaseUntil: { not: null } }, data: { leaseUntil } }))
        .count > 0,
    release: async (id, fence, lastSequence) =>
      (await db.agentSession.updateMany({ where: { id, fence, lastSequence }, data: noLease })).count > 0,
    setPartial: async (id, fence, partial) => {
      await db.agentSession.updateMany({ where: { id, fence, leaseUntil: { not: null } }, data: { partial } });
    },
  };
}

const noLease = { leaseOwner: null, leaseUntil: null, partial: null };

function toCondition({ fence, promptId }: Expected) {
  return {
    ...(fence === undefined ? {} : { fence, leaseUntil: { not: null } }),
    ...(promptId === undefined ? {} : { promptId }),
  };
}

function toChanges(
  {
    now,
    modelId,
    soulId,
    prompt,
    addedTokens = 0,
    addedCost = 0,
    release,
    revoke,
  }: SessionChanges & { readonly now: Date },
  added: number,
) {
  return {
    updatedAt: now,
    partial: null,
    lastSequence: { increment: added },
    totalTokens: { increment: addedTokens },
    totalCost: { increment: addedCost },
    ...(modelId === undefined ? {} : { modelId }),
    ...(soulId === undefined ? {} : { soulId }),
    ...(prompt === undefined ? {} : promptColumns(prompt)),
    ...(release === true || revoke === true ? noLease : {}),
    ...(revoke === true ? { fence: { increment: 1 } } : {}),
  };
}

function promptColumns(prompt: AgentSession['prompt']): Pick<Row, 'prompt' | 'promptId'> {
  return { prompt: prompt === null ? null : JSON.stringify(prompt), promptId: prompt?.promptId ?? null };
}

function toRow({ prompt, ...rest }: AgentSession): Row {
  return { ...rest, ...promptColumns(prompt) };
}

function fromRow({ prompt, promptId: _, ...rest }: Row): AgentSession {
  // `promptColumns` has written the text.
  return { ...rest, prompt: prompt === null ? null : (JSON.parse(prompt) as AgentSession['prompt']) };
}

function toMessageRow(sessionId: string, sequence: number, { data, ...rest }: NewMessage): MessageRow {
  return { sessionId, sequence, ...rest, data: JSON.stringify(data) };
}

function fromMessageRow({ type, data, sequence, id, content, createdAt }: MessageRow): StoredMessage {
  // `toMessageRow` has written both texts.
  return {
    id,
    sequence,
    content,
    createdAt,
    type: type as StoredMessage['type'],
    data: JSON.parse(data) as StoredMessage['data'],
  };
}
