import type { Database, DbTransaction } from '@weir/workflow-db';
import { ownerTransition } from '@weir/workflow-engine';
import { createClaimStatements } from './claim-statements';
import type { QueueDriver } from './queue-driver';
import { createListeners } from '../../listeners';
import { createQueueControls } from './prisma-queue-controls';
import { createQueueReads } from './prisma-queue-reads';
import { deleteQueueItem, storeQueueItem } from './queue-items';
import { recordTakeOver } from './run-attempts';

export interface PrismaQueueOptions {
  /** Time without a heartbeat after which a lease expires. Only for a shared database. Default: 10 s. */
  readonly leaseMs?: number | undefined;
  /** Whether the process of an owner is alive, of a SQLite database. Default: no other one is. */
  readonly isAlive?: (owner: string) => boolean;
}

/** Time without a heartbeat after which another worker claims the runs of a worker. */
export const defaultLeaseMs = 10_000;

/**
 * The queues in the database. Processes that share a SQLite file are on one machine, where it can be seen whether the
 * owner of a run is alive; those that share PostgreSQL send heartbeats.
 */
export function createPrismaQueueDriver(
  { db, unitOfWork, provider }: Database,
  { leaseMs = defaultLeaseMs, isAlive = () => false }: PrismaQueueOptions = {},
): QueueDriver<DbTransaction> {
  const statements = createClaimStatements(
    provider,
    provider === 'postgresql' ? { heartbeatMs: leaseMs } : { isAlive },
  );
  const isolation = 'read_committed';
  return {
    ...createListeners(),
    ...createQueueReads(db),
    ...createQueueControls({ db, unitOfWork }),
    enqueue: storeQueueItem,
    complete: deleteQueueItem,
    claim: async (request) => {
      // Most claims find nothing, and this query costs less than a transaction.
      if (!(await statements.exists(db, request))) return undefined;
      return unitOfWork(
        async (transaction) => {
          const claimed = await statements.claim(transaction, request);
          if (claimed === undefined) return undefined;
          const { id: runId, fencingToken: token, lost } = claimed;
          const data = { claimedBy: request.owner, token };
          await transaction.queueItem.updateMany({ where: { runId }, data });
          if (lost !== undefined) await recordTakeOver(transaction, lost, request.at);
          return { runId, token };
        },
        { isolation },
      );
    },
    listClaims: (owner) => db.queueItem.findMany({ where: { claimedBy: owner }, select: { runId: true, token: true } }),
    fail: ({ runId, token, owner }, retryAt) =>
      unitOfWork(
        async ({ dagRun, queueItem }) => {
          const { expected, patch } = ownerTransition({ kind: 'released', lease: { ownerId: owner, token } });
          const { ownerId = null } = patch;
          const { count } = await dagRun.updateMany({
            where: { id: runId, ...expected },
            data: { ownerId, rowVersion: { increment: 1 } },
          });
          const data = { claimedBy: null, availableAt: retryAt };
          if (count > 0) await queueItem.updateMany({ where: { runId }, data });
          return count > 0;
        },
        { isolation },
      ),
    depth: async (queueName) => {
      const where = queueName === undefined ? {} : { queueName };
      const waiting = await db.queueItem.count({ where: { ...where, claimedBy: null } });
      return { waiting, claimed: (await db.queueItem.count({ where })) - waiting };
    },
    setLimits: (limits) =>
      unitOfWork(async ({ queue }) => {
        await queue.deleteMany({});
        await queue.createMany({ data: [...limits].map(([name, maxConcurrency]) => ({ name, maxConcurrency })) });
      }),
  };
}
