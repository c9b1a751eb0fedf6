import type { LocalDispatch } from './start/run-starter';
import type { StoredRun } from '@weir/workflow-engine';

/** What the features that start and stop runs use of the worker in this process. */
export interface LocalWorker {
  readonly id: string;
  /** Whether it claims runs and could execute one more. */
  hasCapacity(): boolean;
  /** Never rejects: see the run for its end. */
  execute(run: string | StoredRun, fencingToken?: number): Promise<void>;
  /** False when the run is not executed here. */
  stopRun(id: string): boolean;
}

/** Hands runs to the worker of this process. Without a worker they wait in their queues for one of another process. */
export interface RunDispatch extends LocalDispatch {
  connect(worker: LocalWorker): void;
  /** Executes a run that is stored with the worker as its owner. Never rejects. */
  executeStored(runId: string, fencingToken?: number): Promise<void>;
  stop(runId: string): void;
}

export function createRunDispatch(): RunDispatch {
  let worker: LocalWorker | undefined;
  return {
    connect: (connected) => {
      worker = connected;
    },
    ownerId: () => (worker?.hasCapacity() === true ? worker.id : undefined),
    execute: (stored) => void worker?.execute(stored),
    executeStored: (runId, fencingToken) => worker?.execute(runId, fencingToken) ?? Promise.resolve(),
    stop: (runId) => void worker?.stopRun(runId),
  };
}
