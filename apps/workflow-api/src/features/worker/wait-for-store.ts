import type { Logger } from '@weir/service-kit';
import { translatePrismaError } from '@weir/workflow-db';
import type { RunStore, Timer } from '@weir/workflow-engine';

export interface WaitForStoreOptions {
  readonly timer: Timer;
  readonly logger: Logger;
  /** Ends the waiting. */
  readonly stopping: AbortSignal;
}

const pauseMs = 1_000;
/**
 * What is waited for is a person, or a job that removes files: five minutes for a full disk, and half an hour for a locked
 * file, because each attempt waits for the lock itself.
 */
const maxAttempts = 300;

/**
 * The store of runs in progress. While the disk of the database is full, or another process has locked it, changes are
 * attempted again 300 times, so that the ends of steps are not lost. Then, and when the worker stops, they fail
 * as they would without it.
 */
export function waitForStore(runs: RunStore, options: WaitForStoreOptions): RunStore {
  const waiting =
    <A extends readonly unknown[], R>(change: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      untilStored(() => change(...args), options);
  return {
    find: (dagName, dagRunId) => runs.find(dagName, dagRunId),
    findById: (id) => runs.findById(id),
    listSteps: (id, scope) => runs.listSteps(id, scope),
    listAllSteps: (id) => runs.listAllSteps(id),
    readOutputs: (id, scope) => runs.readOutputs(id, scope),
    readMemos: (id, scope) => runs.readMemos(id, scope),
    listChildren: (parentId, parentNode) => runs.listChildren(parentId, parentNode),
    apply: waiting((id, event) => runs.apply(id, event)),
    record: waiting((id, lease, changes, end) => runs.record(id, lease, changes, end)),
    storeParams: waiting((id, lease, params, files) => runs.storeParams(id, lease, params, files)),
    addSteps: waiting((id, lease, steps) => runs.addSteps(id, lease, steps)),
  };
}

async function untilStored<R>(change: () => Promise<R>, { timer, logger, stopping }: WaitForStoreOptions): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await change();
      if (attempt > 1) logger.info({ attempts: attempt }, 'the database stores changes again');
      return result;
    } catch (error) {
      const problem = storeProblem(error);
      if (problem === undefined || stopping.aborted || attempt === maxAttempts) throw error;
      if (attempt === 1) logger.error({ error }, problem);
    }
    await pause(timer, stopping);
  }
}

/** Of a kind that passes, and after which nothing was changed. */
function storeProblem(error: unknown): string | undefined {
  switch (translatePrismaError(error)?.kind) {
    case 'full':
      return 'the disk of the database is full; its runs wait for space';
    case 'busy':
      return 'the database is locked or overloaded; its runs wait for it';
    default:
      return undefined;
  }
}

/** Shorter when the worker stops. */
function pause(timer: Timer, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      stopping.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timer.start(pauseMs, end);
    stopping.addEventListener('abort', end, { once: true });
  });
}
