import { fork, type ChildProcess } from 'node:child_process';
import { AppError } from '@weir/foundation';
import type { JsResult, JsCall, JsCallContext } from './js-call';
import type { FromHost, ToHost } from './host-messages';
import type { JsRunner } from './js-pool';

export interface JsRunnerOptions {
  /** File of the bundled `js-host`, next to the bundled `js-worker`. */
  readonly hostFile: string;
}

interface PendingCall {
  readonly context: JsCallContext;
  readonly resolve: (answer: JsResult) => void;
  readonly reject: (error: unknown) => void;
  readonly cleanUp: () => void;
}

interface Host {
  readonly child: ChildProcess;
  readonly calls: Map<number, PendingCall>;
  readonly exited: Promise<void>;
}

const hostEnded: JsResult = {
  kind: 'failed',
  error: 'The process of the functions ended, as it does when one of them needs too much memory at once.',
};

/** Runs functions in the threads of a separate process, which is started by the first call and restarted after it ended. */
export function createJsRunner({ hostFile }: JsRunnerOptions): JsRunner {
  let host: Host | undefined;
  let lastId = 0;
  let isStopped = false;

  const current = (): Host => {
    if (host !== undefined) return host;
    const started = startHost(hostFile, () => {
      if (host === started) host = undefined;
    });
    host = started;
    return started;
  };
  return {
    name: 'js runner',
    run: async (call, context) => {
      context.signal.throwIfAborted();
      if (isStopped) throw new AppError('unavailable', 'The server is stopping.', { reason: 'js_stopped' });
      lastId += 1;
      return runIn(current(), { id: lastId, call, context });
    },
    stop: async () => {
      isStopped = true;
      const last = host;
      if (last === undefined) return;
      last.child.kill('SIGKILL');
      await last.exited;
    },
  };
}

function startHost(hostFile: string, onEnded: () => void): Host {
  const calls: Host['calls'] = new Map();
  // Functions process untrusted input and need nothing of this process.
  const child = fork(hostFile, [], { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const exited = new Promise<void>((resolve) => {
    const ended = (): void => {
      onEnded();
      for (const { cleanUp: settled, resolve: answer } of calls.values()) {
        settled();
        answer(hostEnded);
      }
      calls.clear();
      resolve();
    };
    // A process that fails to start emits `error` without `exit`.
    child.once('error', ended);
    child.once('exit', ended);
  });
  child.on('message', (message: FromHost) => handleMessage(calls, message));
  // Idle threads must not keep this process alive.
  child.unref();
  child.channel?.unref();
  return { child, calls, exited };
}

function handleMessage(calls: Host['calls'], message: FromHost): void {
  const call = calls.get(message.id);
  if (call === undefined) return;
  if (message.kind === 'printed') {
    call.context.onPrinted(message.printed);
    return;
  }
  calls.delete(message.id);
  call.cleanUp();
  call.resolve(message.result ?? hostEnded);
}

interface NumberedCall {
  readonly id: number;
  readonly call: JsCall;
  readonly context: JsCallContext;
}

function runIn({ child, calls }: Host, { id, call, context }: NumberedCall): Promise<JsResult> {
  return new Promise((resolve, reject) => {
    const { signal } = context;
    const onAbort = (): void => {
      calls.delete(id);
      cleanUp();
      send(child, { kind: 'abort', id });
      reject(signal.reason as Error);
    };
    const cleanUp = (): void => {
      signal.removeEventListener('abort', onAbort);
      if (calls.size === 0) child.channel?.unref();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    calls.set(id, { context, resolve, reject, cleanUp });
    child.channel?.ref();
    send(child, { kind: 'run', id, call });
  });
}

function send(child: ChildProcess, message: ToHost): void {
  // The end of the process reports a broken channel.
  child.send(message, () => undefined);
}
