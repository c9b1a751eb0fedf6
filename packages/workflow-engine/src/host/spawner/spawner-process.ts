import { spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { openNamespace, type Namespace } from '../namespaces/namespace';
import type { FailedPart, FromSpawner, NamespaceOrder, SpawnOrder, ToSpawner } from './spawner-messages';

const graceMs = 5_000;

// The program of the spawner, which the build bundles into a file: it starts processes and makes namespaces for the owner
// of this process, which talks to it over the channel of a child process.
const owner = process.ppid;
const namespaces = new Map<number, Namespace>();
const groups = createGroups();
process.title = 'weir-spawner';
// Signals of a terminal reach the whole group; the owner decides when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => groups.endAll());
process.on('message', (message: ToSpawner) => {
  // The order of an owner that has died meanwhile is ignored: no one would know of the process.
  if (process.ppid !== owner) return;
  if (message.kind === 'start') start(message);
  else if (message.kind === 'isolate') void isolate(message);
  else closeNamespace(message.id);
});
report({ kind: 'up' });

interface Order<Content> {
  readonly id: number;
  readonly order: Content;
}

async function isolate({ id, order }: Order<NamespaceOrder>): Promise<void> {
  try {
    const namespace = await openNamespace(order.tools, order.access);
    namespaces.set(id, namespace);
    const { userFd, mountFd } = namespace;
    report({ kind: 'isolated', id, userFd, mountFd });
  } catch (error) {
    report({ kind: 'not isolated', id, problem: error instanceof Error ? error.message : String(error) });
  }
}

function closeNamespace(id: number): void {
  namespaces.get(id)?.close();
  namespaces.delete(id);
}

function start({ id, order }: Order<SpawnOrder>): void {
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

/** The processes that a spawner has started, each the leader of a group. */
interface Groups {
  started(leader: number): void;
  ended(leader: number): void;
  /** The owner is gone: ends all of them, then the spawner itself. */
  endAll(): void;
}

function createGroups(): Groups {
  const leaders = new Set<number>();
  let isEnding = false;
  const exitWhenEmpty = (): void => {
    if (leaders.size === 0) process.exit(0);
  };
  return {
    started: (leader) => void leaders.add(leader),
    ended: (leader) => {
      leaders.delete(leader);
      if (!isEnding) return;
      // Otherwise the owner ends what the leader left behind.
      signalGroup(leader, 'SIGKILL');
      exitWhenEmpty();
    },
    // The next owner ends the processes that were recorded; of those that were not yet, only the spawner knows.
    endAll: () => {
      isEnding = true;
      for (const leader of leaders) signalGroup(leader, 'SIGTERM');
      setTimeout(() => {
        for (const leader of leaders) signalGroup(leader, 'SIGKILL');
        process.exit(0);
      }, graceMs);
      exitWhenEmpty();
    },
  };
}

function signalGroup(leader: number, name: NodeJS.Signals): void {
  try {
    process.kill(-leader, name);
  } catch {
    // No process of the group is left.
  }
}
