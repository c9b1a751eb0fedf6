import { createGroups, type Groups } from './process-groups';
import type { FailedPart, FromSpawner, ToSpawner } from './spawner-messages';

// Its text is handed to a Node of its own, so it may use nothing from outside: no import, no constant, no other function.
/* istanbul ignore next -- its counters would be something from outside */
function serveSpawns(groups: Groups): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { closeSync, openSync, readFileSync } = process.getBuiltinModule('node:fs');
  const owner = process.ppid;

  const report = (message: FromSpawner): void => {
    // Without a channel there is nobody left to tell.
    if (process.connected) process.send?.(message, () => undefined);
  };
  const readStat = (pid: number): string | undefined => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      return undefined;
    }
  };
  const startProcess = ({ id, order }: ToSpawner): void => {
    const { program, args, cwd, env, stdoutFile, stderrFile, openFlags } = order;
    const opened: number[] = [];
    let part: FailedPart = 'logs';
    const failed = (error: unknown): void => {
      const { code } = error as NodeJS.ErrnoException;
      report({ kind: 'failed', id, part, code: code ?? 'unknown error' });
    };
    try {
      for (const file of [stdoutFile, stderrFile]) opened.push(openSync(file, openFlags));
      part = 'start';
      const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', ...opened], shell: false });
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
  };

  process.title = 'weir-spawner';
  // Signals of a terminal reach the whole group; the owner says when it is over.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => groups.endAll());
  process.on('message', (message: ToSpawner) => {
    // An order of an owner that has died meanwhile is not carried out: nobody would know of the process.
    if (process.ppid === owner) startProcess(message);
  });
  report({ kind: 'up' });
}

/** The program of the spawner, as text. */
export const spawnerProgram = `(${serveSpawns.toString()})((${createGroups.toString()})())`;
