import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { ProcessIdentity } from '../../model/steps/step-outcome';

const run = promisify(execFile);
const psTimeoutMs = 5_000;

/** Fields of /proc/PID/stat. */
export interface ProcessStat {
  readonly state: string;
  readonly parentId: number;
  readonly groupId: number;
  readonly startTicks: string;
}

/**
 * The identity of a process; `undefined` when there is none with this pid. On Linux it is read synchronously, so that a
 * child that was just started is found even if it has already ended.
 */
export async function processIdentity(pid: number): Promise<ProcessIdentity | undefined> {
  const startedAt = process.platform === 'linux' ? linuxStart(readProcessStat(pid)) : await psStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** The identity of a process by the content of /proc/PID/stat. Linux only. */
export function parseIdentity(pid: number, stat: string): ProcessIdentity {
  return { pid, startedAt: linuxStart(parseStat(stat)) };
}

/** `undefined` when there is no such process. Linux only. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const text = readProcFile(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseStat(text);
}

function parseStat(text: string): ProcessStat {
  // The second field, the program name in parentheses, may itself contain parentheses and blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    state: fields[0] ?? '',
    parentId: Number(fields[1]),
    groupId: Number(fields[2]),
    startTicks: fields[19] ?? '',
  };
}

function linuxStart(stat: ProcessStat): string;
function linuxStart(stat: ProcessStat | undefined): string | undefined;
function linuxStart(stat: ProcessStat | undefined): string | undefined {
  if (stat === undefined) return undefined;
  // Ticks count from boot, so only together with the boot ID do they identify a process.
  const bootId = readProcFile('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown-boot';
  return `${bootId}:${stat.startTicks}`;
}

/** When the process started, in ticks since the boot. Linux only. */
export function startTicksOf({ startedAt }: ProcessIdentity): string {
  return startedAt.slice(startedAt.lastIndexOf(':') + 1);
}

/** `undefined` when the process does not exist. */
function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // ENOENT and ESRCH: the process is gone.
    return undefined;
  }
}

async function psStart(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], {
      timeout: psTimeoutMs,
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    });
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    // ps exits with 1 when there is no such process.
    return undefined;
  }
}
