import { type ChildProcess, spawn } from 'node:child_process';
import { logsNotWritable } from '../command-errors';
import type { ProcessExit } from '../process-exit';
import { spawnerProgram } from './serve-spawns';
import type { FromSpawner, SpawnOrder, ToSpawner } from './spawner-messages';

export interface SpawnedProcess {
  readonly pid: number;
  /** What Linux told about it right after its start. */
  readonly stat: string | undefined;
  /** Neither exit code nor signal when the spawner ended before the process did. */
  readonly exit: Promise<ProcessExit>;
}

/**
 * Starts processes from a small process. To start one, a process is first copied with the tables of all its memory,
 * and those of a server are large: it would stand still for milliseconds each time.
 */
export interface Spawner {
  /** `undefined` when there is no spawner at the moment: the caller starts the process itself. */
  start(order: SpawnOrder): Promise<SpawnedProcess> | undefined;
}

export interface SpawnerOptions {
  /** So many starts are left to the caller: short runs are over before a spawner could help. 3 when not given. */
  readonly startsBefore?: number;
  /** How long the process is kept with nothing to do; 60,000 when not given. */
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

/** The process is started once it is worth it, again when it is needed after its end, and ends with its owner. */
export function createSpawner({ startsBefore = 3, idleMs = 60_000 }: SpawnerOptions = {}): Spawner {
  let host: SpawnerHost | undefined;
  let starts = 0;
  let isUseless = false;
  const current = (): SpawnerHost => {
    if (host !== undefined) return host;
    const newHost = startHost(idleMs, () => {
      // One that cannot even begin would only cost time again and again.
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

function startHost(idleMs: number, onEnded: () => void): SpawnerHost {
  const child = spawn(process.execPath, ['-e', spawnerProgram], {
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
  // Not started at all is an error. Otherwise the channel ends last: what was told before has been taken in.
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

/** A process that waits for nothing else may end, and after a while the spawner does. */
function becomeIdle(host: SpawnerHost): void {
  const { child, idleMs } = host;
  child.unref();
  child.channel?.unref();
  host.idleTimer = setTimeout(() => {
    if (child.connected) child.disconnect();
  }, idleMs).unref();
}

/** Whoever waits for the process ends its group, as after every end. */
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
  const cause = Object.assign(new Error('The order could not be carried out.'), { code: message.code });
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
    // A channel that has broken is told of by the end of the spawner.
    child.send(message, () => undefined);
  });
}
