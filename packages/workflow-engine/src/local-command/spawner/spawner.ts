import { type ChildProcess, spawn } from 'node:child_process';
import { logsNotWritable } from '../command-errors';
import type { ProcessExit } from '../process-exit';
import type { FromSpawner, SpawnOrder, ToSpawner } from './spawner-messages';

export interface SpawnedProcess {
  readonly pid: number;
  /** `/proc/PID/stat` right after its start, on Linux. */
  readonly stat: string | undefined;
  /** Neither exit code nor signal when the spawner ended before the process did. */
  readonly exit: Promise<ProcessExit>;
}

/**
 * Starts processes from a small process. Starting one copies the page tables of the parent first, and those of a server
 * are so large that it would stand still for milliseconds each time.
 */
export interface Spawner {
  /** `undefined` while there is no spawner: the caller starts the process itself. */
  start(order: SpawnOrder): Promise<SpawnedProcess> | undefined;
}

export interface SpawnerOptions {
  /** File of the bundled `spawner-process`. */
  readonly programFile: string;
  /** Starts that are left to the caller, because short runs end before a spawner could help. Default 3. */
  readonly startsBefore?: number;
  /** How long the process stays without orders. Default 60,000. */
  readonly idleMs?: number;
}

interface PendingOrder {
  readonly started: (process: Pick<SpawnedProcess, 'pid' | 'stat'>) => void;
  readonly failed: (error: Error) => void;
  readonly exited: (exit: ProcessExit) => void;
}

interface SpawnerHost {
  readonly child: ChildProcess;
  readonly orders: Map<number, PendingOrder>;
  readonly idleMs: number;
  isUp: boolean;
  idleTimer?: NodeJS.Timeout;
}

/** Starts the spawner after a few commands, restarts it on demand after it has ended, and ends it with this process. */
export function createSpawner({ programFile, startsBefore = 3, idleMs = 60_000 }: SpawnerOptions): Spawner {
  let host: SpawnerHost | undefined;
  let starts = 0;
  let isUseless = false;
  const current = (): SpawnerHost => {
    if (host !== undefined) return host;
    const newHost = startHost({ programFile, idleMs }, () => {
      // One that cannot even start would only cost time with every command.
      isUseless ||= !newHost.isUp;
      if (host === newHost) host = undefined;
    });
    host = newHost;
    return newHost;
  };
  return {
    start: (order) => {
      starts += 1;
      if (isUseless || starts <= startsBefore) return undefined;
      const found = current();
      return found.isUp && found.child.connected ? sendOrder(found, { id: starts, order }) : undefined;
    },
  };
}

type HostOptions = Required<Pick<SpawnerOptions, 'programFile' | 'idleMs'>>;

function startHost({ programFile, idleMs }: HostOptions, onEnded: () => void): SpawnerHost {
  const child = spawn(process.execPath, [programFile], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const host: SpawnerHost = { child, orders: new Map(), idleMs, isUp: false };
  const ended = (): void => {
    clearTimeout(host.idleTimer);
    onEnded();
    for (const order of host.orders.values()) failOrder(order);
    host.orders.clear();
    child.unref();
  };
  // Not started at all is an error. Otherwise the channel ends last, after every message was received.
  child.on('error', ended);
  child.once('disconnect', ended);
  child.on('message', (message: FromSpawner) => {
    if (message.kind !== 'up') {
      handleMessage(host, message);
      return;
    }
    host.isUp = true;
    becomeIdle(host);
  });
  child.unref();
  child.channel?.unref();
  return host;
}

/** Does not keep this process alive any longer; after a while without orders the spawner ends. */
function becomeIdle(host: SpawnerHost): void {
  const { child, idleMs } = host;
  child.unref();
  child.channel?.unref();
  host.idleTimer = setTimeout(() => {
    if (child.connected) child.disconnect();
  }, idleMs).unref();
}

/** The caller ends the group of the process, as after every end. */
function failOrder({ failed, exited }: PendingOrder): void {
  failed(new Error('The spawner ended.'));
  exited({ exitCode: null, signal: null });
}

function handleMessage(host: SpawnerHost, message: Exclude<FromSpawner, { kind: 'up' }>): void {
  const { orders } = host;
  const order = orders.get(message.id);
  if (order === undefined) return;
  if (message.kind === 'started') {
    order.started(message);
    return;
  }
  orders.delete(message.id);
  if (orders.size === 0) becomeIdle(host);
  if (message.kind === 'exited') {
    order.exited({ exitCode: message.exitCode, signal: message.signal });
    return;
  }
  // Only the code: the system's own text may repeat the command.
  const cause = Object.assign(new Error('The process could not be started.'), { code: message.code });
  order.failed(message.part === 'logs' ? logsNotWritable(cause) : cause);
}

function sendOrder({ child, orders, idleTimer }: SpawnerHost, message: ToSpawner): Promise<SpawnedProcess> {
  return new Promise((resolve, reject) => {
    let exited: PendingOrder['exited'] = () => undefined;
    const exit = new Promise<ProcessExit>((ended) => (exited = ended));
    const started: PendingOrder['started'] = ({ pid, stat }) => resolve({ pid, stat, exit });
    orders.set(message.id, { started, failed: reject, exited });
    clearTimeout(idleTimer);
    child.ref();
    child.channel?.ref();
    // The end of the spawner reports a channel that is broken.
    child.send(message, () => undefined);
  });
}
