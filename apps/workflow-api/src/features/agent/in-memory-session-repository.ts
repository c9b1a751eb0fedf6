import { isWorking, type AgentSession, type StoredMessage } from './agent-session';
import type { SessionRepository } from './session-repository';

/** Creates a repository for specs that stores nothing. */
export function createInMemorySessionRepository(): SessionRepository {
  const sessions = new Map<string, AgentSession>();
  const messages = new Map<string, StoredMessage[]>();
  const owned = (ownerId: string): AgentSession[] => newestOf([...sessions.values()], ownerId);
  const change: Change = (id, isExpected, changes) => {
    const session = sessions.get(id);
    if (session === undefined || !isExpected(session)) return Promise.resolve(undefined);
    sessions.set(id, { ...session, ...changes });
    return Promise.resolve(sessions.get(id));
  };
  return {
    insert: (session, first) => {
      if (sessions.has(session.id)) return Promise.resolve(false);
      sessions.set(session.id, session);
      messages.set(session.id, [{ ...first, sequence: session.lastSequence }]);
      return Promise.resolve(true);
    },
    find: (id) => Promise.resolve(sessions.get(id)),
    listMessages: (id) => Promise.resolve([...(messages.get(id) ?? [])]),
    list: (ownerId, { skip, take }) => Promise.resolve(owned(ownerId).slice(skip, skip + take)),
    count: (ownerId) => Promise.resolve(owned(ownerId).length),
    append: async (id, added, { now, addedTokens = 0, addedCost = 0, release, revoke, ...changes }, expected = {}) => {
      const before = sessions.get(id);
      if (before === undefined) return undefined;
      const after = await change(
        id,
        ({ fence, leaseUntil, prompt }) =>
          (expected.fence === undefined || (fence === expected.fence && leaseUntil !== null)) &&
          (expected.promptId === undefined || prompt?.promptId === expected.promptId),
        {
          ...changes,
          updatedAt: now,
          partial: null,
          lastSequence: before.lastSequence + added.length,
          totalTokens: before.totalTokens + addedTokens,
          totalCost: before.totalCost + addedCost,
          ...(release === true || revoke === true ? noLease : {}),
          ...(revoke === true ? { fence: before.fence + 1 } : {}),
        },
      );
      if (after === undefined) return undefined;
      const numbered = added.map((one, index) => ({ ...one, sequence: before.lastSequence + index + 1 }));
      messages.get(id)?.push(...numbered);
      return after;
    },
    ...leases(sessions, change),
    prune: (ownerId, { most, now }) => {
      const surplus = owned(ownerId)
        .slice(most)
        .filter((session) => !isWorking(session, now));
      for (const { id } of surplus) {
        sessions.delete(id);
        messages.delete(id);
      }
      return Promise.resolve();
    },
  };
}

const noLease = { leaseOwner: null, leaseUntil: null, partial: null };

type Change = (
  id: string,
  isExpected: (session: AgentSession) => boolean,
  changes: Partial<AgentSession>,
) => Promise<AgentSession | undefined>;

function leases(
  sessions: ReadonlyMap<string, AgentSession>,
  change: Change,
): Pick<SessionRepository, 'claim' | 'renew' | 'release' | 'setPartial'> {
  return {
    claim: async (id, { owner, until, now }) => {
      const fence = (sessions.get(id)?.fence ?? 0) + 1;
      const lease = { leaseOwner: owner, leaseUntil: until, fence, partial: null };
      return (await change(id, (session) => !isWorking(session, now), lease))?.fence;
    },
    renew: async (id, fence, leaseUntil) =>
      (await change(id, (one) => one.fence === fence && one.leaseUntil !== null, { leaseUntil })) !== undefined,
    release: async (id, fence, lastSequence) =>
      (await change(id, (one) => one.fence === fence && one.lastSequence === lastSequence, noLease)) !== undefined,
    setPartial: async (id, fence, partial) => {
      await change(id, (one) => one.fence === fence && one.leaseUntil !== null, { partial });
    },
  };
}

function newestOf(sessions: readonly AgentSession[], ownerId: string): AgentSession[] {
  return sessions
    .filter((session) => session.ownerId === ownerId)
    .toSorted((left, right) => right.updatedAt.getTime() - left.updatedAt.getTime());
}
