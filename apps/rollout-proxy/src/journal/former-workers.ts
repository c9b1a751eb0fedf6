import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { AppError } from '@weir/foundation';

const waitMs = 10_000;
const pauseMs = 20;

/** Notes which processes write the sessions of a folder, besides the one that has its lock. */
export function noteWorkers(folder: string, pids: readonly number[]): void {
  const file = fileOf(folder);
  if (pids.length === 0) {
    rmSync(file, { force: true });
    return;
  }
  const draft = `${file}.new`;
  writeFileSync(draft, pids.map((pid) => `${pid} ${startOf(pid) ?? ''}\n`).join(''), { mode: 0o600 });
  renameSync(draft, file);
}

/**
 * Waits until the workers have ended whose leader was killed: they end by themselves then, but what they write until
 * that moment has to be read. Rejects with `unavailable`, reason `data_folder_in_use`, if one does not end within 10 s.
 */
export async function waitForFormerWorkers(folder: string): Promise<void> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const left = readWorkers(folder).filter(({ pid, start }) => startOf(pid) === start && isRunning(pid));
    if (left.length === 0) break;
    if (performance.now() > deadlineMs) throw stillThere(folder, left[0]?.pid ?? 0);
    await sleepFor(pauseMs);
  }
  noteWorkers(folder, []);
}

const fileOf = (folder: string): string => path.join(folder, 'workers');

function readWorkers(folder: string): readonly { readonly pid: number; readonly start: string | undefined }[] {
  return (readText(fileOf(folder)) ?? '').split('\n').flatMap((line) => {
    const [, pid, start] = /^(\d{1,10}) (\d*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), start: start === '' ? undefined : start }];
  });
}

/** When the process started, where the system tells it: a process id alone may be that of another process by now. */
function startOf(pid: number): string | undefined {
  // The name of the program, in brackets, may contain spaces.
  return /\) (?!Z)\S(?: \S+){18} (\d+)/.exec(readText(`/proc/${pid}/stat`) ?? '')?.[1];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function stillThere(folder: string, pid: number): AppError {
  return new AppError(
    'unavailable',
    `The process ${pid}, a worker of an earlier start, still uses the folder ${folder} (ROLLOUT_DATA_DIR).`,
    { reason: 'data_folder_in_use' },
  );
}
