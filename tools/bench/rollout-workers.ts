// Measures the built rollout proxy with several workers beside one process, both in front of the same kind of instant
// engine, with many calls in flight. `npm run bench rollout-workers` runs it after a build; WEIR_BENCH_WORKERS=2,4 sets
// the numbers of workers. A machine whose processors are taken by the engine and the clients shows no gain: the
// processor time of a call says what it costs there.
import { loadTokenizerFolder } from '@weir/rollout-engine';
import { completionsUnderLoad } from './rollout-cases';
import { quantile } from './rollout-client';
import { startServers } from './rollout-servers';
import { seededText, seededTokens } from './rollout-text';
import { benchTokenizerFolder } from './rollout-tokenizer';

const counts = (process.env.WEIR_BENCH_WORKERS ?? '2').split(',').map(Number);
const clientCounts = [64, 256];
const calls = process.env.WEIR_BENCH_QUICK === '1' ? 1_500 : 9_000;
const answerTokens = 64;

interface Found {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
}

async function main(): Promise<void> {
  const tokenizerFolder = await benchTokenizerFolder();
  const tokenizer = await loadTokenizerFolder(tokenizerFolder, { cacheBytes: 0 });
  const encode = (text: string): Promise<Int32Array> => tokenizer.encode(text, { control: false });
  const words = await encode(seededText({ seed: 3, words: 200 }));
  const answerIds = [...words.subarray(0, answerTokens - 1), ...tokenizer.endIds];
  const text = await seededTokens(encode, { seed: 1600, tokens: 1573 });
  await tokenizer.stop();
  const measure = async (workers: number, clients: number): Promise<Found> => {
    const servers = await startServers({ tokenizerFolder, answerIds, workers });
    try {
      const { proxy, proxyCpuMs } = await completionsUnderLoad(servers, { text, clients, count: calls });
      const at = (part: number): number => quantile(proxy.times, part);
      return { perSecond: proxy.perSecond, p50Ms: at(0.5), p99Ms: at(0.99), cpuMs: proxyCpuMs };
    } finally {
      await servers.stop();
    }
  };
  console.log('| in flight | workers | calls/s | beside one | p50 | p99 | CPU of a call | beside one |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const clients of clientCounts) {
    const one = await measure(1, clients);
    for (const [workers, found] of [
      [1, one] as const,
      ...(await inTurn(counts, async (workers) => [workers, await measure(workers, clients)] as const)),
    ]) {
      const cells = [
        clients,
        workers,
        found.perSecond.toFixed(0),
        (found.perSecond / one.perSecond).toFixed(2),
        `${found.p50Ms.toFixed(1)} ms`,
        `${found.p99Ms.toFixed(1)} ms`,
        `${found.cpuMs.toFixed(2)} ms`,
        (found.cpuMs / one.cpuMs).toFixed(2),
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

void main();
