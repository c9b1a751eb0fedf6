import { sql, type Database, type DbTransaction } from '@weir/workflow-db';
import { ownerTransition } from '@weir/workflow-engine/model';
import type { QueueDispatch } from './queue-dispatch';
import { defaultMaxFailures, type ClaimRequest, type QueueClaim, type QueueDriver } from './queue-driver';
import { createListeners, type Listeners } from '../../../adapters/listeners';
import type { RunChange } from '../../../adapters/run-changes';
import { createPostgresDispatch } from './postgres-claims';
import { createQueueControls } from './prisma-queue-controls';
import { createQueueReads } from './prisma-queue-reads';
import { findFirst, firstExpired, takeOver, type ClaimOptions } from './run-claims';
import { createSqliteDispatch } from './sqlite-claims';

export interface PrismaQueueOptions {
  /** Time without a heartbeat after which a lease expires. Only for a shared database. Default: 10 s. */
  readonly leaseMs?: number | undefined;
  /** Whether the process of an owner is alive; only for a SQLite database. Default: no other one is. */
  readonly isAlive?: (owner: string) => boolean;
  /** After this many failures of its workers, a run is given up. Default: 10. */
  readonly maxFailures?: number | undefined;
  /** Notified of each claim, and of its return, after it was stored. */
  readonly runChanges?: Pick<Listeners<RunChange>, 'announce'> | undefined;
}

/** After this time without a heartbeat, another worker claims the runs of a worker. */
export const defaultLeaseMs = 10_000;

const isolation = 'read_committed';
/** Limits the jobs without a run in one claim. */
const maxAttempts = 100;

/**
 * Creates the queues in the database. Processes that share a SQLite file are on one machine, where they can check
 * whether the owner of a run is alive; those that share PostgreSQL send heartbeats.
 */
export function createPrismaQueueDriver(
  database: Database,
  {
    leaseMs = defaultLeaseMs,
    isAlive = () => false,
    maxFailures = defaultMaxFailures,
    runChanges = createListeners(),
  }: PrismaQueueOptions = {},
): QueueDriver<DbTransaction> {
  const { db, unitOfWork, provider } = database;
  const isPostgres = provider === 'postgresql';
  const dispatch = isPostgres ? createPostgresDispatch(database) : createSqliteDispatch();
  const leases = { provider, lease: isPostgres ? { heartbeatMs: leaseMs } : { isAlive } };
  const listeners = createListeners();
  return {
    ...listeners,
    ...createQueueReads(db),
    ...createQueueControls({ db, unitOfWork }, dispatch),
    watch: () => dispatch.watch(() => listeners.announce()),
    enqueue: (transaction, item) => dispatch.enqueue(transaction, item),
    complete: (transaction, runId) => dispatch.complete(transaction, runId),
    claim: async (request) => {
      const claim = await (request.from === 'expired'
        ? claimExpired(database, leases, { ...request, maxFailures })
        : claimWaiting(database, dispatch, { ...request, maxFailures }));
      if (claim !== undefined) runChanges.announce({ runId: claim.runId, status: 'running' });
      return claim;
    },
    listClaims: (owner) => db.queueItem.findMany({ where: { claimedBy: owner }, select: { runId: true, token: true } }),
    fail: async (claim, retryAt) => {
      const isReturned = await unitOfWork((transaction) => returnRun({ transaction, dispatch }, claim, retryAt), {
        isolation,
      });
      if (isReturned) runChanges.announce({ runId: claim.runId });
      return isReturned;
    },
    depth: async (queueName) => {
      const where = queueName === undefined ? {} : { queueName };
      const waiting = await db.queueItem.count({ where: { ...where, claimedBy: null } });
      return { waiting, claimed: (await db.queueItem.count({ where })) - waiting };
    },
    setLimits: async (limits) => {
      await unitOfWork(async ({ queue }) => {
        await queue.deleteMany({});
        await queue.createMany({ data: [...limits].map(([name, maxConcurrency]) => ({ name, maxConcurrency })) });
      });
      await dispatch.opened();
    },
  };
}

/** Returns false when the claim is no longer the current one. */
async function returnRun(
  {
    transaction,
    dispatch,
  }: { readonly transaction: DbTransaction; readonly dispatch: Pick<QueueDispatch, 'released'> },
  { runId, token, owner }: QueueClaim & { readonly owner: string },
  availableAt: Date,
): Promise<boolean> {
  const { dagRun, queueItem } = transaction;
  const { expected, patch } = ownerTransition({ kind: 'released', lease: { ownerId: owner, token } });
  const { ownerId = null } = patch;
  const { count } = await dagRun.updateMany({
    where: { id: runId, ...expected },
    data: { ownerId, rowVersion: { increment: 1 } },
  });
  if (count === 0) return false;
  const data = { claimedBy: null, availableAt, failures: { increment: 1 } };
  await queueItem.updateMany({ where: { runId }, data });
  await dispatch.released(transaction, runId, earlier(availableAt, new Date()));
  return true;
}

async function claimExpired(
  { db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>,
  leases: Parameters<typeof firstExpired>[2],
  request: ClaimRequest & ClaimOptions,
): Promise<QueueClaim | undefined> {
  if ((await findFirst(db, await firstExpired(db, request, leases))) === undefined) return undefined;
  return unitOfWork(
    async (transaction) => {
      const first = await firstExpired(transaction, request, leases);
      const isPostgres = leases.provider === 'postgresql';
      return takeOver(transaction, isPostgres ? sql`${first} FOR UPDATE OF r, i SKIP LOCKED` : first, request);
    },
    { isolation },
  );
}

async function claimWaiting(
  { db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>,
  dispatch: Pick<QueueDispatch, 'isClaimable' | 'claim'>,
  request: ClaimRequest & ClaimOptions,
): Promise<QueueClaim | undefined> {
  // The loop ends at the latest when the worker waits for the next notification.
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (!(await dispatch.isClaimable(db, request))) return undefined;
    const claim = await unitOfWork((transaction) => dispatch.claim(transaction, request), { isolation });
    if (claim !== 'again') return claim;
  }
  return undefined;
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}
