import path from 'node:path';
import { startPostgres, temporaryFolder, type TemporaryFolder, type TestPostgres } from '@weir/test-kit';
import { applyMigrations } from '../apply-migrations';
import { createDatabase, type CreateDatabaseOptions, type Database } from '../create-database';
import type { DatabaseProvider } from '../database-url';

export const migrationsFolder = path.resolve(__dirname, '../../prisma/migrations');

export const providers: readonly DatabaseProvider[] = ['sqlite', 'postgresql'];

export interface TestDatabases {
  readonly folder: TemporaryFolder;
  /** The URL of an empty database. */
  readonly emptyUrl: () => Promise<string>;
  readonly migratedUrl: () => Promise<string>;
  readonly open: (url?: string, options?: Pick<CreateDatabaseOptions, 'lockedMs'>) => Promise<Database>;
  /** Closes and removes every database. */
  readonly remove: () => Promise<void>;
}

/** Databases of one provider for a spec. Create in `beforeAll`, `remove` in `afterAll`. */
export async function createTestDatabases(provider: DatabaseProvider): Promise<TestDatabases> {
  const folder = temporaryFolder();
  const postgres = provider === 'postgresql' ? await startPostgres() : undefined;
  const opened: Database[] = [];
  let count = 0;

  const emptyUrl = async () => {
    count += 1;
    return postgres === undefined ? `file:${folder.file(`${count}.db`)}` : await newPostgresUrl(postgres);
  };
  const migratedUrl = async () => {
    const url = await emptyUrl();
    await applyMigrations({ url, folder: migrationsFolder });
    return url;
  };
  return {
    folder,
    emptyUrl,
    migratedUrl,
    open: async (url, options) => {
      const database = await createDatabase({ url: url ?? (await migratedUrl()), ...options });
      opened.push(database);
      return database;
    },
    remove: async () => {
      await Promise.all(opened.map((database) => database.close()));
      await postgres?.stop();
      await folder.remove();
    },
  };
}

async function newPostgresUrl(postgres: TestPostgres): Promise<string> {
  const { url } = await postgres.createDatabase();
  return url;
}
