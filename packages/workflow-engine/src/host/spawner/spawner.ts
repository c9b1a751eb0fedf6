import { type ChildProcess, spawn } from 'node:child_process';
import { openNamespace, openNamespaceFiles, type Namespace } from '../namespaces/namespace';
import { logsNotWritable } from '../logs/log-errors';
import type { ProcessExit } from './process-exit';
import type { FromSpawner, NamespaceOrder, SpawnOrder, ToSpawner } from './spawner-messages';

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
  /** `undefined` while there is no spawner: the caller makes the namespaces itself. Rejects with why they cannot be made. */
  openNamespace(order: NamespaceOrder): Promise<Namespace> | undefined;
}

export interface SpawnerOptions {
  /** File of the bundled `spawner-process`. */
  readonly programFile: string;
  /** Starts that are left to the caller, because short runs end before a spawner could help. Default 3. */
  readonly startsBefore?: number;
  /** The time for which the process stays without orders. Default 60,000. */
  readonly idleMs?: number;
}

type Answer = Exclude<FromSpawner, { kind: 'up' }>;

interface PendingOrder {
  /** Returns whether this was the last answer to the order. */
  readonly answered: (answer: Answer) => boolean;
  readonly spawnerEnded: () => void;
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
  let orders = 0;
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
  const whenUp = (found: SpawnerHost | undefined): SpawnerHost | undefined =>
    found?.isUp === true && found.child.connected ? found : undefined;
  return {
    start: (order) => {
      starts += 1;
      if (isUseless || starts <= startsBefore) return undefined;
      const found = whenUp(current());
      return found && sendStart(found, { kind: 'start', id: (orders += 1), order });
    },
    openNamespace: (order) => {
      const found = whenUp(host);
      return found && sendIsolate(found, { kind: 'isolate', id: (orders += 1), order });
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
    for (const order of host.orders.values()) order.spawnerEnded();
    host.orders.clear();
    child.unref();
  };
  // Not started at all is an error. Otherwise the channel ends last, after every message was received.
  child.on('error', ended);
  child.once('disconnect', ended);
  child.on('message', (message: FromSpawner) => {
    if (message.kind !== 'up') {
      handleAnswer(host, message);
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

function handleAnswer(host: SpawnerHost, answer: Answer): void {
  const { orders } = host;
  if (orders.get(answer.id)?.answered(answer) !== true) return;
  orders.delete(answer.id);
  if (orders.size === 0) becomeIdle(host);
}

function sendOrder({ child, orders, idleTimer }: SpawnerHost, message: ToSpawner, order: PendingOrder): void {
  orders.set(message.id, order);
  clearTimeout(idleTimer);
  child.ref();
  child.channel?.ref();
  // The end of the spawner reports a channel that is broken.
  child.send(message, () => undefined);
}

function sendStart(host: SpawnerHost, message: ToSpawner): Promise<SpawnedProcess> {
  return new Promise((resolve, reject) => {
    let exited: (exit: ProcessExit) => void = () => undefined;
    const exit = new Promise<ProcessExit>((ended) => (exited = ended));
    sendOrder(host, message, {
      answered: (answer) => {
        if (answer.kind === 'started') resolve({ pid: answer.pid, stat: answer.stat, exit });
        else if (answer.kind === 'exited') exited({ exitCode: answer.exitCode, signal: answer.signal });
        else if (answer.kind === 'failed') reject(startError(answer));
        return answer.kind !== 'started';
      },
      // The caller ends the group of the process, as after every end.
      spawnerEnded: () => {
        reject(new Error('The spawner ended.'));
        exited({ exitCode: null, signal: null });
      },
    });
  });
}

/** Only the code: the system's own text may repeat the command. */
function startError({ part, code }: Extract<Answer, { kind: 'failed' }>): Error {
  const cause = Object.assign(new Error('The process could not be started.'), { code });
  return part === 'logs' ? logsNotWritable(cause) : cause;
}

function sendIsolate(host: SpawnerHost, message: Extract<ToSpawner, { readonly kind: 'isolate' }>): Promise<Namespace> {
  return new Promise((resolve, reject) => {
    sendOrder(host, message, {
      answered: (answer) => {
        if (answer.kind === 'isolated') resolve(Promise.resolve(answer).then((isolated) => receive(host, isolated)));
        else if (answer.kind === 'not isolated') reject(new Error(answer.problem));
        return true;
      },
      spawnerEnded: () => resolve(openNamespace(message.order.tools, message.order.access)),
    });
  });
}

/** From here on they exist without the spawner. */
function receive({ child }: SpawnerHost, { id, userFd, mountFd }: Extract<Answer, { kind: 'isolated' }>): Namespace {
  const descriptors = `/proc/${String(child.pid)}/fd`;
  try {
    return openNamespaceFiles(`${descriptors}/${userFd}`, `${descriptors}/${mountFd}`);
  } finally {
    const received: ToSpawner = { kind: 'received', id };
    if (child.connected) child.send(received, () => undefined);
  }
}
