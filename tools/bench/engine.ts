// Measures how the built server executes runs, compared with what this machine needs for a bare process and a bare commit in
// the same minute. Only the ratios mean something: machines differ and are noisy. `npm run bench engine` runs it after a
// build. Times of runs are the server's own, from made to finished; those of a client include HTTP and looking again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '@weir/test-kit';
import Sqlite from 'better-sqlite3';
import { engineDags } from './engine-dags';
import { startRunnerUnderTest, type ServerUnderTest } from './server-under-test';

interface Run {
  /** From made to finished, as stored. */
  readonly storedMs: number;
  /** The time from creation to start. */
  readonly waitedMs: number;
  /** The time as the client saw it. */
  readonly seenMs: number;
}

interface Details {
  readonly status: number;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly queuedAt?: string;
}

const succeeded = 4;
const lookEveryMs = 10;
const underWay: readonly number[] = [1, 5];
const program = path.resolve(__dirname, '../../apps/workflow-api/dist/main.js');

const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length * part)] ?? Number.NaN;
const median = (times: readonly number[]): number => quantile(times, 0.5);

async function times(count: number, action: () => Promise<unknown>): Promise<readonly number[]> {
  const found: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const start = performance.now();
    await action();
    found.push(performance.now() - start);
  }
  return found;
}

const bareProcess = () => once(spawn('sh', ['-e', '-c', 'true'], { stdio: 'ignore' }), 'exit');

function bareCommits(count: number): readonly number[] {
  const folder = temporaryFolder('weir-bench-');
  const database = new Sqlite(folder.file('bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = database.prepare("INSERT INTO item (text) VALUES ('some text')");
  const found = Array.from({ length: count }, () => {
    const start = performance.now();
    insert.run();
    return performance.now() - start;
  });
  database.close();
  void folder.remove();
  return found;
}

function createApiClient({ baseUrl, token }: ServerUnderTest) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = async (address: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${baseUrl}${address}`, { ...init, headers });
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    begin: async (dag: string, how: 'start' | 'enqueue' = 'start'): Promise<string> => {
      const answer = await ask(`/dags/${dag}/${how}`, { method: 'POST', body: '{}' });
      return (answer as { readonly dagRunId: string }).dagRunId;
    },
    countUnderWay: async (dag: string): Promise<number> => {
      const query = underWay.map((status) => `status=${status}`).join('&');
      const { dagRuns } = (await ask(`/dag-runs?name=${dag}&${query}&limit=1`)) as {
        readonly dagRuns: readonly unknown[];
      };
      return dagRuns.length;
    },
    ended: async (dag: string, id: string, everyMs = lookEveryMs): Promise<Details> => {
      for (;;) {
        // The wait comes first: no run has ended right after its start, and polling costs the server time.
        await delay(everyMs);
        const { dagRunDetails } = (await ask(`/dag-runs/${dag}/${id}`)) as { readonly dagRunDetails: Details };
        if (!underWay.includes(dagRunDetails.status)) return dagRunDetails;
      }
    },
  };
}

type Client = ReturnType<typeof createApiClient>;

async function runOnce(client: Client, dag: string, everyMs = lookEveryMs): Promise<Run> {
  const start = performance.now();
  const id = await client.begin(dag);
  const details = await client.ended(dag, id, everyMs);
  if (details.status !== succeeded) throw new Error(`${dag} ended with status ${details.status}`);
  const at = (time: string | undefined) => new Date(time ?? details.startedAt).getTime();
  return {
    seenMs: performance.now() - start,
    storedMs: at(details.finishedAt) - at(details.queuedAt),
    waitedMs: at(details.startedAt) - at(details.queuedAt),
  };
}

async function runs(client: Client, dag: string, count: number, everyMs = lookEveryMs): Promise<readonly Run[]> {
  const found: Run[] = [];
  for (let round = 0; round < count; round += 1) found.push(await runOnce(client, dag, everyMs));
  return found;
}

/** Runs per second while this many are started as fast as the server accepts them, until the last has ended. */
async function sustained(client: Client, dag: string, count: number): Promise<number> {
  const start = performance.now();
  const left = Array.from({ length: count }).keys();
  const begin = async (): Promise<void> => {
    while (left.next().done !== true) await client.begin(dag);
  };
  await Promise.all(Array.from({ length: 10 }, begin));
  // Looking costs the server as well, so it is done seldom.
  while ((await client.countUnderWay(dag)) > 0) await delay(100);
  return (count * 1000) / (performance.now() - start);
}

async function coldStart(): Promise<readonly number[]> {
  const home = temporaryFolder('weir-bench-');
  const file = home.file('one.yaml');
  await writeFile(file, 'steps:\n  - run: "true"\n');
  const found = await times(5, () =>
    once(
      spawn(process.execPath, [program, 'start', file], {
        stdio: 'ignore',
        env: { HOME: home.path, PATH: process.env.PATH, WEIR_HOME: home.file('weir') },
      }),
      'exit',
    ),
  );
  await home.remove();
  return found.slice(1);
}

function row(name: string, value: string, target = ''): void {
  console.log(`| ${name} | ${value} | ${target} |`);
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

async function main(): Promise<void> {
  const server = await startRunnerUnderTest(engineDags);
  try {
    const client = createApiClient(server);
    await runs(client, 'one-shell', 5);
    await runs(client, 'three-light', 5);
    const spawned = median(await times(200, bareProcess));
    const committed = median(bareCommits(2000));
    console.log('| case | measured | target |\n| --- | --- | --- |');
    row('bare process `sh -c true`, median', ms(spawned));
    row('bare SQLite commit, median', ms(committed));

    const stored = (list: readonly Run[]) => list.map(({ storedMs }) => storedMs);
    const one = await runs(client, 'one-shell', 40);
    row('1 shell step, made to finished', `median ${ms(median(stored(one)))}, p95 ${ms(quantile(stored(one), 0.95))}`);
    row('created to started, at once', `p50 ${ms(median(one.map(({ waitedMs }) => waitedMs)))}`, 'p50 <= 10 ms');

    const chain = median(stored(await runs(client, 'chain-10', 10, 50)));
    row(
      '10 shell steps in a chain',
      `${ms(chain)}, over bare ${ms((chain - 10 * spawned) / 10)} a step`,
      '<= 3 ms a step',
    );
    const shell40 = median(stored(await runs(client, 'shell-40', 5, 100)));
    const light40 = median(stored(await runs(client, 'light-40', 10, 100)));
    row(
      '40 shell steps in a chain',
      `${ms(shell40)}, over bare ${ms((shell40 - 40 * spawned) / 40)} a step`,
      '<= 3 ms a step',
    );
    row(
      '40 js.run steps in a chain',
      `${ms(light40)}, ${ms(light40 / 40)} a step, ${(shell40 / light40).toFixed(1)} times faster`,
    );

    const perStep: number[] = [];
    for (const count of [50, 200, 1000]) {
      const took = median(stored(await runs(client, `wide-${count}`, count === 1000 ? 3 : 8, 50)));
      perStep.push(took / count);
      row(`${count} shell steps side by side`, `${ms(took)}, ${ms(took / count)} a step`);
    }
    row('1,000 to 50 side by side, a step', ((perStep[2] ?? 0) / (perStep[0] ?? 1)).toFixed(2), '<= 1.2 (linear)');
    const wideLight = median(stored(await runs(client, 'wide-light-1000', 3, 50)));
    row('1,000 js.run steps side by side', `${ms(wideLight)}, ${ms(wideLight / 1000)} a step`);

    for (const dag of ['three-shell', 'three-light']) {
      const list = await runs(client, dag, 50);
      const seen = list.map(({ seenMs }) => seenMs);
      const target = dag === 'three-light' ? 'median <= 10 ms' : '';
      row(
        `${dag}, run and wait`,
        `stored median ${ms(median(stored(list)))}, p95 ${ms(quantile(stored(list), 0.95))}; client median ${ms(median(seen))}, p95 ${ms(quantile(seen, 0.95))}`,
        target,
      );
      row(`${dag}, 500 at once`, `${(await sustained(client, dag, 500)).toFixed(0)} runs/s`);
    }
    row(
      'one js.run step, 2,000 at once',
      `${(await sustained(client, 'one-light', 2000)).toFixed(0)} runs/s`,
      '>= 150 runs/s',
    );

    const loop100 = median(stored(await runs(client, 'foreach-100', 5, 50)));
    const loop1000 = median(stored(await runs(client, 'foreach-1000', 2, 50)));
    row('foreach over 100 values', ms(loop100));
    row(
      'foreach over 1,000 values',
      `${ms(loop1000)}, a value ${(loop1000 / loop100 / 10).toFixed(2)} of that of 100`,
      '<= 1.2',
    );

    const queued = [];
    for (let round = 0; round < 40; round += 1) {
      const details = await client.ended('one-light', await client.begin('one-light', 'enqueue'));
      queued.push(new Date(details.startedAt).getTime() - new Date(details.queuedAt ?? '').getTime());
    }
    row('enqueued to started', `p50 ${ms(median(queued))}, p95 ${ms(quantile(queued, 0.95))}`, 'p50 <= 10 ms');
    row('memory of the server after all that', `${await server.residentMegabytes()} MB`);
  } finally {
    await server.stop();
  }
  row('`weir start` of one step, new process', ms(median(await coldStart())));
}

void main();
