// Measures how soon queued runs start and how many a second are executed, with one to four worker processes on a
// PostgreSQL, and the statements that idle processes send to it. `npm run bench dispatch` runs it after a build.
// WEIR_BENCH_PROGRAM names the built program of an earlier version, which has no workers alone: it is measured with
// WEIR_BENCH_WORKER=scheduler, and its idle processes are not.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  spawnProcess,
  startPostgres,
  temporaryFolder,
  waitFor,
  type SpawnedProcess,
  type TestPostgres,
} from '@weir/test-kit';
import { Client } from 'pg';

const program = process.env.WEIR_BENCH_PROGRAM ?? path.resolve(__dirname, '../../apps/workflow-api/dist/main.js');
const workerCommand = process.env.WEIR_BENCH_WORKER ?? 'worker';
const lifeTimeMs = 30 * 60_000;
const spacedRuns = 100;
const spacedMs = 100;
const burst = 400;
const connections = 8;
const idleMs = 60_000;
const dag = 'noop';

const main = async (): Promise<void> => {
  console.log('| workers | enqueue to start, ms, p50 | p99 | runs a second |\n| ---: | ---: | ---: | ---: |');
  for (const workers of [1, 2, 4]) await measureWorkers(workers);
  if (process.env.WEIR_BENCH_PROGRAM === undefined) await measureIdle();
};

async function measureWorkers(count: number): Promise<void> {
  const postgres = await startPostgres();
  const site = await startSite(postgres);
  try {
    await enqueueAll(site.url, ids('burst', burst), connections);
    await Promise.all(Array.from({ length: count }, () => site.start(workerCommand)));
    await untilEmpty(site.database);
    for (const id of ids('spaced', spacedRuns)) {
      await enqueue(site.url, id);
      await delay(spacedMs);
    }
    await untilEmpty(site.database);
    const latencies = await latenciesOf(site.database);
    const at = (share: number): string => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(0);
    console.log(`| ${count} | ${at(0.5)} | ${at(0.99)} | ${await runsPerSecond(site.database)} |`);
  } finally {
    await site.stop();
    await postgres.stop();
  }
}

/** One process at a time: what PostgreSQL logs is of it alone. */
async function measureIdle(): Promise<void> {
  console.log('\n| idle process | statements a minute | most frequent |\n| --- | ---: | --- |');
  for (const role of ['server', 'scheduler', 'worker']) {
    const postgres = await startPostgres({
      settings: { log_statement: 'all', log_line_prefix: 'weir|%a|', autovacuum: 'off' },
    });
    const site = await startSite(postgres, role === 'server');
    try {
      if (role !== 'server') await site.start(role);
      // The work soon after the start is done once, so it is no idle cost.
      await delay(15_000);
      const before = postgres.log().length;
      await delay(idleMs);
      const statements = readStatements(postgres.log().slice(before));
      console.log(`| ${role} | ${statements.length} | ${mostFrequent(statements)} |`);
    } finally {
      await site.stop();
      await postgres.stop();
    }
  }
}

interface Site {
  readonly url: string;
  readonly database: Client;
  start(role: string): Promise<SpawnedProcess>;
  stop(): Promise<void>;
}

/** A folder, a database and, unless told otherwise, a server. */
async function startSite(postgres: TestPostgres, hasServer = true): Promise<Site> {
  const home = temporaryFolder('weir-bench-');
  const { url: databaseUrl } = await postgres.createDatabase();
  await mkdir(home.file('weir', 'dags'), { recursive: true });
  await writeFile(home.file('weir', 'dags', `${dag}.yaml`), 'steps:\n  - action: noop\n');
  const processes: SpawnedProcess[] = [];
  const start = async (role: string): Promise<SpawnedProcess> => {
    const child = await spawnProcess({
      command: process.execPath,
      args: [program, role],
      env: {
        HOME: home.path,
        WEIR_HOME: home.file('weir'),
        WEIR_PORT: '0',
        WEIR_LOG_LEVEL: 'warn',
        WEIR_AUTH_MODE: 'none',
        WEIR_SKIP_EXAMPLES: 'true',
        WEIR_STEP_ISOLATION: 'off',
        WEIR_DATABASE_URL: databaseUrl,
        WEIR_QUEUES: `${dag}=200`,
      },
      deadlineMs: lifeTimeMs,
    });
    processes.push(child);
    await child.waitForOutput(/Weir (is up: \S+|executes|follows|carries)/, 60_000);
    return child;
  };
  const server = hasServer ? await start('server') : undefined;
  const database = new Client({ connectionString: databaseUrl, application_name: 'bench' });
  await database.connect();
  return {
    url: /Weir is up: (\S+)/.exec(server?.stdout() ?? '')?.[1] ?? '',
    database,
    start,
    stop: async () => {
      for (const child of processes.toReversed()) await child.stop({ deadlineMs: 20_000 });
      await database.end();
      await home.remove();
    },
  };
}

const ids = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

async function enqueue(url: string, dagRunId: string): Promise<void> {
  const response = await fetch(`${url}/dags/${dag}/enqueue`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dagRunId }),
  });
  if (!response.ok) throw new Error(`The server answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function enqueueAll(url: string, all: readonly string[], atOnce: number): Promise<void> {
  const queue = all.values();
  const some = async (): Promise<void> => {
    for (const id of queue) await enqueue(url, id);
  };
  await Promise.all(Array.from({ length: atOnce }, some));
}

async function untilEmpty(database: Client): Promise<void> {
  const isEmpty = async (): Promise<boolean> => {
    const { rows } = await database.query<{ readonly count: string }>('SELECT count(*) AS "count" FROM "QueueItem"');
    return rows[0]?.count === '0';
  };
  await waitFor(isEmpty, { deadlineMs: 300_000, intervalMs: 50, what: 'the queue to be empty' });
}

/** From the request to the start of the first step, by the clock of this machine, in ascending order. */
async function latenciesOf(database: Client): Promise<readonly number[]> {
  const { rows } = await database.query<{ readonly ms: number }>(
    `SELECT (extract(epoch FROM s."startedAt" - r."queuedAt") * 1000)::float8 AS "ms"
     FROM "DagRun" r JOIN "DagRunStep" s ON s."runId" = r."id" WHERE r."dagRunId" LIKE 'spaced-%' ORDER BY 1`,
  );
  return rows.map(({ ms }) => ms);
}

/** Without the first quarter, in which workers start. */
async function runsPerSecond(database: Client): Promise<string> {
  const { rows } = await database.query<{ readonly rate: number }>(
    `WITH ended AS (
       SELECT "finishedAt", ntile(4) OVER (ORDER BY "finishedAt") AS "part" FROM "DagRun" WHERE "dagRunId" LIKE 'burst-%'
     )
     SELECT (count(*) FILTER (WHERE "part" > 1)
       / extract(epoch FROM max("finishedAt") - max("finishedAt") FILTER (WHERE "part" = 1)))::float8 AS "rate"
     FROM ended`,
  );
  return (rows[0]?.rate ?? 0).toFixed(0);
}

function readStatements(log: string): readonly string[] {
  const found = log.matchAll(/weir\|(weir[^|]*)\|LOG: {2}(?:statement|execute [^:]*): (.{0,60})/g);
  return [...found].map(([, name = '', text = '']) => `${name}: ${text.replaceAll('|', ' ')}`);
}

function mostFrequent(statements: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of statements) counts.set(text, (counts.get(text) ?? 0) + 1);
  const first = [...counts].toSorted(([, left], [, right]) => right - left).slice(0, 6);
  return first.map(([text, count]) => `${count} × ${text}`).join('; ');
}

void main();
