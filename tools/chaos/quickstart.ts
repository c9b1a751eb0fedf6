// Kills proxy, trainer and engine of examples/rl-quickstart at random moments, starts them again, and compares what the
// agents got with what was trained. The seed decides the moments, as far as a clock can be decided:
// `npm run chaos quickstart -- --rounds 50 --seed 1`. Linux only.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSeededRandom, freePort, temporaryFolder, waitFor, type SpawnedProcess } from '@weir/test-kit';
import { balance } from './quickstart-account';
import { countSessions, enginesOf, files, startProxy, startTrainer, type Setting } from './quickstart-processes';
import { kill } from './server';

const victims = ['proxy', 'trainer', 'engine'] as const;
const longestMomentMs = 4_000;
/** The reward reaches its maximum after this number of steps. */
const curveSteps = 25;
const goesOnWithinMs = 180_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
      // Fewer rounds where they take longer, for machines that are busy.
      minutes: { type: 'string', default: '60' },
    },
  });
  const random = createSeededRandom(Number(values.seed));
  const home = temporaryFolder('weir-chaos-quickstart-');
  try {
    const setting: Setting = { home, python: setUp(), port: await freePort() };
    const end = Date.now() + Number(values.minutes) * 60_000;
    await playRounds(setting, { rounds: Number(values.rounds), end, random });
  } finally {
    await home.remove();
  }
}

/** The example creates its own environment. */
function setUp(): string {
  const script = path.resolve(__dirname, '../../examples/rl-quickstart/run.py');
  const { status, stdout, stderr } = spawnSync('python3', [script, '--set-up-only'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The example could not be set up:\n${stderr}`);
  return stdout.trim().split('\n').at(-1) ?? '';
}

interface Plan {
  readonly rounds: number;
  /** Epoch milliseconds. */
  readonly end: number;
  readonly random: () => number;
}

async function playRounds(setting: Setting, { rounds, end, random }: Plan): Promise<void> {
  const { code } = await (await startTrainer(setting, '--prepare')).exited;
  if (code !== 0) throw new Error('The first policy could not be written.');
  let proxy = await startProxy(setting);
  const endless = ['--steps', '1000000'];
  let trainer = await startTrainer(setting, ...endless);
  let reached = 0;
  for (let round = 0; round < rounds && Date.now() < end; round += 1) {
    reached = await waitForStep(trainer, reached);
    await delay(random() * longestMomentMs);
    const victim = victims[round % victims.length] ?? 'proxy';
    if (victim === 'proxy') {
      await kill(proxy);
      proxy = await startProxy(setting);
    } else if (victim === 'trainer') {
      await kill(trainer);
      trainer = await startTrainer(setting, ...endless);
    } else {
      for (const pid of enginesOf(proxy)) process.kill(pid, 'SIGKILL');
    }
    console.log(`round ${round + 1} of ${rounds}: ${victim} killed after step ${reached}`);
  }
  reached = await waitForStep(trainer, reached);
  await kill(trainer);
  const steps = reached + 2;
  // A few steps are no time to learn.
  const leastReward = steps < curveSteps ? '0' : '0.9';
  const last = await startTrainer(setting, '--steps', `${steps}`, '--least-reward', leastReward);
  const { code: judged } = await last.exited;
  console.log(last.stdout());
  if (judged !== 0) console.log(last.stderr());
  report(setting, await countSessions(setting), judged);
  await kill(proxy);
}

/** Training goes on: a step after the one that was reached. */
async function waitForStep(trainer: SpawnedProcess, reached: number): Promise<number> {
  const stepsOf = (): readonly number[] =>
    [...trainer.stdout().matchAll(/^step +(\d+):/gm)].map(([, step]) => Number(step));
  const goesOn = (): boolean => !trainer.isRunning() || stepsOf().some((step) => step > reached);
  await waitFor(goesOn, { deadlineMs: goesOnWithinMs, what: `step ${reached + 1}` });
  if (!trainer.isRunning()) throw new Error(`The trainer ended:\n${trainer.stdout()}${trainer.stderr()}`);
  return Math.max(...stepsOf());
}

function report(setting: Setting, sessions: number, judged: number | null): void {
  const { account, steps, notes } = files(setting);
  const result = balance(account, steps, notes);
  console.log({ ...result, sessionsLeft: sessions });
  const bad = result.trainedTwice + result.different + result.lost + sessions;
  if (bad > 0 || judged !== 0) process.exitCode = 1;
}

void main();
