import type { Database, DbTransaction } from '@weir/workflow-db';
import { nodeStatus, runStatus, type RunTransition } from '@weir/workflow-engine/model';
import { unaudited, type AuditedOperation, type RecordChange } from '../../../access/audited-operation';
import { mayBeStepEvent, writeOutbox, writeStepEvents } from '../../notifications/outbox/outbox';
import type { OutboxSignal } from '../../notifications/outbox/outbox-signal';
import type { StepSubscriptions } from '../../notifications/outbox/step-subscriptions';
import { recordAttempt, type QueueDriver } from '../../queue/store';
import { paramsToRow, rowUnreadable } from './dag-run-rows';
import { addMissingSteps, deleteScopes, groupPatches, patchSteps } from './prisma-step-rows';
import { createStepStatement, fitsOneStatement } from './prisma-step-statement';
import type { CommittedRun, RunState, RunStorage, RunTransaction } from './run-storage';

// The first statement about a run locks it, so the transaction need not be serializable.
const isolation = 'read_committed';
const waiting = 'waiting';

const stateColumns = {
  id: true,
  status: true,
  ownerId: true,
  fencingToken: true,
  stopRequestedAt: true,
  queuedAt: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
  error: true,
  attempt: true,
  autoRetryCount: true,
  retryAt: true,
} as const;

const committedColumns = {
  id: true,
  dagName: true,
  dagRunId: true,
  queueName: true,
  workspace: true,
  workerSelector: true,
  priority: true,
  ownerId: true,
  fencingToken: true,
  depth: true,
  createdAt: true,
  parentId: true,
  parentNode: true,
} as const;

/** The ports that store events together with the changes of runs. */
export interface OutboxPorts {
  readonly outboxSignal: OutboxSignal;
  readonly stepSubscriptions: Pick<StepSubscriptions, 'isWanted'>;
}

type HasStepEvents = (tables: Pick<DbTransaction, 'eventSubscription'>, transition: RunTransition) => Promise<boolean>;

export function createPrismaRunStorage(
  { db, unitOfWork, provider }: Database,
  queue: QueueDriver<DbTransaction>,
  { outboxSignal, stepSubscriptions }: OutboxPorts,
): Omit<RunStorage, 'notifyWaiters'> {
  const hasStepEvents: HasStepEvents = async (tables, { steps: { patches } }) =>
    patches.some(mayBeStepEvent) && (await stepSubscriptions.isWanted(tables));
  const inTransaction = async <T>(
    audit: AuditedOperation,
    work: (tables: DbTransaction, onEvent: () => void, record: RecordChange) => Promise<T>,
  ): Promise<T> => {
    const seen = { hasEvent: false };
    const onEvent = (): void => void (seen.hasEvent = true);
    const attempt = (tables: DbTransaction, record: RecordChange) => work(tables, onEvent, record);
    const result = await audit.inTransaction(unitOfWork, attempt, { isolation });
    if (seen.hasEvent) outboxSignal.raise();
    return result;
  };
  const patchInOneStatement = createStepStatement(db, provider);
  return {
    notifyQueue: () => queue.announce(),
    transaction: (audit, work) =>
      inTransaction(audit, (tables, onEvent, record) =>
        work(createTransaction(tables, queue, { hasStepEvents, onEvent }), record),
      ),
    commit: async (id, transition) => {
      const { patch, steps, expected } = transition;
      const isRunPatch = Object.keys(patch).length > 0;
      if (isRunPatch && steps.patches.length === 0 && steps.added === undefined) {
        return (await db.dagRun.updateMany(toUpdate(id, transition))).count > 0;
      }
      const events = { hasStepEvents: await hasStepEvents(db, transition) };
      const groups = groupPatches(steps.patches);
      if (!isRunPatch && !events.hasStepEvents && steps.added === undefined && fitsOneStatement(groups)) {
        return patchInOneStatement(id, expected, groups);
      }
      return inTransaction(
        unaudited,
        async (tables, onEvent) => (await commit(tables, id, transition, { ...events, onEvent })) !== undefined,
      );
    },
  };
}

function createTransaction(
  tables: DbTransaction,
  queue: QueueDriver<DbTransaction>,
  {
    hasStepEvents,
    onEvent,
  }: {
    readonly hasStepEvents: HasStepEvents;
    readonly onEvent: () => void;
  },
): RunTransaction {
  return {
    load: (id) => load(tables, id),
    commit: async (id, transition) => {
      const events = { hasStepEvents: await hasStepEvents(tables, transition), onEvent };
      const row = await commit(tables, id, transition, events);
      if (row !== undefined && (await writeOutbox(tables, row, transition.patch))) onEvent();
      return row;
    },
    enqueue: (item) => queue.enqueue(tables, item),
    removeFromQueue: (id) => queue.complete(tables, id),
    recordAttempt: async (id, ended, next) => {
      await recordAttempt(tables, id, { ended, next });
      await tables.deadLetter.deleteMany({ where: { runId: id } });
    },
  };
}

async function load({ dagRun, dagRunStep }: DbTransaction, id: string): Promise<RunState | undefined> {
  const [row] = await dagRun.updateManyAndReturn({
    where: { id },
    data: { rowVersion: { increment: 1 } },
    select: stateColumns,
  });
  if (row === undefined) return undefined;
  const { status } = row;
  if (!runStatus.is(status)) throw rowUnreadable('run', id);
  const waitingSteps = await dagRunStep.findMany({
    where: { runId: id, status: waiting },
    select: { scope: true, position: true, iteration: true },
  });
  return { ...row, status, waitingSteps };
}

/** Changes the run first, which locks it for the rest of the transaction. */
async function commit(
  tables: DbTransaction,
  id: string,
  transition: RunTransition,
  { hasStepEvents, onEvent }: { readonly hasStepEvents: boolean; readonly onEvent: () => void },
): Promise<CommittedRun | undefined> {
  const [row] = await tables.dagRun.updateManyAndReturn({ ...toUpdate(id, transition), select: committedColumns });
  if (row === undefined) return undefined;
  if (hasStepEvents && (await writeStepEvents(tables, row, transition.steps.patches))) onEvent();
  const { patches, deletedScopes, added = [], every } = transition.steps;
  await deleteScopes(tables, id, deletedScopes);
  if (added.length > 0) await addMissingSteps(tables, id, added);
  await patchSteps(tables, id, groupPatches(patches));
  if (every === undefined) return row;
  const from = nodeStatus.all.filter((status) => nodeStatus.canMove(status, every.status));
  await tables.dagRunStep.updateMany({ where: { runId: id, status: { in: from } }, data: every });
  return row;
}

function toUpdate(id: string, { expected, patch }: RunTransition) {
  const { resolvedParams, fileVariables, ...fields } = patch;
  return {
    where: { id, ...expected },
    data: {
      ...fields,
      ...(resolvedParams === undefined ? {} : { paramsResolved: paramsToRow(resolvedParams) }),
      ...(fileVariables === undefined ? {} : { fileVariables: [...fileVariables] }),
      rowVersion: { increment: 1 },
    },
  };
}
