import type { MoveQueueItemRequest, Queue, QueuePositionResponse } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import { requireRoleEverywhere } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { dagRunNotQueued, type RunAddresses } from '../runs';
import type { QueueDriver } from './store';
import type { Listeners } from '../../adapters/listeners';
import type { QueueChange } from '../../adapters/run-changes';
import type { QueueService } from './queue-service';

export interface QueueControlDependencies {
  readonly queue: Pick<
    QueueDriver<never>,
    'pause' | 'resume' | 'move' | 'announce' | 'findEntry' | 'countWaitingBefore'
  >;
  readonly queues: Pick<QueueService, 'get'>;
  readonly addresses: Pick<RunAddresses, 'toChange'>;
  readonly queueChanges: Pick<Listeners<QueueChange>, 'announce'>;
  readonly clock: Clock;
}

export type QueueControl = ReturnType<typeof createQueueControl>;

/** Changes queues and the order in them. */
export function createQueueControl({ queue, queues, addresses, queueChanges, clock }: QueueControlDependencies) {
  const change = async (name: string, principal: Principal, work: () => Promise<void>): Promise<Queue> => {
    await queues.get(name, principal);
    requireRoleEverywhere(principal, 'operator');
    await work();
    return queues.get(name, principal);
  };
  return {
    /** Throws `queue_not_found` or `role_missing`. */
    pause: (name: string, principal: Principal) =>
      change(name, principal, async () => {
        const isPaused = await queue.pause(name, { pausedAt: clock.now(), pausedBy: principal.name });
        if (isPaused) queueChanges.announce({ queue: name, kind: 'paused', by: principal.name });
      }),

    /** Throws `queue_not_found` or `role_missing`. */
    resume: (name: string, principal: Principal) =>
      change(name, principal, async () => {
        if (await queue.resume(name)) queueChanges.announce({ queue: name, kind: 'resumed', by: principal.name });
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
      queueChanges.announce({ queue: queueName, kind: 'reordered', by: principal.name });
      const entry = await queue.findEntry(id);
      return entry?.claimedBy === null ? { position: (await queue.countWaitingBefore(entry)) + 1 } : {};
    },
  };
}
