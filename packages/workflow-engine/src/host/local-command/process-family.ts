import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessIdentity } from '../../model/steps/step-outcome';
import { type ProcessStat, readProcessStat, startTicksOf } from './process-identity';

const markVariable = 'WEIR_STEP_MARK';

type Environment = Readonly<Record<string, string>>;

/** With a mark that no other process has, and that every process below inherits. */
export function withMark(env: Environment): Environment {
  return { ...env, [markVariable]: randomUUID() };
}

interface FoundProcess {
  readonly pid: number;
  readonly stat: ProcessStat;
}

/**
 * Finds the processes that left the group of a step (`setsid`): those below its leader, and those that inherited the mark
 * of its environment, whoever their parent is now. Linux only; elsewhere there are none.
 *
 * `first` is the first process of the step, when it has executed several. To be called while the leader is alive. The function that it returns lists those that are alive at that time.
 */
export function findStrays(leader: number, first?: ProcessIdentity): () => readonly number[] {
  const leaderStat = process.platform === 'linux' ? readProcessStat(leader) : undefined;
  if (leaderStat === undefined) return () => [];
  const mark = readMark(leader);
  // No process of the step is older. Reading the environments of all others would cost more.
  const since = Number(first === undefined ? leaderStat.startTicks : startTicksOf(first));
  // A process that was found once is still one of the step when its parent is gone. A number can be used again, but not
  // with the same time of start.
  const members = new Map([[leader, leaderStat.startTicks]]);
  return () => {
    const processes = new Map(listProcesses().map((found) => [found.pid, found]));
    const isMember = ({ pid, stat }: FoundProcess): boolean => {
      if (members.get(pid) === stat.startTicks) return true;
      const parent = processes.get(stat.parentId);
      return (parent !== undefined && isMember(parent)) || hasMark(pid, stat);
    };
    const hasMark = (pid: number, { startTicks }: ProcessStat): boolean =>
      mark !== undefined && Number(startTicks) >= since && readMark(pid) === mark;
    const found = [...processes.values()].filter((each) => isMember(each));
    for (const { pid, stat } of found) members.set(pid, stat.startTicks);
    return found.filter(({ stat }) => stat.groupId !== leader && isRunning(stat)).map(({ pid }) => pid);
  };
}

/** Zombies and dead processes have ended. */
export function isRunning({ state }: ProcessStat): boolean {
  return state !== 'Z' && state !== 'X';
}

/** Every process of the host. Linux only. */
export function listProcesses(): readonly FoundProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readProcessStat(Number(name)) : undefined;
    return stat === undefined ? [] : [{ pid: Number(name), stat }];
  });
}

function readMark(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return variables.find((variable) => variable.startsWith(`${markVariable}=`));
  } catch {
    // It has ended, or belongs to another user.
    return undefined;
  }
}
