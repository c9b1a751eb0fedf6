import type { Clock } from '@weir/workflow-engine/model';
import { defaultLeaseMs } from '../queue/store';
import { schedulerKey, type SchedulerStateRepository } from '../scheduler';
import type { WorkerRepository } from '../worker';
import type { WorkerFacts } from './explanation-facts';

export interface LivenessDependencies {
  readonly workers: Pick<WorkerRepository, 'list'>;
  readonly schedulerState: Pick<SchedulerStateRepository, 'read'>;
  readonly roles: () => readonly string[];
  readonly clock: Clock;
}

export type Liveness = ReturnType<typeof createLiveness>;

/** A scheduler settles its occurrences every minute, but may be late. */
const schedulerSilenceMs = 3 * 60_000;

/** Reads from heartbeats which processes of the installation are alive. */
export function createLiveness({ workers, schedulerState, roles, clock }: LivenessDependencies) {
  return {
    readWorkers: async (): Promise<WorkerFacts> => {
      const alive = (await workers.list()).filter(({ isAlive, silentMs }) => isAlive ?? silentMs <= defaultLeaseMs);
      return { alive: alive.map(({ id }) => id), claiming: alive.filter(({ claims }) => claims) };
    },

    isSchedulerAlive: async (): Promise<boolean> => {
      if (roles().includes('scheduler')) return true;
      const settledAt = (await schedulerState.read()).get(schedulerKey);
      return settledAt !== undefined && clock.now().getTime() - settledAt.getTime() <= schedulerSilenceMs;
    },
  };
}
