// Measures what a command costs: processor time and memory of the process and of those it waited for, and the time until
// it ends. `WEIR_BENCH_BESIDE=/path/to/dagu npm run bench commands` measures another program with the same words, in turns.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';
import { measureOnce, middleUsage, type Usage } from '../release/measure';
import { engineDags } from './engine-dags';

const rounds = Number(process.env.WEIR_BENCH_ROUNDS ?? '7');
const beside = process.env.WEIR_BENCH_BESIDE;
const weir = [process.execPath, path.resolve(__dirname, '../../apps/workflow-api/dist/main.js')];

function main(): void {
  const home = temporaryFolder('weir-bench-');
  const env = { PATH: process.env.PATH, HOME: home.path, WEIR_SKIP_EXAMPLES: 'true' };
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
    const readings = programs.map((): Usage[] => []);
    // The first round fills caches.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, program] of programs.entries()) {
        const used = measureOnce([...program, ...words], env);
        if (round > 0) readings[index]?.push(used);
      }
    }
    const label = words.map((word) => path.basename(word, '.yaml')).join(' ');
    console.log(`| ${label} | ${readings.map((each) => `${describe(each)} | `).join('')}`);
  }
  void home.remove();
}

function describe(readings: readonly Usage[]): string {
  const { cpuSeconds, seconds, maxMegabytes } = middleUsage(readings);
  return `${cpuSeconds.toFixed(2)} s CPU, ${seconds.toFixed(2)} s, ${maxMegabytes.toFixed(0)} MB`;
}

main();
