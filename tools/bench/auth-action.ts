// Measures what the bundled auth action weighs: bytes, and the processor time (user and system) that a cold start of
// main and post takes compared with a bare process of the same Node, interleaved in one run. The jobs get their tokens
// from the fake cloud. `npm run bench auth-action [-- <path of a node binary> …]` runs it for the Nodes named; without
// any, for the one it runs on and the machine's own. With `--against <folder>` the bundles of another commit run in
// turn with those of this one. Exits 1 when a target is missed.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { listStartCases, measureStart } from './auth-action-jobs';

const ownDist = path.resolve(__dirname, '../../packages/auth-action/dist');
const rounds = 61;
const warmUps = 3;

const sizes = [
  { file: 'main.js', targetKib: 200 },
  { file: 'post.js', targetKib: 6 },
];

const { values, positionals } = parseArgs({ options: { against: { type: 'string' } }, allowPositionals: true });
const dists = [...(values.against === undefined ? [] : [path.resolve(values.against)]), ownDist];

/** Prints one row for each case. Returns true when every target is met. */
async function measureStarts(node: string, folder: string, fake: FakeCloud): Promise<boolean> {
  const cases = listStartCases(fake).map((start) => ({ start, times: dists.map((): number[] => []) }));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const { start, times } of cases) {
      for (const [index, dist] of dists.entries()) {
        const time = await measureStart(start, { node, dist, folder, fake });
        if (round >= 0) times[index]?.push(time);
      }
    }
  }
  const version = execFileSync(node, ['--version']).toString().trim();
  const bare = median(cases[0]?.times.flat() ?? []);
  return cases
    .map(({ start: { name, targetMs }, times }) => {
      const above = times.map((each) => median(each) - bare);
      const target = targetMs === undefined ? '' : `≤ ${targetMs}`;
      const columns = [version, name, ...above.map((time) => time.toFixed(1)), target];
      console.log(`| ${columns.join(' | ')} |`);
      return targetMs === undefined || (above.at(-1) ?? 0) <= targetMs;
    })
    .every(Boolean);
}

function median(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
}

function measureSizes(): boolean {
  console.log('| file | KiB | target |\n| --- | ---: | ---: |');
  return sizes
    .map(({ file, targetKib }) => {
      const kib = statSync(path.join(ownDist, file)).size / 1024;
      console.log(`| dist/${file} | ${kib.toFixed(1)} | ≤ ${targetKib} |`);
      return kib <= targetKib;
    })
    .every(Boolean);
}

function nodes(): readonly string[] {
  const own = ['/usr/local/bin/node', '/usr/bin/node'].find((file) => existsSync(file));
  return positionals.length > 0 ? positionals : [...new Set([process.execPath, ...(own === undefined ? [] : [own])])];
}

async function measure(folder: string): Promise<boolean> {
  const fake = await startFakeCloud();
  try {
    const results = [measureSizes()];
    const columns = dists.map((dist) => (dist === ownDist ? 'this commit' : 'other'));
    console.log(`\nMedian processor time above that of bare Node in ms, ${rounds} runs.\n`);
    console.log(`| Node | start of | ${columns.join(' | ')} | target |`);
    console.log(`| --- | --- | ${columns.map(() => '---:').join(' | ')} | --- |`);
    for (const node of nodes()) results.push(await measureStarts(node, folder, fake));
    return results.every(Boolean);
  } finally {
    await fake.stop();
  }
}

async function main(): Promise<void> {
  const parent = mkdtempSync(path.join(tmpdir(), 'weir-bench-auth-action-'));
  try {
    if (await measure(path.join(parent, 'job'))) return;
    console.error('A target was missed.');
    process.exitCode = 1;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

void main();
