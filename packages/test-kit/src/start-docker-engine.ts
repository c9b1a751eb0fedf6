import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { spawnProcess } from './spawn-process';
import { temporaryFolder } from './temporary-folder';
import { waitFor } from './wait-for';

/** A real engine in a separate network, with one small image. */
export interface TestDockerEngine {
  /** The value for `DOCKER_HOST`. */
  readonly host: string;
  /** Name of an image with the programs of busybox, and a user `app` in addition to root. */
  readonly image: string;
  /** Runs the client of the engine and returns its output. */
  readonly docker: (...args: readonly string[]) => string;
  /** Ends the engine by its process id and removes its network and its folder. */
  readonly stop: () => Promise<void>;
}

const busybox = ['/bin/busybox', '/usr/bin/busybox'];
const programs = ['dockerd', 'docker', 'containerd', 'runc', 'ip', 'nsenter', 'umount'];
const commandLimitMs = 300_000;
const startLimitMs = 300_000;

/** Why no engine can be started on this machine; `undefined` when one can. */
export function missingForDockerEngine(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux';
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/sbin', '/sbin');
  const missing = programs.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (!busybox.some((file) => existsSync(file))) missing.push('a static busybox');
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed (tools/scripts/install-hosts.sh)`;
}

/**
 * Starts a separate engine for specs, which takes about four seconds. Its bridge and rules affect nothing else: it
 * lives in a network namespace. Ask {@link missingForDockerEngine} first.
 */
export async function startDockerEngine(): Promise<TestDockerEngine> {
  const folder = temporaryFolder();
  const namespace = `weir-${process.pid}-${Date.now() % 1_000_000}`;
  const host = `unix://${folder.file('d.sock')}`;
  const docker = (...args: readonly string[]): string => run('docker', args, { DOCKER_HOST: host, HOME: folder.path });
  run('ip', ['netns', 'add', namespace]);
  const stop = async (): Promise<void> => {
    await engine?.stop({ signal: 'SIGTERM', deadlineMs: 30_000 });
    ignore(() => run('umount', [folder.file('exec/netns/default')]));
    ignore(() => run('ip', ['netns', 'del', namespace]));
    await folder.remove();
  };
  let engine: Awaited<ReturnType<typeof spawnProcess>> | undefined;
  try {
    run('ip', ['netns', 'exec', namespace, 'ip', 'link', 'set', 'lo', 'up']);
    engine = await spawnProcess({
      // `ip netns exec` would hide the control groups; nsenter becomes dockerd, under the same process id.
      command: 'nsenter',
      args: [`--net=/run/netns/${namespace}`, 'dockerd', ...engineArgs(folder.file, host)],
      // The engine starts other programs, such as iptables.
      env: { PATH: searchPath() },
      deadlineMs: 600_000,
    });
    await waitFor(() => answers(docker), {
      deadlineMs: startLimitMs,
      // Each attempt is a process, which competes with the engine.
      intervalMs: 250,
      what: 'the container engine to answer',
    });
    docker('import', ...imageSettings, writeImage(folder.file), image);
  } catch (error) {
    await stop();
    throw error;
  }
  return { host, image, docker, stop };
}

const image = 'weir-box:1';

function engineArgs(file: (name: string) => string, host: string): readonly string[] {
  const places = ['--data-root', file('data'), '--exec-root', file('exec'), '--pidfile', file('pid')];
  // While a command is waited for, nobody reads what the engine prints, and a full pipe would halt it.
  return ['--log-level', 'error', '--storage-driver', 'overlay2', ...places, '--host', host];
}

const imageSettings = ['ENV OF_IMAGE=yes', 'WORKDIR /srv', 'CMD ["/bin/echo", "from the image"]'].flatMap((line) => [
  '--change',
  line,
]);

/** The archive of a file system. It is imported, because a build would run containers before the first spec does. */
function writeImage(file: (name: string) => string): string {
  const source = busybox.find((name) => existsSync(name));
  if (source === undefined) throw new Error('There is no busybox.');
  const root = file('image');
  for (const name of ['bin', 'etc', 'root', 'srv', 'tmp']) mkdirSync(join(root, name), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  copyFileSync(source, join(root, 'bin/busybox'));
  for (const name of run(source, ['--list']).trim().split('\n')) {
    if (name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name));
  }
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\napp:x:1000:1000::/tmp:/bin/sh\n');
  const archive = file('image.tar');
  run('tar', ['--create', '--file', archive, '--directory', root, '.']);
  return archive;
}

function answers(docker: (...args: readonly string[]) => string): true | undefined {
  try {
    docker('version');
    return true;
  } catch {
    // The engine does not answer yet.
    return undefined;
  }
}

/** The path includes the folders of root's programs, which not every shell searches. */
function searchPath(): string {
  return [process.env.PATH ?? '', '/usr/sbin', '/sbin'].join(delimiter);
}

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  try {
    return execFileSync(program, args, {
      env: { PATH: searchPath(), ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: commandLimitMs,
    });
  } catch (error) {
    // The error of a command that timed out refers to itself, so Jest could not write it into its results.
    throw new Error(`${program} ${args[0] ?? ''}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The resource to clean up may never have been created. */
function ignore(clean: () => void): void {
  try {
    clean();
  } catch {
    // There is nothing to clean up then.
  }
}
