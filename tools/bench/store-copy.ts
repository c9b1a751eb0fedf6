// Copies the database of an installation to PostgreSQL and back, and prints how long it takes with many runs of five
// steps. WEIR_BENCH_RUNS (100000). `npm run bench:store-copy` runs it.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startPostgres } from '@weir/test-kit';
import { copyDatabase } from '@weir/workflow-db';
import { callsOf, endOfRun, numberOf, printRow } from './server-calls';
import { startRunnerUnderTest } from './server-under-test';

const runs = numberOf('WEIR_BENCH_RUNS', 100_000);
const steps = ['a', 'b', 'c', 'd', 'e'].map((name) => `{name: ${name}, action: noop}`).join();
const migrationsFolder = path.resolve(__dirname, '../../packages/workflow-db/prisma/migrations');

async function main(): Promise<void> {
  const server = await startRunnerUnderTest(new Map([['small', `steps: [${steps}]\n`]]));
  const postgres = await startPostgres();
  try {
    await callsOf(server)('/dags/small/start', { dagRunId: 'seed' });
    await endOfRun(callsOf(server), '/dag-runs/small/seed');
    const file = path.join(server.home, 'weir', 'data', 'weir.db');
    const copyOfFile = path.join(server.home, 'many.db');
    new DatabaseSync(file).prepare('VACUUM INTO ?').run(copyOfFile);
    storeRuns(copyOfFile);
    const { url } = await postgres.createDatabase();
    printRow(`${runs} runs of 5 steps`, 's', 's of processor', 's per 50,000 runs');
    printRow('---', '---:', '---:', '---:');
    await report('SQLite to PostgreSQL', `file:${copyOfFile}`, url);
    await report('PostgreSQL to SQLite', url, `file:${path.join(server.home, 'back.db')}`);
  } finally {
    await postgres.stop();
    await server.stop();
  }
}

async function report(name: string, from: string, to: string): Promise<void> {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  await copyDatabase({ from, to, migrationsFolder });
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  printRow(name, seconds, (user + system) / 1e6, (seconds / runs) * 50_000);
}

/** Copies of the run, with its steps and executions. */
function storeRuns(file: string): void {
  const database = new DatabaseSync(file);
  for (const [table, changed] of [
    ['DagRun', { id: `'r' || i`, dagRunId: `'r' || i` }],
    ['DagRunStep', { runId: `'r' || i` }],
    ['DagRunAttempt', { runId: `'r' || i` }],
  ] as const) {
    const columns = database
      .prepare(`PRAGMA table_info("${table}")`)
      .all()
      .map(({ name }) => String(name));
    const values = columns.map((name) => (changed as Readonly<Record<string, string>>)[name] ?? `"${name}"`);
    database.exec(
      `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join()}) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${runs}) SELECT ${values.join()} FROM n, "${table}"`,
    );
  }
  database.close();
}

void main();
