// Measures the built workflow server and prints a table. Figures are for comparing cases of one run with each other:
// machines differ and are noisy. `npm run bench requests` runs it.
import { measure, type LoadResult } from './load';
import { admin, startServerUnderTest, type ServerUnderTest } from './server-under-test';

const folderSizes = [10, 1000, 10_000];
const seconds = Number(process.env.WEIR_BENCH_SECONDS ?? '5');
const connections = 8;

interface Row extends LoadResult {
  readonly name: string;
}

async function main(): Promise<void> {
  const listRows: Row[] = [];
  const loginRows: Row[] = [];
  const processes: {
    readonly name: string;
    readonly startUpMs: number;
    readonly idleMegabytes: number;
    readonly loadedMegabytes: number;
  }[] = [];
  for (const size of folderSizes) {
    const server = await startServerUnderTest(size);
    try {
      // The first list waits for the folder to be read once; memory is taken when that is done.
      await fetch(`${server.baseUrl}/dags`, { headers: { authorization: `Bearer ${server.token}` } });
      const idleMegabytes = await server.residentMegabytes();
      listRows.push(...(await measureLists(server, size)));
      if (size === folderSizes[0]) loginRows.push(await measureLogin(server));
      processes.push({
        name: `${size} DAG files`,
        startUpMs: Math.round(server.startUpMs),
        idleMegabytes,
        loadedMegabytes: await server.residentMegabytes(),
      });
    } finally {
      await server.stop();
    }
  }
  printTable([...listRows, ...loginRows]);
  console.log(
    '\n| process | start-up ms | resident MB after the first list | after the load |\n| --- | ---: | ---: | ---: |',
  );
  for (const row of processes)
    console.log(`| ${row.name} | ${row.startUpMs} | ${row.idleMegabytes} | ${row.loadedMegabytes} |`);
}

async function measureLists(server: ServerUnderTest, size: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const query of ['', '?sort=nextRun']) {
    const result = await measure({ url: `${server.baseUrl}/dags${query}`, token: server.token, connections, seconds });
    rows.push({ name: `GET /dags${query}, ${size} files`, ...result });
  }
  return rows;
}

async function measureLogin(server: ServerUnderTest): Promise<Row> {
  const result = await measure({
    url: `${server.baseUrl}/auth/login`,
    method: 'POST',
    body: admin,
    connections,
    seconds,
  });
  return { name: 'POST /auth/login', ...result };
}

function printTable(rows: readonly Row[]): void {
  const base = rows[0]?.requestsPerSecond ?? 1;
  console.log(
    '| case | requests/s | of the first row | p50 ms | p99 ms | failures |\n| --- | ---: | ---: | ---: | ---: | ---: |',
  );
  for (const { name, requestsPerSecond, p50Ms, p99Ms, failures } of rows) {
    const ratio = (requestsPerSecond / base).toFixed(2);
    console.log(`| ${name} | ${requestsPerSecond} | ${ratio} | ${p50Ms} | ${p99Ms} | ${failures} |`);
  }
}

void main();
