import { fork, type ChildProcess } from 'node:child_process';
import { EpisodeError } from '../episode/outcome';
import type { WorkerAnswer, WorkerTask } from './worker-messages';

export interface WorkerLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** A process for one task at a time. It is of no more use once `isAlive` is false. */
export interface WorkerProcess {
  readonly isAlive: boolean;
  /** Resolves with the agent's result; rejects with an `EpisodeError`. Kills the process when the time is over. */
  run(task: WorkerTask, limits: WorkerLimits): Promise<unknown>;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

export function startWorkerProcess(file: string): WorkerProcess {
  const child = fork(file, [], { serialization: 'advanced', stdio: ['ignore', 2, 2, 'ipc', 'pipe'] });
  let isAlive = true;
  const exited = new Promise<void>((resolve) => {
    const end = (): void => {
      isAlive = false;
      resolve();
    };
    child.once('exit', end);
    // It could not be started; there is no exit then.
    child.once('error', end);
  });
  const kill = (): void => {
    isAlive = false;
    child.kill('SIGKILL');
  };
  return {
    get isAlive() {
      return isAlive;
    },
    run: (task, limits) => runInChild({ child, task, limits, exited, kill }),
    stop: async () => {
      kill();
      await exited;
    },
  };
}

interface ChildRun {
  readonly child: ChildProcess;
  readonly task: WorkerTask;
  readonly limits: WorkerLimits;
  readonly exited: Promise<void>;
  readonly kill: () => void;
}

async function runInChild({ child, task, limits, exited, kill }: ChildRun): Promise<unknown> {
  const { signal, timeoutMs } = limits;
  let stopListening = (): void => undefined;
  try {
    return await new Promise((resolve, reject) => {
      const stopWith = (error: EpisodeError): void => {
        kill();
        reject(error);
      };
      const take = (message: unknown): void => {
        const answer = message as WorkerAnswer;
        if (answer.kind === 'returned') resolve(answer.value);
        else reject(new EpisodeError(answer.reason, answer.message));
      };
      const cancel = (): void => stopWith(new EpisodeError('cancelled', 'The episode was cancelled.', signal.reason));
      const late = (): void =>
        stopWith(new EpisodeError('timed_out', `The agent did not return within ${timeoutMs} ms.`));
      const timer = setTimeout(late, timeoutMs);
      child.once('message', take);
      signal.addEventListener('abort', cancel, { once: true });
      stopListening = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        child.off('message', take);
      };
      void exited.then(() =>
        reject(new EpisodeError('worker_died', 'The process of the agent ended before it returned.')),
      );
      if (signal.aborted) cancel();
      else send(child, task);
    });
  } finally {
    stopListening();
  }
}

function send(child: ChildProcess, task: WorkerTask): void {
  try {
    // A process that is gone is reported by its exit.
    child.send(task, () => undefined);
  } catch (error) {
    throw new EpisodeError('not_serializable', 'The agent or the data cannot be sent to another process.', error);
  }
}
