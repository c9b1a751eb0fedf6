// Kills the engine and the trainer of the built rollout proxy at seeded moments while calls are in flight, and counts
// what was lost, trained twice or leaked. `npm run chaos rollout -- --rounds 50 --seed 1` runs it after a build.
import { parseArgs } from 'node:util';
import { playRolloutChaos } from './rounds';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
  });
  const rounds = Number(values.rounds);
  const report = await playRolloutChaos({
    rounds,
    seed: Number(values.seed),
    onRound: (round) => process.stdout.write(`\r${round} of ${rounds} rounds`),
  });
  const { lost, trainedTwice, inexact, rejectedEpisodes, missingSessions, leakedCapacity } = report;
  const defects = [lost, trainedTwice, inexact, rejectedEpisodes, missingSessions].map(({ length }) => length);
  console.log('');
  for (const [name, value] of Object.entries(report)) {
    console.log(`| ${name} | ${typeof value === 'object' ? JSON.stringify(value) : value} |`);
  }
  if (leakedCapacity !== 0 || defects.some((count) => count > 0)) process.exitCode = 1;
}

void main();
