// Simulates schedulers of the workflow server over one database, whose clocks are up to half a minute wrong and which
// are killed and paused, and counts the occurrences that were lost or double. The clock is simulated, the code and the
// database are not. `npm run chaos schedule -- --days 30 --seed 1` runs it; with `--sqlite` on a file.
import path from 'node:path';
import { parseArgs } from 'node:util';

interface Simulation {
  readonly simulateMonth: (options: { kind: string; days: number; seed: number }) => Promise<boolean>;
}

// The simulated parts are not a package, so this file is loaded from their folder.
const file = path.resolve(__dirname, '../../apps/workflow-api/src/testing/scheduler/simulate-month.ts');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      days: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      sqlite: { type: 'boolean', default: false },
    },
  });
  const { simulateMonth } = (await import(file)) as Simulation;
  const kind = values.sqlite ? 'sqlite' : 'postgresql';
  const isGood = await simulateMonth({ kind, days: Number(values.days), seed: Number(values.seed) });
  if (!isGood) process.exitCode = 1;
}

void main();
