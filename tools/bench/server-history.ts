// Measures lists over many stored runs, with each filter and at deep pages, and the details of a run with many steps.
// WEIR_BENCH_RUNS (100000), WEIR_BENCH_STEPS (1000) and WEIR_BENCH_ROUNDS (50). `npm run bench history` runs it.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { callsOf, endOfRun, numberOf, percentile, printRow, timesOf, type Call } from './server-calls';
import { startRunnerUnderTest } from './server-under-test';

const runs = numberOf('WEIR_BENCH_RUNS', 100_000);
const steps = numberOf('WEIR_BENCH_STEPS', 1000);
const rounds = numberOf('WEIR_BENCH_ROUNDS', 50);

const dags = new Map([
  ['small', 'labels: team=bench\nsteps: [{name: one, action: noop}]\n'],
  ['wide', `steps:\n${Array.from({ length: steps }, (_, index) => `  - {name: s${index}, action: noop}\n`).join('')}`],
]);
const since = 'fromDate=1';
const filters = ['', 'status=2', 'name=history-7', 'labels=team%3Dbench', 'dagRunId=r9', 'workspace=default'];

async function main(): Promise<void> {
  const first = await startRunnerUnderTest(dags);
  for (const name of dags.keys()) {
    await callsOf(first)(`/dags/${name}/start`, { dagRunId: 'seed' });
    await endOfRun(callsOf(first), `/dag-runs/${name}/seed`);
  }
  const server = await first.restart((home) => storeRuns(path.join(home, 'weir', 'data', 'weir.db')));
  try {
    const call = callsOf(server);
    printRow(`${runs} runs, ${steps} steps`, 'p50 ms', 'p99 ms');
    printRow('---', '---:', '---:');
    for (const filter of filters) await report(`list ${filter}`, call, `/dag-runs?${since}&${filter}`);
    await report('list, deep page', call, await deepPage(call));
    await report('details of the run with many steps', call, '/dag-runs/wide/seed');
    printRow('resident MB', await server.residentMegabytes(), '');
  } finally {
    await server.stop();
  }
}

async function report(name: string, call: Call, address: string): Promise<void> {
  await call(address);
  const times = await timesOf(rounds, () => call(address));
  printRow(name, percentile(times, 0.5), percentile(times, 0.99));
}

/** Reads the last page but one. */
async function deepPage(call: Call): Promise<string> {
  let address = `/dag-runs?${since}&limit=500`;
  for (;;) {
    const { nextCursor } = (await call(address)) as { readonly nextCursor?: string };
    if (nextCursor === undefined) return address;
    address = `/dag-runs?${since}&limit=500&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

/** Copies of the small run, a minute apart, of a hundred DAGs, one of ten failed. */
function storeRuns(file: string): void {
  const database = new DatabaseSync(file);
  const columns = database
    .prepare('PRAGMA table_info("DagRun")')
    .all()
    .map(({ name }) => String(name));
  const changed: Readonly<Record<string, string>> = {
    id: `'r' || i`,
    dagRunId: `'r' || i`,
    dagName: `'history-' || (i % 100)`,
    status: `CASE WHEN i % 10 = 0 THEN 'failed' ELSE status END`,
    createdAt: createdAtOf(database),
  };
  const names = columns.map((name) => `"${name}"`).join();
  const values = columns.map((name) => changed[name] ?? `"${name}"`).join();
  database.exec(
    `INSERT INTO "DagRun" (${names}) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${runs}) SELECT ${values} FROM n, "DagRun" WHERE "dagName" = 'small' AND "dagRunId" = 'seed'`,
  );
  database.close();
}

function createdAtOf(database: DatabaseSync): string {
  const [row] = database.prepare('SELECT typeof("createdAt") AS type FROM "DagRun" LIMIT 1').all();
  return row?.type === 'integer'
    ? '"createdAt" - i * 60000'
    : `strftime('%Y-%m-%dT%H:%M:%f+00:00', "createdAt", '-' || i || ' minutes')`;
}

void main();
