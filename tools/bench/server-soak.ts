// Executes many runs while clients watch the list, and prints what the server holds on to: memory over the second half,
// the database, and the processor time when nothing happens. WEIR_BENCH_RUNS (20000), WEIR_BENCH_CLIENTS (50) and
// WEIR_BENCH_IDLE_SECONDS (60). Linux only. `npm run bench soak` runs it.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openClients } from './live-clients';
import { callsOf, numberOf, percentile, printRow, type Call } from './server-calls';
import { startRunnerUnderTest, type ServerUnderTest } from './server-under-test';

const runs = numberOf('WEIR_BENCH_RUNS', 20_000);
const clients = numberOf('WEIR_BENCH_CLIENTS', 50);
const idleSeconds = numberOf('WEIR_BENCH_IDLE_SECONDS', 60);
const atOnce = 32;
const ticksPerSecond = 100;
const dags = new Map([['soak', 'hist_retention_runs: 1000\nsteps: [{name: one, action: noop}]\n']]);

async function main(): Promise<void> {
  const server = await startRunnerUnderTest(dags, { WEIR_QUEUES: 'soak=64' });
  try {
    const call = callsOf(server);
    const opened = await openClients(server, {
      topic: 'dagruns:limit=100',
      count: clients,
      delta: true,
      onEvent: () => undefined,
    });
    const halves = [await execute(server, call, 'a', runs / 2), await execute(server, call, 'b', runs / 2)];
    printRow(`${runs} runs, ${clients} clients`, 'first half', 'second half');
    printRow('---', '---:', '---:');
    for (const [name, share] of [
      ['resident MB, median', 0.5],
      ['resident MB, most', 1],
    ] as const) {
      printRow(name, ...halves.map((sizes) => percentile(sizes, share)));
    }
    opened.close();
    printRow('database MB', '', databaseMegabytes(server.home));
    const before = processorSeconds(server.pid);
    await delay(idleSeconds * 1000);
    printRow('idle processor, per cent', '', ((processorSeconds(server.pid) - before) / idleSeconds) * 100);
    printRow('resident MB, idle', '', await server.residentMegabytes());
  } finally {
    await server.stop();
  }
}

/** Returns the memory after each hundred runs. */
async function execute(server: ServerUnderTest, call: Call, prefix: string, count: number): Promise<readonly number[]> {
  const sizes: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      await call('/dags/soak/start-sync', { dagRunId: `${prefix}${index}`, timeout: 600 });
      if (index % 100 === 0) sizes.push(await server.residentMegabytes());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return sizes;
}

function databaseMegabytes(home: string): number {
  return statSync(path.join(home, 'weir', 'data', 'weir.db')).size / 1_000_000;
}

function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

void main();
