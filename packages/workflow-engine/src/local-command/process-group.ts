import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readProcessStat } from './process-identity';

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
  for (let leftMs = killGraceMs; leftMs >= 0; leftMs -= repeatSignalMs) {
    if (!signalGroup(groupId, stopSignal)) return true;
    if (await isGroupGoneWithin(groupId, Math.min(leftMs, repeatSignalMs))) return true;
  }
  if (!signalGroup(groupId, 'SIGKILL')) return true;
  return isGroupGoneWithin(groupId, killWaitMs);
}

/** Whether a process of the group is still running. Zombies do not count. */
export function isGroupAlive(groupId: number): boolean {
  if (!signalGroup(groupId, 0)) return false;
  return process.platform !== 'linux' || hasLivingMember(groupId);
}

async function isGroupGoneWithin(groupId: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (let pollMs = firstPollMs; isGroupAlive(groupId); pollMs = Math.min(pollMs * 2, maxPollMs)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await wait(Math.min(pollMs, leftMs));
  }
  return true;
}

/** Whether any process received the signal. */
function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  // 0 and 1 would address this process's own group and every process of the host.
  if (!Number.isSafeInteger(groupId) || groupId <= 1) return false;
  try {
    return process.kill(-groupId, signal);
  } catch {
    // ESRCH: no process is left. EPERM: only processes of other users are left.
    return false;
  }
}

function hasLivingMember(groupId: number): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    const stat = readProcessStat(Number(name));
    return stat?.groupId === groupId && stat.state !== 'Z' && stat.state !== 'X';
  });
}
