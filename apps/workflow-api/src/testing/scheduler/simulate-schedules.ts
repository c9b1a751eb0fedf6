import type { Database } from '@weir/workflow-db';
import type { Clock } from '@weir/workflow-engine/model';
import { createPrismaDagRunRepository } from '../../features/runs';
import { createPrismaDagFlagRepository } from '../../features/dags';
import { createPrismaSchedulerStateRepository } from '../../features/scheduler/scheduler-state-repository';
import { startSimulatedScheduler, type SharedStores, type SimulatedScheduler } from './simulated-scheduler';

export interface SimulationOptions {
  readonly database: Database;
  readonly minutes: number;
  readonly schedulers: number;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  /** Called after each simulated day. */
  readonly onDay: (days: number) => void;
}

export interface SimulationResult {
  readonly occurrences: number;
  readonly kills: number;
  /** The number of ticks that could not settle an occurrence. */
  readonly failures: number;
  readonly clockChanges: number;
  readonly pauses: number;
  /** Minutes without any scheduler. */
  readonly minutesDown: number;
  /** Lost occurrences of the DAG with a catch-up window. */
  readonly lost: readonly string[];
  readonly double: readonly string[];
  /** Lost occurrences of the DAG without a window, at times with a running scheduler. */
  readonly lostOfPlain: readonly string[];
  readonly doubleOfPlain: readonly string[];
  readonly runs: number;
  readonly caughtUp: number;
}

const minuteMs = 60_000;
const start = Date.UTC(2026, 5, 1, 12);
const offsetMs = 30_000;
const steps = 'steps:\n  - run: "true"\n';
const everyMinute = `schedule: "* * * * *"\noverlap_policy: all\n`;
const dags = { windowed: `${everyMinute}catchup_window: 1d\n${steps}`, plain: `${everyMinute}${steps}` };

// The probabilities of the events of a scheduler in one minute.
const killed = 0.02;
const clockChanged = 0.02;
const paused = 0.01;
/** The probability that all schedulers are killed at once in one minute. */
const allKilled = 0.002;
const maxCallsOfTick = 14;
/** Ticks overlap when they are less than this time apart. */
const overlapMs = 1_500;

interface Machine {
  offsetMs: number;
  scheduler: SimulatedScheduler | undefined;
  /** The true time of its next tick or start. */
  nextAt: number;
  readonly clock: Clock;
}

/**
 * Lets several schedulers follow a schedule of every minute over one database. Their clocks are up to half a minute
 * apart, and the random numbers decide when they are killed, paused and started again.
 */
export async function simulateSchedules(options: SimulationOptions): Promise<SimulationResult> {
  const { random, minutes, onDay } = options;
  const stores = openStores(options.database);
  const counts = { kills: 0, failures: 0, clockChanges: 0, pauses: 0 };
  const attended = new Set<number>();
  let now = start;
  const end = start + minutes * minuteMs;
  const machines = Array.from({ length: options.schedulers }, () => createMachine(() => now, random));
  try {
    await settleOnce(machines[0], stores);
    for (let days = 0; now < end;) {
      const first = Math.min(...machines.map(({ nextAt }) => nextAt));
      const due = machines.filter(({ nextAt }) => nextAt <= first + overlapMs);
      now = Math.max(now, ...due.map(({ nextAt }) => nextAt));
      if (random() < (allKilled * due.length) / machines.length) await killAll(machines, now, random, counts);
      else
        await Promise.all(
          due.map((machine) => act(machine, { stores, now, plan: drawPlan(random), counts, attended })),
        );
      for (; (days + 1) * 1440 * minuteMs <= now - start; days += 1) onDay(days + 1);
    }
    now = end + minuteMs;
    await settleOnce(machines[0], stores);
    return { ...counts, ...(await compare(stores.runs, { minutes, attended })) };
  } finally {
    for (const { scheduler } of machines) await scheduler?.remove();
  }
}

function openStores(database: Database): SharedStores {
  return {
    runs: createPrismaDagRunRepository(database),
    flags: createPrismaDagFlagRepository(database),
    schedulerState: createPrismaSchedulerStateRepository(database),
  };
}

function createMachine(trueNow: () => number, random: () => number): Machine {
  const machine: Machine = {
    offsetMs: drawOffset(random),
    scheduler: undefined,
    nextAt: start,
    clock: { now: () => new Date(trueNow() + machine.offsetMs) },
  };
  return machine;
}

/** The events of a scheduler in its next minute. */
interface Plan {
  readonly killAt: { readonly call: number; readonly isStored: boolean } | undefined;
  readonly downMs: number;
  readonly pausedMs: number;
  /** The offset of its clock, after it has changed or was replaced by another process. */
  readonly offsetMs: number;
  readonly isClockChanged: boolean;
}

/** All numbers are drawn at once, so that the seed decides the plan independently of the database's speed. */
function drawPlan(random: () => number): Plan {
  const killAt = { call: 1 + Math.floor(random() * maxCallsOfTick), isStored: random() < 0.5 };
  return {
    killAt: random() < killed ? killAt : undefined,
    downMs: Math.floor(random() * random() * 10 * minuteMs),
    pausedMs: random() < paused ? Math.ceil(random() * 5) * minuteMs : 0,
    offsetMs: drawOffset(random),
    isClockChanged: random() < clockChanged,
  };
}

interface Scene {
  readonly stores: SharedStores;
  readonly now: number;
  readonly plan: Plan;
  readonly counts: { kills: number; failures: number; clockChanges: number; pauses: number };
  readonly attended: Set<number>;
}

/** Performs one tick of a machine, or its start, and the planned events. */
async function act(machine: Machine, { stores, now, plan, counts, attended }: Scene): Promise<void> {
  const { clock } = machine;
  machine.scheduler ??= await startSimulatedScheduler({ stores, clock, dags });
  if (plan.killAt !== undefined) machine.scheduler.killAt(plan.killAt.call, plan.killAt.isStored);
  const minute = startOfMinute(clock.now().getTime());
  const outcome = await machine.scheduler.tick();
  if (outcome === 'killed') {
    counts.kills += 1;
    return kill(machine, { offsetMs: plan.offsetMs, nextAt: now + plan.downMs });
  }
  if (outcome === 'failed') counts.failures += 1;
  else attended.add(minute);
  if (plan.isClockChanged) {
    counts.clockChanges += 1;
    machine.offsetMs = plan.offsetMs;
  }
  if (plan.pausedMs > 0) counts.pauses += 1;
  // Its own clock decides, as in the scheduler's loop.
  machine.nextAt = startOfMinute(now + machine.offsetMs) + minuteMs - machine.offsetMs + plan.pausedMs;
}

/** Another process with a clock of its own replaces it. */
async function kill(machine: Machine, next: Pick<Machine, 'offsetMs' | 'nextAt'>): Promise<void> {
  await machine.scheduler?.remove();
  machine.scheduler = undefined;
  Object.assign(machine, next);
}

/** They start again within the same seconds, up to three hours later. */
async function killAll(
  machines: readonly Machine[],
  now: number,
  random: () => number,
  counts: Scene['counts'],
): Promise<void> {
  const backAt = now + Math.floor(random() * random() * 180 * minuteMs);
  for (const machine of machines) {
    counts.kills += 1;
    await kill(machine, { offsetMs: drawOffset(random), nextAt: backAt + Math.floor(random() * overlapMs) });
  }
}

/** Performs a tick by the true time, without any events. */
async function settleOnce(machine: Machine | undefined, stores: SharedStores): Promise<void> {
  if (machine === undefined) return;
  machine.offsetMs = 0;
  machine.scheduler ??= await startSimulatedScheduler({ stores, clock: machine.clock, dags });
  await machine.scheduler.tick();
}

async function compare(
  runs: SharedStores['runs'],
  { minutes, attended }: { readonly minutes: number; readonly attended: ReadonlySet<number> },
) {
  const expected = Array.from({ length: minutes }, (_, index) => start + (index + 1) * minuteMs);
  const windowed = await countOccurrences(runs, 'windowed');
  const plain = await countOccurrences(runs, 'plain');
  const without = (counts: ReadonlyMap<number, number>, times: readonly number[]) =>
    times.filter((time) => !counts.has(time)).map(toText);
  const twice = (counts: ReadonlyMap<number, number>) =>
    [...counts].filter(([, count]) => count > 1).map(([time]) => toText(time));
  return {
    occurrences: minutes,
    minutesDown: expected.filter((time) => !attended.has(time)).length,
    lost: without(windowed.times, expected),
    double: twice(windowed.times),
    lostOfPlain: without(
      plain.times,
      expected.filter((time) => attended.has(time)),
    ),
    doubleOfPlain: twice(plain.times),
    runs: windowed.runs + plain.runs,
    caughtUp: windowed.caughtUp,
  };
}

async function countOccurrences(runs: SharedStores['runs'], dagName: string) {
  const times = new Map<number, number>();
  let count = 0;
  let caughtUp = 0;
  const scan = { dagName, workspaces: { unassigned: true, named: 'all' }, limit: 1_000 } as const;
  for (let page = await runs.scan(scan); page.length > 0; page = await runs.scan({ ...scan, after: page.at(-1) })) {
    for (const { scheduleTime, triggerType } of page) {
      const time = scheduleTime?.getTime() ?? 0;
      times.set(time, (times.get(time) ?? 0) + 1);
      count += 1;
      if (triggerType === 'catchup') caughtUp += 1;
    }
  }
  return { times, runs: count, caughtUp };
}

function drawOffset(random: () => number): number {
  return Math.round((random() * 2 - 1) * offsetMs);
}

function startOfMinute(time: number): number {
  return time - (time % minuteMs);
}

function toText(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}
