// Measures a light function of `js.run` in the built process of the functions, compared with the start of a bare
// process, in one run. Figures are for comparing rows with each other. `npm run bench:js-run` runs it after a build.
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const hostFile = path.resolve(__dirname, '../../apps/workflow-api/dist/js-host.js');
const rounds = 2_000;
const processRounds = 200;
/** Between two calls, as between two steps of a run, there is other work. */
const pauseMs = 1;

interface Row {
  readonly name: string;
  readonly times: readonly number[];
}

function createCalls(host: ChildProcess) {
  const waiting = new Map<number, () => void>();
  let lastId = 0;
  host.on('message', ({ kind, id, answer }: { kind: string; id: number; answer?: { kind: string } }) => {
    if (kind !== 'ended') return;
    if (answer?.kind !== 'returned') throw new Error(`A function failed: ${JSON.stringify(answer)}`);
    waiting.get(id)?.();
    waiting.delete(id);
  });
  return (code: string, language: string): Promise<void> =>
    new Promise((resolve) => {
      lastId += 1;
      const limits = { timeoutMs: 30_000, memoryMb: 256, maxBytes: 1_048_576 };
      const call = { code, name: 'js.run', language, input: { prices: [3, 4.5] }, ...limits };
      waiting.set(lastId, resolve);
      host.send({ kind: 'run', id: lastId, call });
    });
}

async function measureTimes(count: number, action: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const start = performance.now();
    await action();
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return times;
}

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length * part)] ?? 0;
}

async function main(): Promise<void> {
  const plain = '({ prices }) => ({ total: prices.reduce((sum, price) => sum + price, 0) })';
  const typed = '({ prices }: { prices: number[] }) => ({ total: prices.reduce((sum, price) => sum + price, 0) })';
  const bare = await measureTimes(processRounds, () => once(spawn('true', [], { stdio: 'ignore' }), 'exit'));
  const host = fork(hostFile, [], { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const call = createCalls(host);
  const first = await measureTimes(1, () => call(plain, 'javascript'));
  const rows: readonly Row[] = [
    { name: 'bare process: true', times: bare },
    { name: 'js.run, first call', times: first },
    { name: 'js.run, warm', times: await measureTimes(rounds, () => call(plain, 'javascript')) },
    { name: 'js.run, warm, TypeScript', times: await measureTimes(rounds, () => call(typed, 'typescript')) },
    {
      name: 'js.run, 40 at once, each',
      times: (
        await measureTimes(50, () => Promise.all(Array.from({ length: 40 }, () => call(plain, 'javascript'))))
      ).map((time) => time / 40),
    },
  ];
  host.disconnect();
  const base = quantile(bare, 0.5);
  console.log('| case | median ms | p95 ms | of a bare process |\n| --- | ---: | ---: | ---: |');
  for (const { name, times } of rows) {
    const median = quantile(times, 0.5);
    console.log(
      `| ${name} | ${median.toFixed(3)} | ${quantile(times, 0.95).toFixed(3)} | ${(median / base).toFixed(3)} |`,
    );
  }
}

void main();
