import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, expectCommand, runCommand, type CommandOptions, type CommandResult } from './run-command';

/** A Docker engine, and how to reach the ports that its containers publish. */
export interface Engine {
  readonly description: string;
  /** Whether builds reach package registries and images can be pulled. */
  readonly isOnline: boolean;
  /** Put before a command, it runs where published ports are. */
  readonly networkPrefix: readonly string[];
  docker(args: readonly string[], options?: CommandOptions): Promise<CommandResult>;
  compose(args: readonly string[], options?: CommandOptions): Promise<CommandResult>;
  stop(): Promise<void>;
}

/** Why there is no engine, in words for the person who wanted one. */
export class NoEngine extends Error {
  override readonly name = 'NoEngine';
}

/** A program that `tools/setup/go-programs.mjs` builds. */
export const goProgram = (name: string): string => path.resolve(__dirname, '../../.runtime/go', name);

/** The engine of this machine when one runs, else one of our own, closed off in a network namespace. */
export async function findEngine(): Promise<Engine> {
  const { code } = await runCommand(['docker', 'info'], { timeoutMs: 15_000 });
  if (code === 0) {
    return {
      description: 'the engine of this machine',
      isOnline: true,
      networkPrefix: [],
      docker: (args, options) => runCommand(['docker', ...args], options),
      compose: (args, options) => runCommand(['docker', 'compose', ...args], options),
      stop: () => Promise.resolve(),
    };
  }
  await assertOwnEngineIsPossible();
  return startOwnEngine();
}

async function assertOwnEngineIsPossible(): Promise<void> {
  if (process.getuid?.() !== 0) throw new NoEngine('no Docker engine runs here, and only root can start one');
  const tools = ['docker', 'dockerd', 'iptables', 'ip', 'nsenter', 'mmdebstrap'];
  const checks = await Promise.all(tools.map((tool) => runCommand(['sh', '-c', `command -v ${tool}`])));
  const missing = tools.filter((_, index) => checks[index]?.code !== 0);
  if (missing.length > 0) {
    throw new NoEngine(
      `missing: ${missing.join(', ')} (Debian: apt-get install docker.io mmdebstrap iptables iproute2)`,
    );
  }
}

/**
 * Its bridge and its firewall rules affect only the namespace, which has no way out. `ip netns exec` would hide the
 * control groups, so `nsenter` is used.
 */
async function startOwnEngine(): Promise<Engine> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-docker-'));
  const namespace = `weir-docker-${process.pid}`;
  const networkPrefix = ['nsenter', `--net=/run/netns/${namespace}`];
  const socket = `unix://${folder}/docker.sock`;
  await expectCommand(['ip', 'netns', 'add', namespace]);
  await expectCommand(['ip', '-n', namespace, 'link', 'set', 'lo', 'up']);
  const daemon = startDaemon([...networkPrefix, 'dockerd'], folder, socket);
  const env = { ...process.env, DOCKER_HOST: socket, DOCKER_BUILDKIT: '0' };
  const stop = () => stopOwnEngine(daemon, folder, namespace);
  try {
    await eventually('the start of dockerd', 60_000, async () => {
      if (daemon.exitCode !== null) throw new Error(`dockerd ended with ${daemon.exitCode}`);
      return (await runCommand(['docker', 'info'], { env })).code === 0 ? true : undefined;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    description: 'an engine of our own in a network namespace without a way out',
    isOnline: false,
    networkPrefix,
    docker: (args, options) => runCommand(['docker', ...args], { ...options, env }),
    compose: (args, options) =>
      runCommand([goProgram('docker-compose'), ...args], { ...options, env: { ...env, ...options?.env } }),
    stop,
  };
}

function startDaemon([file = '', ...prefix]: readonly string[], folder: string, socket: string): ChildProcess {
  const places = { '--data-root': 'data', '--exec-root': 'exec', '--pidfile': 'dockerd.pid' };
  const options = Object.entries(places).flatMap(([option, name]) => [option, path.join(folder, name)]);
  return spawn(file, [...prefix, ...options, '-H', socket, '--log-level', 'error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function stopOwnEngine(daemon: ChildProcess, folder: string, namespace: string): Promise<void> {
  if (daemon.exitCode === null && daemon.signalCode === null) {
    const exit = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    const timer = setTimeout(() => daemon.kill('SIGKILL'), 30_000);
    await exit;
    clearTimeout(timer);
  }
  const leftMount = path.join(folder, 'exec/netns/default');
  if (existsSync(leftMount)) await runCommand(['umount', leftMount]);
  await runCommand(['ip', 'netns', 'del', namespace]);
  rmSync(folder, { recursive: true, force: true });
}
