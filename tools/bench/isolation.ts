// Measures what the isolation of steps costs: the same runs on two built servers, one with it and one without, in turns.
// Only the ratios mean something. `npm run bench isolation` runs it after a build, on Linux with bubblewrap.
import { performance } from 'node:perf_hooks';
import { engineDags } from './engine-dags';
import { startRunnerUnderTest, type ServerUnderTest } from './server-under-test';

const rounds = Number(process.env.WEIR_BENCH_ROUNDS ?? '40');
const cases = [
  { dag: 'one-shell', steps: 1 },
  { dag: 'chain-10', steps: 10 },
  { dag: 'shell-40', steps: 40 },
] as const;

interface Details {
  readonly statusLabel: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** From start to finish, as stored. */
async function runOnce({ baseUrl, token }: ServerUnderTest, dag: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ timeout: 60 });
  const answer = await fetch(`${baseUrl}/dags/${dag}/start-sync`, { method: 'POST', headers, body });
  const { dagRun } = (await answer.json()) as { readonly dagRun: Details };
  if (dagRun.statusLabel !== 'succeeded') throw new Error(`${dag} is ${dagRun.statusLabel}`);
  return new Date(dagRun.finishedAt).getTime() - new Date(dagRun.startedAt).getTime();
}

const median = (times: readonly number[]): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? Number.NaN;

async function main(): Promise<void> {
  const [off, on] = await Promise.all(
    ['off', 'required'].map((mode) => startRunnerUnderTest(engineDags, { WEIR_STEP_ISOLATION: mode })),
  );
  if (off === undefined || on === undefined) throw new Error('A server did not start.');
  try {
    console.log('| case | without, median | with, median | ratio | more a step |\n| --- | ---: | ---: | ---: | ---: |');
    for (const { dag, steps } of cases) {
      const times: { readonly off: number[]; readonly on: number[] } = { off: [], on: [] };
      const start = performance.now();
      for (let round = 0; round < rounds && performance.now() - start < 60_000; round += 1) {
        times.off.push(await runOnce(off, dag));
        times.on.push(await runOnce(on, dag));
      }
      const [without, isolated] = [median(times.off), median(times.on)];
      const more = ((isolated - without) / steps).toFixed(2);
      console.log(`| ${dag} | ${without} ms | ${isolated} ms | ${(isolated / without).toFixed(2)} | ${more} ms |`);
    }
  } finally {
    await Promise.all([off.stop(), on.stop()]);
  }
}

void main();
