import { spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Groups } from './process-groups';
import type { FailedPart, FromSpawner, ToSpawner } from './spawner-messages';

/** Starts processes for the owner of this process, which talks to it over the channel of a child process. */
export function serveSpawns(groups: Groups): void {
  const owner = process.ppid;
  process.title = 'weir-spawner';
  // Signals of a terminal reach the whole group; the owner decides when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => groups.endAll());
  process.on('message', (message: ToSpawner) => {
    // The order of an owner that has died meanwhile is ignored: no one would know of the process.
    if (process.ppid === owner) execute(message, groups);
  });
  report({ kind: 'up' });
}

function execute({ id, order }: ToSpawner, groups: Groups): void {
  const { program, args, cwd, env, stdin, stdoutFile, stderrFile, openFlags } = order;
  const opened: number[] = [];
  let part: FailedPart = 'logs';
  const failed = (error: unknown): void => report({ kind: 'failed', id, part, code: readCode(error) });
  try {
    for (const file of [stdoutFile, stderrFile]) opened.push(openSync(file, openFlags));
    const input = stdin && openSync(stdin.file, stdin.openFlags);
    const stdio: StdioOptions = [input ?? 'ignore', ...opened];
    if (input !== undefined) opened.push(input);
    part = 'start';
    const child = spawn(program, args, { cwd, env, detached: true, stdio, shell: false });
    const { pid } = child;
    child.once('error', (error) => {
      if (pid === undefined) failed(error);
    });
    if (pid === undefined) return;
    groups.started(pid);
    child.once('exit', (exitCode, signal) => {
      report({ kind: 'exited', id, exitCode, signal });
      groups.ended(pid);
    });
    report({ kind: 'started', id, pid, stat: readStat(pid) });
  } catch (error) {
    failed(error);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

function report(message: FromSpawner): void {
  // Without a channel there is no one left to report to.
  if (process.connected) process.send?.(message, () => undefined);
}

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

function readCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}
