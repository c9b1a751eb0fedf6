// Measures parts, the end and a search of a large log over HTTP. WEIR_BENCH_LOG_MIB (2048) and WEIR_BENCH_ROUNDS (20).
// `npm run bench logs` runs it.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { callsOf, endOfRun, numberOf, percentile, printRow, timesOf } from './server-calls';
import { startRunnerUnderTest } from './server-under-test';

const mebibytes = numberOf('WEIR_BENCH_LOG_MIB', 2048);
const rounds = numberOf('WEIR_BENCH_ROUNDS', 20);
const dags = new Map([['logger', 'steps: [{name: one, run: echo begun}]\n']]);

async function main(): Promise<void> {
  const server = await startRunnerUnderTest(dags);
  try {
    const call = callsOf(server);
    await call('/dags/logger/start', { dagRunId: 'seed' });
    const { nodes } = await endOfRun(call, '/dag-runs/logger/seed');
    const lines = await fill(nodes[0]?.stdout ?? '');
    const log = '/dag-runs/logger/seed/steps/one/log';
    const cases = [
      ['tail, the first time', 1, `${log}/lines?tail=1000`],
      ['tail', rounds, `${log}/lines?tail=1000`],
      ['a line in the middle', rounds, `${log}/lines?line=${Math.floor(lines / 2)}`],
      ['a byte near the end', rounds, `${log}/lines?byte=${(mebibytes - 1) * 1_048_576}`],
      ['search of a text, all of the log', 1, `${log}/search?query=needle-at-the-end`],
      ['search of an expression', 1, `${log}/search?query=needle-[a-z-]*end&regex=true`],
    ] as const;
    printRow(`${mebibytes} MiB, ${lines} lines`, 'p50 ms', 'p99 ms', 'resident MB');
    printRow('---', '---:', '---:', '---:');
    for (const [name, count, address] of cases) {
      const times = await timesOf(count, () => call(address));
      printRow(name, percentile(times, 0.5), percentile(times, 0.99), await server.residentMegabytes());
    }
  } finally {
    await server.stop();
  }
}

/** Lines of some 100 bytes; returns how many there are. */
async function fill(file: string): Promise<number> {
  const stream = createWriteStream(file, { flags: 'a' });
  const block =
    `an ordinary line of a log that nobody looks for, with a number of words in it to be a hundred long\n`.repeat(
      10_000,
    );
  const blocks = Math.ceil((mebibytes * 1_048_576) / block.length);
  for (let index = 0; index < blocks; index += 1) {
    if (!stream.write(block)) await once(stream, 'drain');
  }
  stream.end('needle-at-the-end\n');
  await once(stream, 'finish');
  return blocks * 10_000 + 2;
}

void main();
