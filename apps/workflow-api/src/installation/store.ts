import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger, StartResource } from '@weir/service-kit';
import {
  applyMigrations,
  assertNotCopying,
  createDatabase,
  lockSqliteFile,
  parseDatabaseUrl,
  type Database,
  type DatabaseLocation,
} from '@weir/workflow-db';
import type { Config } from '../config';
import { prepareHome } from './home-folder';
import {
  assertFileHasContent,
  describeLocation,
  explainLoss,
  readRememberedDatabase,
  rememberDatabase,
  type RememberedDatabase,
} from './remembered-database';

export interface StoreOptions {
  readonly config: Pick<Config, 'home' | 'database'>;
  /** The folder with the migrations of both databases. */
  readonly migrationsFolder: string;
  /** The version of the program. */
  readonly version?: string | undefined;
  readonly logger: Logger;
  /** Whether this is a server: a second one on a SQLite file is refused. */
  readonly isServer: boolean;
}

/** Callers get an error when the database is busy instead of a long wait; single commands wait longer for each other. */
const serverLockedMs = 5_000;

/**
 * Opens the database of this installation: claims a SQLite file for a server, which others may open for single
 * commands, applies due migrations, connects. Refuses a lost database: the first caller could set up the empty one
 * that replaces it. The opened resources are passed to `add`, which closes them in reverse order.
 */
export async function openStore(
  { config, migrationsFolder, version, logger, isServer }: StoreOptions,
  add: StartResource,
): Promise<Database> {
  const url = config.database.url.reveal();
  await prepareHome(config.home);
  const location = parseDatabaseUrl(url);
  const known = await findRememberedDatabase(location, config.home);
  if (location.provider === 'sqlite') {
    await mkdir(path.dirname(location.file), { recursive: true, mode: 0o700 });
    if (isServer) lockForServer(location.file, add);
  }
  const described = describeLocation(location, config.home);
  const { applied, instance } = await applyMigrations({
    url,
    folder: migrationsFolder,
    version,
    mode: config.database.autoMigrate ? 'apply' : 'verify',
    instance: known?.instance,
  }).catch((error: unknown) => {
    throw explainLoss(error, described, config.home);
  });
  if (known === undefined) await rememberDatabase(config.home, { location: described, instance });
  if (applied.length > 0) logger.info({ migrations: applied }, 'database migrated');
  const database = await createDatabase({
    url,
    sqliteSynchronous: config.database.sqliteSynchronous,
    ...(isServer ? { lockedMs: serverLockedMs } : {}),
    onConnectionLost: (error) => logger.warn({ error }, 'database connection lost'),
  });
  add({ name: 'database', stop: () => database.close() });
  await assertNotCopying(database);
  return database;
}

function lockForServer(file: string, add: StartResource): void {
  const lock = lockSqliteFile(file);
  add({
    name: 'database lock',
    stop: () => {
      lock.release();
      return Promise.resolve();
    },
  });
}

/** Returns the known facts about the database at this location; `undefined` for a new one, or one that was configured again. */
async function findRememberedDatabase(
  location: DatabaseLocation,
  home: string,
): Promise<RememberedDatabase | undefined> {
  const known = await readRememberedDatabase(home);
  if (known?.location !== describeLocation(location, home)) return undefined;
  if (location.provider === 'sqlite') assertFileHasContent(location.file, home);
  return known;
}
