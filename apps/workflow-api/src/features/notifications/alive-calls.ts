import type { Clock, Timer } from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import { pause } from '../../adapters/pause';
import { schedulerKey, type SchedulerStateRepository } from '../scheduler';
import { guardedPost } from './guarded-post';
import type { AliveTarget } from '../../config/event-target-config';

export interface AlivePorts {
  /** Without a target no calls are sent. */
  readonly alive?: AliveTarget | undefined;
  readonly checkDatabase: () => Promise<boolean>;
  readonly schedulerState: Pick<SchedulerStateRepository, 'find'>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** A scheduler settles each full minute; after this time without one it has stopped. */
const schedulerSilenceMs = 3 * 60_000;
/** The operator has configured the address, so all networks are allowed. */
const anyNetwork = ['0.0.0.0/0', '::/0'];

/**
 * A dead-man's switch: calls an address at an interval while the database answers and the schedules are settled, so
 * that its monitor notices when they do not.
 */
export function createAliveCalls(ports: AlivePorts) {
  const { alive, timer, logger } = ports;
  const stopping = new AbortController();
  let loop: Promise<void> = Promise.resolve();
  const run = async ({ url, intervalMs }: AliveTarget): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const sick = await findProblem(ports);
        const { problem } = sick === undefined ? await guardedPost(url.reveal(), '{}', {}, options) : { problem: sick };
        if (problem !== undefined) logger.warn({ problem }, 'no alive call');
      } catch (error) {
        logger.warn({ error }, 'no alive call');
      }
      await pause(timer, intervalMs, stopping.signal);
    }
  };
  return {
    start(): void {
      if (alive !== undefined) loop = run(alive);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await loop;
    },
  };
}

export type AliveCalls = ReturnType<typeof createAliveCalls>;

const options = { allowedNetworks: anyNetwork, timeoutMs: 5_000 };

/** Explains why no alive call may be sent. */
async function findProblem({ checkDatabase, schedulerState, clock }: AlivePorts): Promise<string | undefined> {
  if (!(await checkDatabase())) return 'the database does not answer';
  const settled = await schedulerState.find(schedulerKey);
  const isSettled = settled !== undefined && clock.now().getTime() - settled.getTime() <= schedulerSilenceMs;
  return isSettled ? undefined : 'schedules are not settled';
}
