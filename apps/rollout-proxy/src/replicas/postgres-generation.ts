import { databaseUnavailable, type Database } from './database';
import type { GenerationStore, SharedGeneration } from './shared-weights';

export function createPostgresGeneration(database: Database): GenerationStore {
  const run = (statement: string, values: readonly unknown[]) =>
    database.query(statement, values).catch((error: unknown) => {
      throw databaseUnavailable(error);
    });
  return {
    read: async () => {
      const { rows } = await run(`SELECT value FROM weir_rollout.setting WHERE name = 'weights'`, []);
      // Only this file writes it.
      return rows[0]?.value as SharedGeneration;
    },
    write: async (next) => {
      await run(`UPDATE weir_rollout.setting SET value = $1 WHERE name = 'weights'`, [JSON.stringify(next)]);
    },
  };
}
