import type { Clock } from '@weir/workflow-engine';
import { defaultLeaseMs } from '../queue';
import { schedulerKey, type SchedulerStateRepository } from '../scheduler';
import type { WorkerRepository } from '../worker';
import type { WorkerFacts } from './explanation-facts';

export interface LivenessDependencies {
  readonly workers: Pick<WorkerRepository, 'listAlive'>;
  readonly schedulerState: Pick<SchedulerStateRepository, 'read'>;
  /** The worker of this process. */
  readonly worker: { readonly id: string };
  readonly roles: () => readonly string[];
  /** Whether other processes may work on the same data. Otherwise only this one can be alive. */
  readonly isShared: boolean;
  readonly clock: Clock;
}

export type Liveness = ReturnType<typeof createLiveness>;

/** A scheduler settles its occurrences every minute, and may be late. */
const schedulerSilenceMs = 3 * 60_000;

/** Which processes of the installation are alive, as their heartbeats say. */
export function createLiveness({ workers, schedulerState, worker, roles, isShared, clock }: LivenessDependencies) {
  return {
    readWorkers: async (): Promise<WorkerFacts> => {
      if (!isShared) return { alive: [worker.id], isClaiming: roles().includes('worker') };
      const alive = await workers.listAlive(defaultLeaseMs);
      return { alive, isClaiming: alive.length > 0 };
    },

    isSchedulerAlive: async (): Promise<boolean> => {
      if (roles().includes('scheduler')) return true;
      const settledAt = isShared ? (await schedulerState.read()).get(schedulerKey) : undefined;
      return settledAt !== undefined && clock.now().getTime() - settledAt.getTime() <= schedulerSilenceMs;
    },
  };
}
