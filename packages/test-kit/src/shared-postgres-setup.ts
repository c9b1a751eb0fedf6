import { startPostgres, type TestPostgres } from './start-postgres';

// Jest loads the set-up and the tear-down separately; they share only the process.
const shared = globalThis as typeof globalThis & { weirSharedPostgres?: TestPostgres };

/**
 * Jest's `globalSetup`: one PostgreSQL for all specs of a run, found by them in WEIR_TEST_POSTGRES_URL. A value that
 * is already there is used unchanged.
 */
async function startShared(): Promise<void> {
  shared.weirSharedPostgres = await startPostgres();
  process.env.WEIR_TEST_POSTGRES_URL = shared.weirSharedPostgres.url;
}

/** Jest's `globalTeardown` counterpart. */
export async function stopSharedPostgres(): Promise<void> {
  await shared.weirSharedPostgres?.stop();
  delete shared.weirSharedPostgres;
}

// Jest asks for a default export here.
export { startShared as default };
