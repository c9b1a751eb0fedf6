import { translatePrismaError, type Database } from '@weir/workflow-db';
import { settingNotFound, settingTaken } from './agent-setting-errors';
import { byName, type SoulRepository } from './agent-stores';
import { configRow } from './prisma-config-repository';
import { presentSoul } from './soul-presenter';

export function createPrismaSoulRepository({ db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>): SoulRepository {
  return {
    list: async () => (await db.agentSoul.findMany()).toSorted(byName),
    find: async (id) => (await db.agentSoul.findUnique({ where: { id } })) ?? undefined,
    insert: (soul, audit) =>
      audit.inTransaction(unitOfWork, async ({ agentSoul }, record) => {
        await agentSoul.create({ data: { ...soul } }).catch((error: unknown) => rethrow(error, soul.id, soul.name));
        await record({ resourceId: soul.id, after: presentSoul(soul) });
      }),
    update: (id, changes, audit) =>
      audit.inTransaction(unitOfWork, async ({ agentSoul }, record) => {
        const before = await agentSoul.findUnique({ where: { id } });
        if (before === null) throw settingNotFound('soul', id);
        const after = await agentSoul
          .update({ where: { id }, data: changes })
          .catch((error: unknown) => rethrow(error, id, changes.name ?? before.name));
        await record({ resourceId: id, before: presentSoul(before), after: presentSoul(after) });
        return after;
      }),
    remove: (id, audit) =>
      audit.inTransaction(unitOfWork, async ({ agentSoul, agentConfig }, record) => {
        const before = await agentSoul.findUnique({ where: { id } });
        if (before === null) throw settingNotFound('soul', id);
        await agentSoul.delete({ where: { id } });
        const where = { name: configRow, selectedSoulId: id };
        await agentConfig.updateMany({ where, data: { selectedSoulId: null } });
        await record({ resourceId: id, before: presentSoul(before) });
      }),
  };
}

function rethrow(error: unknown, id: string, name: string): never {
  const failure = translatePrismaError(error);
  if (failure?.kind === 'unique') {
    if (failure.constraint === 'agent_soul_name_key') throw settingTaken('soul', 'name', name);
    if (failure.constraint === 'AgentSoul_pkey') throw settingTaken('soul', 'id', id);
  }
  throw error;
}
