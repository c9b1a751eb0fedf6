import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessIdentity } from '../../model/steps/step-outcome';
import { findStrays, isRunning, listProcesses } from './process-family';

const firstPollMs = 5;
const maxPollMs = 100;
// A process that survives SIGKILL this long hangs in the kernel, or is a zombie that is never reaped.
const killWaitMs = 2_000;

const repeatSignalMs = 5_000;

/**
 * Ends every process of a group: sends the stop signal every five seconds and SIGKILL after the grace period. Resolves to
 * whether all are gone; after SIGKILL it waits for at most two seconds.
 */
export async function endProcessGroup(
  groupId: number,
  killGraceMs: number,
  stopSignal: NodeJS.Signals = 'SIGTERM',
): Promise<boolean> {
  return endProcesses(
    toProcesses(groupId, () => []),
    killGraceMs,
    stopSignal,
  );
}

/** Like {@link endProcessGroup}, and with it the processes that left the group of the leader, which is still alive. */
export async function endProcessFamily(
  leader: number,
  killGraceMs: number,
  { stopSignal = 'SIGTERM', first }: FamilyOptions = {},
): Promise<boolean> {
  return endProcesses(toProcesses(leader, findStrays(leader, first)), killGraceMs, stopSignal);
}

interface FamilyOptions {
  readonly stopSignal?: NodeJS.Signals;
  /** The first process of the step, whose processes end too. Default: the leader. */
  readonly first?: ProcessIdentity | undefined;
}

interface Processes {
  /** Whether any process received the signal. */
  signal(signal: NodeJS.Signals): boolean;
  isAlive(): boolean;
}

function toProcesses(groupId: number, strays: () => readonly number[]): Processes {
  return {
    signal: (signal) => {
      // Listed before the signal: a process below one that has ended is no longer found.
      const outside = strays();
      const isGroupThere = signalGroup(groupId, signal);
      return outside.filter((pid) => signalProcess(pid, signal)).length > 0 || isGroupThere;
    },
    isAlive: () => isGroupAlive(groupId) || strays().length > 0,
  };
}

async function endProcesses(processes: Processes, killGraceMs: number, stopSignal: NodeJS.Signals): Promise<boolean> {
  for (let leftMs = killGraceMs; leftMs >= 0; leftMs -= repeatSignalMs) {
    if (!processes.signal(stopSignal)) return true;
    if (await areGoneWithin(processes, Math.min(leftMs, repeatSignalMs))) return true;
  }
  if (!processes.signal('SIGKILL')) return true;
  return areGoneWithin(processes, killWaitMs);
}

/** Whether a process of the group is still running. Zombies do not count. */
export function isGroupAlive(groupId: number): boolean {
  if (!signalGroup(groupId, 0)) return false;
  return process.platform !== 'linux' || hasLivingMember(groupId);
}

async function areGoneWithin(processes: Processes, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (let pollMs = firstPollMs; processes.isAlive(); pollMs = Math.min(pollMs * 2, maxPollMs)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await wait(Math.min(pollMs, leftMs));
  }
  return true;
}

/** Whether any process received the signal. */
function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  // 0 and 1 would address this process's own group and every process of the host.
  return Number.isSafeInteger(groupId) && groupId > 1 && signalProcess(-groupId, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // ESRCH: no process is left. EPERM: only processes of other users are left.
    return false;
  }
}

function hasLivingMember(groupId: number): boolean {
  return listProcesses().some(({ stat }) => stat.groupId === groupId && isRunning(stat));
}
