import type { Database } from '@weir/workflow-db';
import type { AuditedChange } from '../../access/audited-operation';
import {
  globalMemory,
  loginContext,
  type AgentStores,
  type LoginRepository,
  type MemoryRepository,
} from './agent-stores';
import { createPrismaConfigRepository } from './prisma-config-repository';
import { createPrismaModelRepository } from './prisma-model-repository';
import { createPrismaSoulRepository } from './prisma-soul-repository';

type Stores = Pick<Database, 'db' | 'unitOfWork'>;

export function createPrismaAgentStores(database: Stores): AgentStores {
  return {
    models: createPrismaModelRepository(database),
    souls: createPrismaSoulRepository(database),
    memories: createMemories(database),
    config: createPrismaConfigRepository(database),
    logins: createLogins(database),
  };
}

function createMemories({ db, unitOfWork }: Stores): MemoryRepository {
  // A text may be long, so the entry has only its name and its length.
  const describe = (dagName: string, before: string, after: string): AuditedChange => {
    const resourceId = dagName === globalMemory ? 'memory' : dagName;
    return { resourceId, before: { characters: before.length }, after: { characters: after.length } };
  };
  return {
    listDagNames: async () => {
      const rows = await db.agentMemory.findMany({
        where: { dagName: { not: globalMemory } },
        select: { dagName: true },
      });
      return rows.map(({ dagName }) => dagName).toSorted();
    },
    read: async (dagName) => (await db.agentMemory.findUnique({ where: { dagName } }))?.content ?? '',
    write: (dagName, { content, at: updatedAt }, audit) =>
      audit.inTransaction(unitOfWork, async ({ agentMemory }, record) => {
        const before = await agentMemory.findUnique({ where: { dagName } });
        const update = { content, updatedAt };
        await agentMemory.upsert({ where: { dagName }, create: { dagName, ...update }, update });
        await record(describe(dagName, before?.content ?? '', content));
      }),
    remove: (dagName, audit) =>
      audit.inTransaction(unitOfWork, async ({ agentMemory }, record) => {
        const before = await agentMemory.findUnique({ where: { dagName } });
        await agentMemory.deleteMany({ where: { dagName } });
        await record(describe(dagName, before?.content ?? '', ''));
      }),
  };
}

function createLogins({ db, unitOfWork }: Stores): LoginRepository {
  return {
    find: async (providerId) => (await db.agentLogin.findUnique({ where: { providerId } })) ?? undefined,
    save: (login, audit) =>
      audit.inTransaction(unitOfWork, async ({ agentLogin }, record) => {
        const { providerId, accountId, expiresAt, canRefresh } = login;
        await agentLogin.upsert({ where: { providerId }, create: { ...login }, update: { ...login } });
        await record({ after: { accountId, expiresAt, canRefresh } });
      }),
    renew: async ({ providerId, keyId, text }, after) =>
      (await db.agentLogin.updateMany({ where: { providerId, keyId, text }, data: { ...after } })).count > 0,
    remove: (providerId, audit) =>
      audit.inTransaction(unitOfWork, async ({ agentLogin }, record) => {
        const before = await agentLogin.findUnique({ where: { providerId } });
        await agentLogin.deleteMany({ where: { providerId } });
        await record(before === null ? {} : { before: { accountId: before.accountId, expiresAt: before.expiresAt } });
      }),
    listSealed: async () =>
      (await db.agentLogin.findMany()).map(({ providerId: id, keyId, text }) => {
        return { id, context: loginContext(id), sealed: { keyId, text } };
      }),
    replaceSealed: async ({ id: providerId, sealed }, { keyId, text }) =>
      (await db.agentLogin.updateMany({ where: { providerId, ...sealed }, data: { keyId, text } })).count > 0,
  };
}
