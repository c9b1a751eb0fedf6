import { translatePrismaError, type AgentModel as Row, type Database } from '@weir/workflow-db';
import { settingNotFound, settingTaken } from './agent-setting-errors';
import { byAge, modelKeyContext, type ModelRepository, type StoredModel } from './agent-stores';
import { presentModel } from './model-presenter';
import { configRow, readConfig, writeConfig } from './prisma-config-repository';

export function createPrismaModelRepository({ db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>): ModelRepository {
  return {
    list: async () => (await db.agentModel.findMany()).map(fromRow).toSorted(byAge),
    find: async (id) => {
      const row = await db.agentModel.findUnique({ where: { id } });
      return row === null ? undefined : fromRow(row);
    },
    insert: (model, audit) =>
      audit.inTransaction(unitOfWork, async (tables, record) => {
        await tables.agentModel.create({ data: toData(model) }).catch((error: unknown) => rethrow(error, model));
        if ((await tables.agentModel.count()) === 1) {
          await writeConfig(tables, { ...(await readConfig(tables)), defaultModelId: model.id }, model.createdAt);
        }
        await record({ resourceId: model.id, after: presentModel(model) });
      }),
    update: (id, change, audit) =>
      audit.inTransaction(unitOfWork, async ({ agentModel }, record) => {
        const row = await agentModel.findUnique({ where: { id } });
        if (row === null) throw settingNotFound('model', id);
        const before = fromRow(row);
        const after = change(before);
        await agentModel
          .update({ where: { id }, data: toData(after) })
          .catch((error: unknown) => rethrow(error, after));
        await record({ resourceId: id, before: presentModel(before), after: presentModel(after) });
        return after;
      }),
    remove: (id, audit) =>
      audit.inTransaction(unitOfWork, async (tables, record) => {
        const row = await tables.agentModel.findUnique({ where: { id } });
        if (row === null) throw settingNotFound('model', id);
        await tables.agentModel.delete({ where: { id } });
        const [next] = (await tables.agentModel.findMany()).map(fromRow).toSorted(byAge);
        const data = { defaultModelId: next?.id ?? null };
        await tables.agentConfig.updateMany({ where: { name: configRow, defaultModelId: id }, data });
        await record({ resourceId: id, before: presentModel(fromRow(row)) });
      }),
    listSealed: async () =>
      (await db.agentModel.findMany({ where: { keyText: { not: null } } })).flatMap(({ id, keyId, keyText: text }) =>
        keyId === null || text === null ? [] : [{ id, context: modelKeyContext(id), sealed: { keyId, text } }],
      ),
    replaceSealed: async ({ id, sealed }, { keyId, text: keyText }) => {
      const where = { id, keyId: sealed.keyId, keyText: sealed.text };
      return (await db.agentModel.updateMany({ where, data: { keyId, keyText } })).count > 0;
    },
  };
}

function rethrow(error: unknown, { id, name }: StoredModel): never {
  const failure = translatePrismaError(error);
  if (failure?.kind === 'unique') {
    if (failure.constraint === 'agent_model_name_key') throw settingTaken('model', 'name', name);
    if (failure.constraint === 'AgentModel_pkey') throw settingTaken('model', 'id', id);
  }
  throw error;
}

/** Reads a row that `toData` has written. */
function fromRow(row: Row): StoredModel {
  return {
    ...row,
    provider: row.provider as StoredModel['provider'],
    facts: row.facts as unknown as StoredModel['facts'],
  };
}

function toData({ facts, ...others }: StoredModel) {
  return { ...others, facts: { ...facts } };
}
