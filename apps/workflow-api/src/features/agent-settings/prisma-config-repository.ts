import type { AgentConfig as Row, Database, DbTransaction } from '@weir/workflow-db';
import { settingUnknown } from './agent-setting-errors';
import { initialConfig, mergeConfig, type ConfigRepository, type StoredConfig } from './agent-stores';

/** Name of the only row. */
export const configRow = 'agent';

export function createPrismaConfigRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): ConfigRepository {
  return {
    read: () => readConfig(db),
    update: (changes, at, audit) =>
      audit.inTransaction(unitOfWork, async (tables, record) => {
        const { defaultModelId, selectedSoulId } = changes;
        if (defaultModelId && (await tables.agentModel.count({ where: { id: defaultModelId } })) === 0) {
          throw settingUnknown('model', defaultModelId);
        }
        if (selectedSoulId && (await tables.agentSoul.count({ where: { id: selectedSoulId } })) === 0) {
          throw settingUnknown('soul', selectedSoulId);
        }
        const before = await readConfig(tables);
        const after = mergeConfig(before, changes);
        await writeConfig(tables, after, at);
        await record({ resourceId: configRow, before, after });
        return after;
      }),
  };
}

export async function readConfig({ agentConfig }: Pick<DbTransaction, 'agentConfig'>): Promise<StoredConfig> {
  const row = await agentConfig.findUnique({ where: { name: configRow } });
  return row === null ? initialConfig : fromRow(row);
}

export async function writeConfig(
  { agentConfig }: Pick<DbTransaction, 'agentConfig'>,
  { isEnabled, defaultModelId, selectedSoulId, toolPolicy, webSearch, limits }: StoredConfig,
  updatedAt: Date,
): Promise<void> {
  const data = {
    isEnabled,
    defaultModelId,
    selectedSoulId,
    updatedAt,
    // JSON has no undefined fields, so they are left out.
    toolPolicy: JSON.parse(JSON.stringify(toolPolicy)) as object,
    webSearch: { ...webSearch },
    limits: { ...limits },
  };
  await agentConfig.upsert({ where: { name: configRow }, create: { name: configRow, ...data }, update: data });
}

/** Reads a row that `writeConfig` has written. */
function fromRow({ isEnabled, defaultModelId, selectedSoulId, toolPolicy, webSearch, limits }: Row): StoredConfig {
  return {
    isEnabled,
    defaultModelId,
    selectedSoulId,
    toolPolicy: toolPolicy as unknown as StoredConfig['toolPolicy'],
    webSearch: webSearch as StoredConfig['webSearch'],
    limits: limits as StoredConfig['limits'],
  };
}
