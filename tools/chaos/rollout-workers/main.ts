// Kills workers of the built rollout proxy, and the process that leads them, while calls are in flight, and counts what
// was lost. `npm run chaos rollout-workers -- --rounds 50 --calls 2000` runs it after a build.
import { parseArgs } from 'node:util';
import { playWorkerChaos } from './rounds';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '50' },
      minutes: { type: 'string', default: '600' },
      calls: { type: 'string', default: '2000' },
      workers: { type: 'string', default: '4' },
      seed: { type: 'string', default: '1' },
    },
  });
  const rounds = Number(values.rounds);
  const report = await playWorkerChaos({
    rounds,
    minutes: Number(values.minutes),
    calls: Number(values.calls),
    workers: Number(values.workers),
    seed: Number(values.seed),
    onRound: (round) => process.stdout.write(`\r${round} of ${rounds} rounds`),
  });
  console.log('');
  for (const [name, value] of Object.entries(report)) {
    console.log(`| ${name} | ${typeof value === 'object' ? JSON.stringify(value) : value} |`);
  }
  const { lost, twice, stuck, orphanedProcesses, refused } = report;
  if (lost + twice + stuck + orphanedProcesses + refused.length > 0) process.exitCode = 1;
}

void main();
