import { engineNameOf, type AdapterVersion } from '@weir/rollout-engine';
import { maxStoredAdapters, type AdapterStore } from '../features/adapters';
import { databaseUnavailable, type Database } from './database';

/** The current versions of adapters, for every replica. All rejections are `unavailable`. */
export function createPostgresAdapters(database: Database): AdapterStore {
  const select = async (statement: string, values: readonly unknown[] = []): Promise<readonly AdapterVersion[]> => {
    const { rows } = await database.query(statement, values).catch((error: unknown) => {
      throw databaseUnavailable(error);
    });
    // Only this file writes them.
    return rows.map(({ stored }) => stored as AdapterVersion);
  };
  const find = async (name: string): Promise<AdapterVersion | undefined> =>
    (await select('SELECT stored FROM weir_rollout.adapter WHERE name = $1', [name]))[0];
  const store = async (adapter: AdapterVersion, whenThere: string): Promise<AdapterVersion> => {
    await select(
      `INSERT INTO weir_rollout.adapter (name, version, stored) VALUES ($1, $2, $3)
       ON CONFLICT (name) ${whenThere}`,
      [adapter.name, adapter.version, JSON.stringify(adapter)],
    );
    await select(cleaning('adapter'), [maxStoredAdapters]);
    return (await find(adapter.name)) ?? adapter;
  };
  return {
    find,
    all: () => select('SELECT stored FROM weir_rollout.adapter'),
    add: (adapter) => store(adapter, 'DO NOTHING'),
    replace: (adapter) =>
      store(
        adapter,
        `DO UPDATE SET number = DEFAULT, version = excluded.version, stored = excluded.stored
         WHERE adapter.version < excluded.version`,
      ),
    remove: async (name) => {
      await select('DELETE FROM weir_rollout.adapter WHERE name = $1', [name]);
    },
    loads: () => select('SELECT stored FROM weir_rollout.adapter_load'),
    addLoad: async (adapter) => {
      await select(
        'INSERT INTO weir_rollout.adapter_load (engine_name, stored) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [engineNameOf(adapter), JSON.stringify(adapter)],
      );
      await select(cleaning('adapter_load'), [maxStoredAdapters]);
    },
    removeLoad: async (engineName) => {
      await select('DELETE FROM weir_rollout.adapter_load WHERE engine_name = $1', [engineName]);
    },
  };
}

const cleaning = (table: 'adapter' | 'adapter_load'): string => `
DELETE FROM weir_rollout.${table}
  WHERE number <= (SELECT number FROM weir_rollout.${table} ORDER BY number DESC OFFSET $1 LIMIT 1)`;
