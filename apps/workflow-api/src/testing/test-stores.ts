import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { startPostgres, temporaryFolder, type TestPostgres } from '@weir/test-kit';
import { applyMigrations, createDatabase, type Database } from '@weir/workflow-db';
import {
  createInMemoryApiKeyRepository,
  createPrismaApiKeyRepository,
  type ApiKeyRepository,
} from '../features/api-keys';
import {
  createInMemoryBrowserSessionRepository,
  createPrismaBrowserSessionRepository,
  type BrowserSessionRepository,
} from '../features/browser-sessions';
import {
  createInMemoryChatClientRepository,
  createPrismaChatClientRepository,
  type ChatClientRepository,
} from '../features/chat-clients';
import {
  createInMemorySecondFactorRepository,
  createPrismaSecondFactorRepository,
  type SecondFactorRepository,
} from '../features/second-factor';
import { createInMemoryUserStore, createPrismaUserStore, type UserStore } from '../features/users';

export const databaseKinds = ['sqlite', 'postgresql'] as const;
export const storeKinds = ['memory', ...databaseKinds] as const;
export type StoreKind = (typeof storeKinds)[number];

export interface TestStores {
  readonly users: UserStore;
  readonly apiKeys: ApiKeyRepository;
  readonly sessions: BrowserSessionRepository;
  readonly secondFactors: SecondFactorRepository;
  readonly chatClients: ChatClientRepository;
}

export interface TestStoreSource {
  /** Opens empty stores that share nothing with those opened before. */
  readonly open: () => Promise<TestStores>;
  /** Opens an empty, migrated database; rejects for `memory`. */
  readonly openDatabase: () => Promise<Database>;
  /** Closes everything that was opened and removes every database. */
  readonly remove: () => Promise<void>;
}

const migrations = path.resolve(__dirname, '../../../../packages/workflow-db/prisma/migrations');

/** Creates stores of one kind for a spec; create in `beforeAll`, `remove` in `afterAll`. */
export async function createTestStores(kind: StoreKind): Promise<TestStoreSource> {
  const folder = temporaryFolder();
  const postgres = kind === 'postgresql' ? await startPostgres() : undefined;
  const template = postgres && (await migratedTemplate(postgres));
  const sqliteTemplate = folder.file('template.db');
  if (kind === 'sqlite') await applyMigrations({ url: `file:${sqliteTemplate}`, folder: migrations });
  const opened: Database[] = [];
  let copies = 0;

  const newUrl = async (): Promise<string> => {
    if (postgres && template) return (await postgres.createDatabase({ template })).url;
    if (kind === 'memory') throw new Error('Stores in memory have no database.');
    const file = folder.file(`${(copies += 1)}.db`);
    await copyFile(sqliteTemplate, file);
    return `file:${file}`;
  };
  const openDatabase = async (): Promise<Database> => {
    const database = await createDatabase({ url: await newUrl(), connectionTimeoutMs: 60_000 });
    opened.push(database);
    return database;
  };
  return {
    open: async () => {
      if (kind === 'memory') {
        return {
          users: createInMemoryUserStore(),
          apiKeys: createInMemoryApiKeyRepository(),
          sessions: createInMemoryBrowserSessionRepository(),
          secondFactors: createInMemorySecondFactorRepository(),
          chatClients: createInMemoryChatClientRepository(),
        };
      }
      const database = await openDatabase();
      return {
        users: createPrismaUserStore(database),
        apiKeys: createPrismaApiKeyRepository(database),
        sessions: createPrismaBrowserSessionRepository(database),
        secondFactors: createPrismaSecondFactorRepository(database),
        chatClients: createPrismaChatClientRepository(database),
      };
    },
    openDatabase,
    remove: async () => {
      await Promise.all(opened.map((database) => database.close()));
      await postgres?.stop();
      await folder.remove();
    },
  };
}

async function migratedTemplate(postgres: TestPostgres): Promise<string> {
  const { name, url } = await postgres.createDatabase();
  await applyMigrations({ url, folder: migrations });
  return name;
}
