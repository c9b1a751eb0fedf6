import { startPostgres, type TestPostgres } from '@weir/test-kit';
import { startWeir, type StartOptions, type Weir } from './weir-server';

export type Start = (options?: StartOptions) => Promise<Weir>;

/** Runs a suite once against the server on its embedded database and once on a real PostgreSQL. */
export function onEachDatabase(suite: (start: Start) => void): void {
  describe('on SQLite', () => {
    suite(startWeir);
  });

  describe('on PostgreSQL', () => {
    let postgres: TestPostgres;

    beforeAll(async () => {
      postgres = await startPostgres();
    }, 60_000);

    afterAll(async () => {
      await postgres.stop();
    });

    suite(async (options = {}) => {
      const { url } = await postgres.createDatabase();
      return startWeir({ ...options, env: { WEIR_DATABASE_URL: url, ...options.env } });
    });
  });
}
