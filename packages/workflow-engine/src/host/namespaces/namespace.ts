import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isInside, type FolderAccess } from './closed-folders';
import type { IsolationTools } from './isolation-tools';

/** A user namespace and a mount namespace, which exist until they are closed and the last process in them has ended. */
export interface Namespace {
  /** File descriptors of this process. */
  readonly userFd: number;
  readonly mountFd: number;
  close(): void;
}

const deadlineMs = 10_000;
const maxAttempts = 5;
const everyId = '0 0 4294967295\n';

/**
 * Makes namespaces in which the closed folders are empty. A process in them has no rights over the processes outside: it
 * can read neither their environment nor their files through `/proc`.
 */
export async function openNamespace(tools: IsolationTools, access: FolderAccess): Promise<Namespace> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await makeNamespace(tools, access);
    } catch (error) {
      // bubblewrap fails when a file system of the host comes or goes meanwhile, such as that of a container.
      if (attempt === maxAttempts) throw error;
    }
  }
}

async function makeNamespace(tools: IsolationTools, access: FolderAccess): Promise<Namespace> {
  const child = spawn(tools.bwrap, [...namespaceArguments(access), tools.cat], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  });
  const [input, output, problems, info, mapped] = child.stdio as [Writable, Readable, Readable, Readable, Writable];
  // Their ends are told by the exit of the process.
  for (const stream of [input, mapped]) stream.on('error', () => undefined);
  const problem = text(problems);
  const failed = ended(child).then(async (how) => {
    throw new Error(`bubblewrap ${how}: ${(await problem).trim()}`);
  });
  try {
    // One that names no process has ended, and says why.
    const pid = await Promise.race([readPid(info).catch(() => failed), failed]);
    if (isRoot()) mapEveryId(pid);
    else mapOwnId(pid);
    mapped.end('.');
    input.write('.');
    // The program of the namespace has started, so that every folder is in its place.
    await Promise.race([once(output, 'data'), failed]);
    return openNamespaceFiles(`/proc/${pid}/ns/user`, `/proc/${pid}/ns/mnt`);
  } finally {
    failed.catch(() => undefined);
    input.end();
    mapped.end();
  }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function namespaceArguments({ closed, open }: FolderAccess): readonly string[] {
  const covered = closed.flatMap((folder) => ['--perms', '0755', '--tmpfs', folder]);
  const opened = open
    .filter((folder) => closed.some((each) => isInside(folder, each)))
    .flatMap((folder) => ['--bind', folder, folder]);
  const sealed = closed.flatMap((folder) => ['--remount-ro', folder]);
  const before = ['--unshare-user', '--info-fd', '3', '--userns-block-fd', '4', '--die-with-parent'];
  return [...before, '--dev-bind', '/', '/', ...covered, ...opened, ...sealed];
}

async function readPid(info: Readable): Promise<number> {
  let json = '';
  for await (const part of info as AsyncIterable<Buffer>) {
    json += part.toString();
    if (json.includes('}')) break;
  }
  const pid = (JSON.parse(json) as { readonly 'child-pid'?: unknown })['child-pid'];
  if (typeof pid !== 'number') throw new Error('bubblewrap did not name its process.');
  return pid;
}

/** The users of the host stay the same inside, which only root can arrange. */
function mapEveryId(pid: number): void {
  for (const kind of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${kind}`, everyId);
}

function mapOwnId(pid: number): void {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  // Required before the group may be mapped without privileges.
  writeFileSync(`/proc/${pid}/setgroups`, 'deny');
  writeFileSync(`/proc/${pid}/uid_map`, `${user} ${user} 1\n`);
  writeFileSync(`/proc/${pid}/gid_map`, `${group} ${group} 1\n`);
}

/** Namespaces by files that name them, of a process that is in them or has them open. */
export function openNamespaceFiles(user: string, mount: string): Namespace {
  const userFd = openSync(user, 'r');
  try {
    const mountFd = openSync(mount, 'r');
    return { userFd, mountFd, close: () => [userFd, mountFd].forEach((fd) => closeSync(fd)) };
  } catch (error) {
    closeSync(userFd);
    throw error;
  }
}

async function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be started (${error.message})`));
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? String(code)}`));
  });
}
