import path from 'node:path';
import { createWaitList } from '@weir/foundation';
import { EpisodeError } from '../episode/outcome';
import type { WorkerTask } from './worker-messages';
import { startWorkerProcess, type WorkerLimits, type WorkerProcess } from './worker-process';

/** A bounded pool of processes, started as they are needed. A process that died or was killed is replaced. */
export interface ProcessPool {
  /**
   * Waits for a process. The time limit counts from the moment when one has the task. Rejects with an `EpisodeError`.
   */
  run(task: WorkerTask, limits: WorkerLimits): Promise<unknown>;
  /** Processes that live. */
  readonly size: number;
  /** Kills all processes. */
  close(): Promise<void>;
}

export interface ProcessPoolOptions {
  readonly maxWorkers: number;
  /** The program of a worker. Default: that of this package. */
  readonly workerFile?: string;
}

export function createProcessPool({ maxWorkers, workerFile = ownWorkerFile() }: ProcessPoolOptions): ProcessPool {
  const idle: WorkerProcess[] = [];
  const all = new Set<WorkerProcess>();
  const changed = createWaitList();
  let isClosed = false;
  const discardDead = (): void => {
    for (const worker of all) if (!worker.isAlive) all.delete(worker);
  };
  const acquire = async (signal: AbortSignal): Promise<WorkerProcess> => {
    for (;;) {
      if (isClosed) throw new EpisodeError('cancelled', 'The pool of processes is closed.');
      discardDead();
      for (let worker = idle.pop(); worker !== undefined; worker = idle.pop()) if (worker.isAlive) return worker;
      if (all.size < maxWorkers) {
        const worker = startWorkerProcess(workerFile);
        all.add(worker);
        return worker;
      }
      await changed.wait(signal);
    }
  };
  return {
    run: async (task, limits) => {
      const worker = await acquire(limits.signal);
      try {
        return await worker.run(task, limits);
      } finally {
        if (worker.isAlive) idle.push(worker);
        changed.wakeAll();
      }
    },
    get size() {
      discardDead();
      return all.size;
    },
    close: async () => {
      isClosed = true;
      changed.wakeAll();
      await Promise.all([...all].map((worker) => worker.stop()));
    },
  };
}

/** The worker is in the folder of this file, in the same language: built, or loaded from its source. */
function ownWorkerFile(): string {
  return path.join(__dirname, `worker-main${path.extname(__filename)}`);
}
