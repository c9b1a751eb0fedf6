import { setTimeout as delay } from 'node:timers/promises';
import { findLogProblem } from './check-logs';
import { chaosDag, machineNames, steps, type Cluster } from './cluster';
import type { Machine } from './machine';
import { planFaults, type PlannedFault } from './plan';
import { enqueue, view, type RunView } from '../runs';
import { watchTakeOvers, type TakeOver } from './take-overs';

export interface RoundOptions {
  readonly index: number;
  readonly runs: number;
  readonly faults: number;
  readonly random: () => number;
}

export interface RoundResult {
  readonly faults: readonly PlannedFault[];
  readonly acknowledged: number;
  readonly lost: readonly string[];
  readonly stuck: readonly string[];
  readonly failed: readonly string[];
  readonly double: readonly string[];
  readonly missing: readonly string[];
  readonly logs: readonly string[];
  readonly executions: number;
  readonly takeOvers: readonly TakeOver[];
  readonly elapsedMs: number;
}

const longestFaultMs = 20_000;
const endDeadlineMs = 90_000;
// The time between two runs of a round.
const enqueueEveryMs = 150;
const ended: ReadonlySet<number> = new Set([2, 3, 4, 6, 8]);
const passed: ReadonlySet<number> = new Set([4, 6]);
const readAtOnce = 8;

/** Queues the runs while faults happen, and looks at what came of them when all machines are well again. */
export async function playRound(cluster: Cluster, { index, runs, faults, random }: RoundOptions): Promise<RoundResult> {
  const startedAt = Date.now();
  const spanMs = Math.max(15_000, runs * enqueueEveryMs);
  const plan = planFaults({ machines: machineNames, count: faults, spanMs, longestMs: longestFaultMs, random });
  const ids = Array.from({ length: runs }, (_, run) => `r${index}-${run}`);
  const takeOvers = await watchTakeOvers(cluster.databaseUrl);
  try {
    const suffering = Promise.all(plan.map((fault) => suffer(machineOf(cluster, fault.machine), fault)));
    const acknowledged = await enqueueAll(cluster, ids);
    await suffering;
    const [first] = cluster.machines;
    const url = first?.url ?? '';
    const ends = await waitForEnds(url, acknowledged, Date.now() + endDeadlineMs);
    return {
      faults: plan,
      acknowledged: acknowledged.length,
      takeOvers: [...takeOvers.found],
      ...(await judge(cluster, url, { acknowledged, ends })),
      elapsedMs: Date.now() - startedAt,
    };
  } finally {
    await takeOvers.stop();
  }
}

function machineOf({ machines }: Cluster, name: string): Machine {
  const machine = machines.find((one) => one.name === name);
  if (machine === undefined) throw new Error(`There is no machine ${name}.`);
  return machine;
}

async function suffer(machine: Machine, { fault, beginMs, endMs }: PlannedFault): Promise<void> {
  await delay(beginMs);
  if (fault === 'kill') await machine.signal('SIGKILL');
  else if (fault === 'pause') await machine.signal('SIGSTOP');
  else await machine.network.begin(fault);
  await delay(endMs - beginMs);
  if (fault === 'kill') await machine.start();
  else if (fault === 'pause') await machine.signal('SIGCONT');
  else await machine.network.end(fault);
}

/**
 * Returns the runs that a server confirmed. An unconfirmed run may exist too, so it is requested again under its id.
 */
async function enqueueAll({ machines }: Cluster, ids: readonly string[]): Promise<readonly string[]> {
  const servers = machines.filter(({ role }) => role === 'server');
  const asked = ids.map(async (id, run) => {
    await delay(run * enqueueEveryMs);
    const server = servers[run % servers.length];
    return server !== undefined && (await enqueue(server.url, chaosDag, id));
  });
  const answers = await Promise.all(asked);
  return ids.filter((_, run) => answers[run]);
}

type Ends = ReadonlyMap<string, RunView | undefined>;

async function waitForEnds(url: string, ids: readonly string[], deadline: number): Promise<Ends> {
  const found = new Map<string, RunView | undefined>();
  const isOpen = (id: string): boolean => !ended.has(found.get(id)?.status ?? 0);
  for (;;) {
    for (const id of ids.filter(isOpen)) found.set(id, await view(url, chaosDag, id).catch(() => undefined));
    if (!ids.some(isOpen) || Date.now() > deadline) return found;
    await delay(250);
  }
}

async function judge(
  { effects }: Cluster,
  url: string,
  { acknowledged, ends }: { readonly acknowledged: readonly string[]; readonly ends: Ends },
) {
  const done = await effects.read();
  const pairs = acknowledged.flatMap((run) => steps.map((step) => ({ run, step })));
  const effectsOf = (run: string, step: string) => done.get(`${run} ${step}`) ?? { begun: 0, keys: new Set<string>() };
  const statusOf = (run: string): number => ends.get(run)?.status ?? 0;
  const logs: string[] = [];
  const queue = pairs.values();
  const readSome = async (): Promise<void> => {
    for (const { run, step } of queue) {
      const { begun, keys } = effectsOf(run, step);
      const problem = await findLogProblem(url, { run, step, begun, isDone: keys.size > 0 }).catch(
        (error: unknown) => `${run} ${step}: ${String(error)}`,
      );
      if (problem !== undefined) logs.push(problem);
    }
  };
  await Promise.all(Array.from({ length: readAtOnce }, readSome));
  const text = ({ run, step }: { run: string; step: string }): string => `${run} ${step}`;
  return {
    lost: acknowledged.filter((run) => ends.get(run) === undefined),
    stuck: acknowledged.filter((run) => ends.get(run) !== undefined && !ended.has(statusOf(run))),
    failed: acknowledged.filter((run) => ended.has(statusOf(run)) && !passed.has(statusOf(run))),
    double: pairs
      .filter(({ run, step }) => {
        const { begun, keys } = effectsOf(run, step);
        return keys.size > 1 || (step === 'once' && begun > 1);
      })
      .map(text),
    missing: pairs
      .filter(({ run, step }) => passed.has(statusOf(run)) && step !== 'once' && effectsOf(run, step).keys.size === 0)
      .map(text),
    logs,
    executions: pairs.reduce((sum, { run, step }) => sum + effectsOf(run, step).begun, 0),
  };
}
