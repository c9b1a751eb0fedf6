import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger, StartResource } from '@weir/service-kit';
import { applyMigrations, createDatabase, lockSqliteFile, parseDatabaseUrl, type Database } from '@weir/workflow-db';
import type { Config } from './config';
import { prepareHome } from './home-folder';

export interface StoreOptions {
  readonly config: Pick<Config, 'home' | 'database'>;
  /** Holds the migrations of both databases. */
  readonly migrationsFolder: string;
  readonly logger: Logger;
}

/**
 * Opens the database of this installation: claims a SQLite file for this process, applies what migrations are due,
 * connects. What was opened is passed to `add`, to be closed in reverse order.
 */
export async function openStore(
  { config, migrationsFolder, logger }: StoreOptions,
  add: StartResource,
): Promise<Database> {
  const url = config.database.url.reveal();
  await prepareHome(config.home);
  const location = parseDatabaseUrl(url);
  if (location.provider === 'sqlite') {
    await mkdir(path.dirname(location.file), { recursive: true, mode: 0o700 });
    const lock = lockSqliteFile(location.file);
    add({
      name: 'database lock',
      stop: () => {
        lock.release();
        return Promise.resolve();
      },
    });
  }
  const { applied } = await applyMigrations({
    url,
    folder: migrationsFolder,
    mode: config.database.autoMigrate ? 'apply' : 'verify',
  });
  if (applied.length > 0) logger.info({ migrations: applied }, 'database migrated');
  const database = await createDatabase({
    url,
    sqliteSynchronous: config.database.sqliteSynchronous,
    onConnectionLost: (error) => logger.warn({ error }, 'database connection lost'),
  });
  add({ name: 'database', stop: () => database.close() });
  return database;
}
