import type { MoveQueueItemRequest, Queue, QueuePositionResponse } from '@weir/workflow-contract';
import type { Clock } from '@weir/workflow-engine';
import { requireRoleEverywhere, type Principal } from '../auth';
import { dagRunNotQueued, type RunAddresses } from '../dag-runs';
import type { QueueDriver } from '../queue';
import type { QueueService } from './queue-service';

export interface QueueControlDependencies {
  readonly queue: Pick<
    QueueDriver<never>,
    'pause' | 'resume' | 'move' | 'announce' | 'findEntry' | 'countWaitingBefore'
  >;
  readonly queues: Pick<QueueService, 'get'>;
  readonly addresses: Pick<RunAddresses, 'toChange'>;
  readonly clock: Clock;
}

export type QueueControl = ReturnType<typeof createQueueControl>;

/** Changes of queues and of the order in them. */
export function createQueueControl({ queue, queues, addresses, clock }: QueueControlDependencies) {
  const change = async (name: string, principal: Principal, work: () => Promise<void>): Promise<Queue> => {
    await queues.get(name, principal);
    requireRoleEverywhere(principal, 'operator');
    await work();
    return queues.get(name, principal);
  };
  return {
    /** Throws `queue_not_found` or `role_missing`. */
    pause: (name: string, principal: Principal) =>
      change(name, principal, () => queue.pause(name, { pausedAt: clock.now(), pausedBy: principal.name })),

    /** Throws `queue_not_found` or `role_missing`. */
    resume: (name: string, principal: Principal) =>
      change(name, principal, async () => {
        await queue.resume(name);
        queue.announce();
      }),

    /** Throws `dag_run_not_found`, `role_missing` or `not_queued`. */
    move: async (
      queueName: string,
      { to, ...address }: MoveQueueItemRequest,
      principal: Principal,
    ): Promise<QueuePositionResponse> => {
      const { id, dagRunId } = await addresses.toChange(address, principal);
      const isHere = (await queue.findEntry(id))?.queueName === queueName;
      if (!isHere || !(await queue.move(id, to))) throw dagRunNotQueued(dagRunId);
      const entry = await queue.findEntry(id);
      return entry?.claimedBy === null ? { position: (await queue.countWaitingBefore(entry)) + 1 } : {};
    },
  };
}
