// Measures what a command costs: processor time and memory of the process and of those it waited for, and the time until
// it ends. `WEIR_BENCH_BESIDE=/path/to/dagu npm run bench commands` measures another program with the same words, in turns.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';
import { engineDags } from './engine-dags';

const rounds = Number(process.env.WEIR_BENCH_ROUNDS ?? '7');
const beside = process.env.WEIR_BENCH_BESIDE;
const weir = [process.execPath, path.resolve(__dirname, '../../apps/workflow-api/dist/main.js')];

/** Node cannot ask what a child has used. */
const script = `
import json, resource, subprocess, sys, time
began = time.monotonic()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=120)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1000]))
`;

type Reading = readonly [cpuSeconds: number, seconds: number, megabytes: number];

function main(): void {
  const home = temporaryFolder('weir-bench-');
  const env = { PATH: process.env.PATH, HOME: home.path, WEIR_SKIP_EXAMPLES: 'true', DAGU_HOME: home.file('beside') };
  const file = (dag: string): string => {
    writeFileSync(home.file(`${dag}.yaml`), engineDags.get(dag) ?? '');
    return home.file(`${dag}.yaml`);
  };
  const cases = [
    ['version'],
    ['validate', file('one-shell')],
    ['start', file('one-shell')],
    ['start', file('chain-10')],
    ['start', file('wide-50')],
    ['start', file('wide-200')],
  ];
  const programs = beside === undefined ? [weir] : [weir, [beside]];
  console.log(`| command | ${programs.map((program) => `${path.basename(program.at(-1) ?? '')} | `).join('')}`);
  console.log(`| --- | ${programs.map(() => '---: | ').join('')}`);
  for (const words of cases) {
    const readings = programs.map((): Reading[] => []);
    // The first round fills caches.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, program] of programs.entries()) {
        const used = execFileSync('python3', ['-c', script, ...program, ...words], { env, encoding: 'utf8' });
        if (round > 0) readings[index]?.push(JSON.parse(used) as Reading);
      }
    }
    const label = words.map((word) => path.basename(word, '.yaml')).join(' ');
    console.log(`| ${label} | ${readings.map((each) => `${describe(each)} | `).join('')}`);
  }
  void home.remove();
}

function describe(readings: readonly Reading[]): string {
  const middle = ([0, 1, 2] as const).map(
    (index) => readings.map((each) => each[index]).sort((one, other) => one - other)[readings.length >> 1] ?? 0,
  );
  const [cpu = 0, seconds = 0, megabytes = 0] = middle;
  return `${cpu.toFixed(2)} s CPU, ${seconds.toFixed(2)} s, ${megabytes.toFixed(0)} MB`;
}

main();
