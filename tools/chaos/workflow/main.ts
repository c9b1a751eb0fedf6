// Servers, schedulers and workers in network namespaces of one machine, with a PostgreSQL and a store of objects, are
// killed, paused, cut off and slowed down while they execute runs; counted is what was lost, stuck or done twice. Needs
// root and Linux. `npm run chaos workflow -- --rounds 100 --runs 2000 --faults 40 --seed 1` runs it after a build.
import { appendFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createSeededRandom } from '@weir/test-kit';
import { startCluster } from './cluster';
import { checkTicks } from './check-ticks';
import { playRound, type RoundResult } from './rounds';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    runs: { type: 'string', default: '20' },
    faults: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    output: { type: 'string' },
  },
});

async function main(): Promise<void> {
  const random = createSeededRandom(Number(values.seed));
  const cluster = await startCluster();
  const done: RoundResult[] = [];
  try {
    console.log(
      '| round | faults | runs | executions | lost | stuck | failed | double | missing | logs | late | take-overs | longest ms | s |',
    );
    console.log('| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
    for (let index = 1; index <= Number(values.rounds); index += 1) {
      const result = await playRound(cluster, {
        index,
        runs: Number(values.runs),
        faults: Number(values.faults),
        random,
      });
      done.push(result);
      print(index, result);
    }
    const { lost, double } = await checkTicks(cluster.databaseUrl);
    console.log(
      `\nschedule of every minute: ${lost.length} lost, ${double.length} double ${[...lost, ...double].join(' ')}`,
    );
    if (lost.length + double.length > 0 || done.some(isBad)) process.exitCode = 1;
  } finally {
    const { output } = values;
    if (output !== undefined) {
      for (const machine of cluster.machines) await appendFile(output, `== ${machine.name}\n${machine.output()}\n`);
    }
    await cluster.stop();
  }
}

/** A worker that died is noticed within this time. */
const longestTakeOverMs = 15_000;

const problemsOf = ({ lost, stuck, failed, double, missing, logs, takeOvers }: RoundResult) =>
  Object.entries({
    lost,
    stuck,
    failed,
    double,
    missing,
    logs,
    late: takeOvers
      .filter(({ silentMs }) => silentMs > longestTakeOverMs)
      .map(({ runId, from, to, silentMs }) => `${runId} from ${from} to ${to} after ${Math.round(silentMs)} ms`),
  });

function isBad(result: RoundResult): boolean {
  return problemsOf(result).some(([, found]) => found.length > 0);
}

function print(index: number, result: RoundResult): void {
  const problems = problemsOf(result);
  const silentMs = result.takeOvers.map((takeOver) => takeOver.silentMs);
  const longest = silentMs.length === 0 ? '-' : Math.round(Math.max(...silentMs));
  const kinds = result.faults.map(({ fault, machine }) => `${fault} ${machine}`).join(', ');
  const cells = [index, kinds, result.acknowledged, result.executions, ...problems.map(([, found]) => found.length)];
  console.log(`| ${[...cells, silentMs.length, longest, Math.round(result.elapsedMs / 1_000)].join(' | ')} |`);
  for (const [name, found] of problems) for (const what of found) console.log(`  ${name}: ${what}`);
}

void main();
