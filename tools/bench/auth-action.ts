// Measures what the bundled auth action weighs: bytes, and the processor time (user and system) that a cold start of
// main and post takes compared with a bare process of the same Node, interleaved in one run. Main fails on bad inputs,
// post has nothing to do. `npm run bench:auth-action [-- <path of a node binary> …]` runs it for the Nodes named;
// without any, for the one it runs on and the machine's own. Exits 1 when a target is missed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const dist = path.resolve(__dirname, '../../packages/auth-action/dist');
const rounds = 41;
const warmUps = 3;

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  readonly exitCode: number;
  /** Above the bare process. */
  readonly targetMs?: number;
}

const cases: readonly Case[] = [
  { name: 'node -e 0', args: ['-e', '0'], exitCode: 0 },
  { name: 'post, nothing to do', args: [path.join(dist, 'post.js')], exitCode: 0, targetMs: 10 },
  { name: 'main, bad inputs', args: [path.join(dist, 'main.js')], exitCode: 1, targetMs: 60 },
];

const sizes = [
  { file: 'main.js', targetKib: 200 },
  { file: 'post.js', targetKib: 15 },
];

// Loaded before each of the programs, the bare one too, so that it does not tell them apart.
const probe = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeFileSync(process.env.BENCH_RESULT, String(user + system));
});`;

/** Processor time in milliseconds of one cold start, with every thread of it. */
function coldStart(node: string, { name, args, exitCode }: Case, folder: string): number {
  const result = path.join(folder, 'cpu');
  rmSync(result, { force: true });
  const env = {
    BENCH_RESULT: result,
    GITHUB_WORKSPACE: path.join(folder, 'workspace'),
    RUNNER_TEMP: folder,
    INPUT_WORKLOAD_IDENTITY_PROVIDER: 'projects/my-project/locations/global/workloadIdentityPools/pool',
    INPUT_SERVICE_ACCOUNT: 'name@project.iam.gserviceaccount.com',
  };
  const { status, stdout } = spawnSync(node, ['--require', path.join(folder, 'probe.cjs'), ...args], { env });
  if (status !== exitCode) throw new Error(`${name} ended with ${String(status)}:\n${stdout.toString()}`);
  return Number(readFileSync(result, 'utf8')) / 1000;
}

function median(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
}

/** One row for each case. True when every target is met. */
function measureStarts(node: string, folder: string): boolean {
  const times = cases.map((): number[] => []);
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [index, entry] of cases.entries()) {
      const time = coldStart(node, entry, folder);
      if (round >= 0) times[index]?.push(time);
    }
  }
  const version = spawnSync(node, ['--version']).stdout.toString().trim();
  const base = median(times[0] ?? []);
  let isMet = true;
  for (const [index, { name, targetMs }] of cases.entries()) {
    const time = median(times[index] ?? []);
    const above = time - base;
    if (targetMs !== undefined && above > targetMs) isMet = false;
    const target = targetMs === undefined ? '' : `≤ ${targetMs}`;
    console.log(`| ${version} | ${name} | ${time.toFixed(1)} | ${above.toFixed(1)} | ${target} |`);
  }
  return isMet;
}

function measureSizes(): boolean {
  console.log('| file | KiB | target |\n| --- | ---: | ---: |');
  return sizes
    .map(({ file, targetKib }) => {
      const kib = statSync(path.join(dist, file)).size / 1024;
      console.log(`| dist/${file} | ${kib.toFixed(1)} | ≤ ${targetKib} |`);
      return kib <= targetKib;
    })
    .every(Boolean);
}

function nodes(): readonly string[] {
  const named = process.argv.slice(2);
  const own = ['/usr/local/bin/node', '/usr/bin/node'].find((file) => existsSync(file));
  return named.length > 0 ? named : [...new Set([process.execPath, ...(own === undefined ? [] : [own])])];
}

const folder = mkdtempSync(path.join(tmpdir(), 'weir-bench-auth-action-'));
try {
  mkdirSync(path.join(folder, 'workspace'));
  writeFileSync(path.join(folder, 'probe.cjs'), probe);
  const areSmall = measureSizes();
  console.log(`\n| Node | start of | median CPU ms (${rounds} runs) | above bare | target |`);
  console.log('| --- | --- | ---: | ---: | ---: |');
  const areFast = nodes().map((node) => measureStarts(node, folder));
  if (!areSmall || areFast.includes(false)) {
    console.error('A target was missed.');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
