import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRolloutClient, type RolloutClient } from '@weir/rollout-sdk';
import { createSeededRandom, waitFor } from '@weir/test-kit';
import { adminKey, capacity, startProcesses, victims, type Processes, type Victim } from './processes';
import { readWeights } from './saved-weights';

export interface RolloutChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Must be longer than a process takes to start. Default 15. */
  readonly idleSeconds?: number;
  readonly onRound?: (round: number) => void;
}

export interface RolloutChaosReport {
  readonly kills: Readonly<Record<Victim, number>>;
  /** Model calls that were unanswered when the process was killed, all rounds together. */
  readonly inFlight: number;
  /** Calls that an agent got an answer to. */
  readonly answered: number;
  readonly trainedRows: number;
  readonly trainedTokens: number;
  readonly steps: number;
  /** Answered calls of sessions that ended with their trainer: the proxy still has them. */
  readonly abandoned: number;
  /** Everything below is a defect. */
  readonly lost: readonly string[];
  readonly trainedTwice: readonly string[];
  readonly inexact: readonly string[];
  readonly rejectedEpisodes: readonly string[];
  readonly missingSessions: readonly string[];
  readonly leakedCapacity: number;
}

const longestMomentMs = 800;
const progressDeadlineMs = 120_000;

/** Kills the engine and the trainer by turns while calls are in flight; then trains what is left, and counts. */
export async function playRolloutChaos(options: RolloutChaosOptions): Promise<RolloutChaosReport> {
  const { rounds, seed, idleSeconds = 15, onRound } = options;
  const random = createSeededRandom(seed);
  const processes = await startProcesses(idleSeconds);
  const client = createRolloutClient({ url: processes.proxyUrl, adminKey });
  const kills = { engine: 0, trainer: 0 };
  let inFlight = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const victim = victims[round % victims.length] ?? 'engine';
      const { version } = weights(processes);
      await delay(random() * longestMomentMs);
      inFlight += await untilCallsRun(processes);
      await processes.killAndRestart(victim);
      kills[victim] += 1;
      await waitFor(() => weights(processes).version > version, {
        deadlineMs: progressDeadlineMs,
        what: `a step after the ${victim} was killed`,
      });
      onRound?.(round + 1);
    }
    writeFileSync(path.join(processes.folder, 'stop'), '');
    const { code } = await processes.running.trainer.exited;
    if (code !== 0) throw new Error(`The trainer failed: ${processes.running.trainer.stderr()}`);
    return { kills, inFlight, ...(await count(processes, client)) };
  } finally {
    await client.close();
    await processes.stop();
  }
}

const weights = ({ folder }: Processes) => readWeights(path.join(folder, 'weights'));

async function untilCallsRun(processes: Processes): Promise<number> {
  return waitFor(() => readMetric(processes, 'turns_under_way'), {
    deadlineMs: progressDeadlineMs,
    what: 'calls in flight',
  });
}

async function readMetric({ proxyUrl }: Processes, name: string): Promise<number> {
  const text = await (await fetch(`${proxyUrl}/metrics`, { headers: { 'x-api-key': adminKey } })).text();
  return Number(new RegExp(`^weir_rollout_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function count(
  processes: Processes,
  client: RolloutClient,
): Promise<Omit<RolloutChaosReport, 'kills' | 'inFlight'>> {
  await waitFor(async () => (await client.capacity()).unfinished === 0, {
    deadlineMs: progressDeadlineMs,
    what: 'the sessions of killed trainers to end',
  });
  const { rows, version } = weights(processes);
  const answered = linesOf(processes, 'answered');
  const trained = new Set(rows.map(({ id }) => id));
  const atProxy = new Set<string>();
  for (const { session_id: id } of await client.sessions()) {
    for (const interaction of await client.interactions(id)) atProxy.add(interaction.id);
  }
  const untrained = answered.filter((id) => !trained.has(id));
  return {
    answered: answered.length,
    trainedRows: rows.length,
    trainedTokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
    steps: version,
    abandoned: untrained.filter((id) => atProxy.has(id)).length,
    lost: untrained.filter((id) => !atProxy.has(id)),
    trainedTwice: rows.map(({ id }) => id).filter((id, index, all) => all.indexOf(id) !== index),
    inexact: rows.filter(({ isExact }) => !isExact).map(({ id }) => id),
    rejectedEpisodes: linesOf(processes, 'rejected'),
    missingSessions: linesOf(processes, 'missing'),
    leakedCapacity: await countLeakedCapacity(processes),
  };
}

function linesOf({ folder }: Processes, name: string): readonly string[] {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** Capacity that cannot be granted although nothing uses it. */
async function countLeakedCapacity(processes: Processes): Promise<number> {
  await waitFor(async () => (await readMetric(processes, 'grants_unused')) === 0, {
    deadlineMs: progressDeadlineMs,
    what: 'the grants of killed trainers to expire',
  });
  let granted = 0;
  const grant = async (): Promise<boolean> => {
    const answer = await fetch(`${processes.proxyUrl}/grant_capacity`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey },
    });
    if (answer.ok) granted += 1;
    return answer.ok;
  };
  while (granted <= capacity && (await grant()));
  return capacity - granted;
}
