import type { Database, DbTransaction } from '@weir/workflow-db';
import { nodeStatus, runStatus, type RunTransition } from '@weir/workflow-engine';
import { recordAttempt, type QueueDriver } from '../../queue';
import { paramsToRow, rowUnreadable } from './dag-run-rows';
import { addMissingSteps, deleteScopes, groupPatches, patchSteps } from './prisma-step-rows';
import { createStepStatement, fitsOneStatement } from './prisma-step-statement';
import type { CommittedRun, RunState, RunStorage, RunTransaction } from './run-storage';

// A run is locked by the first statement about it, so nothing has to be serializable.
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

export function createPrismaRunStorage(
  { db, unitOfWork, provider }: Database,
  queue: QueueDriver<DbTransaction>,
): Omit<RunStorage, 'notifyWaiters'> {
  const patchInOneStatement = createStepStatement(db, provider);
  return {
    notifyQueue: () => queue.announce(),
    transaction: (work) => unitOfWork((tables) => work(createTransaction(tables, queue)), { isolation }),
    commit: async (id, transition) => {
      const { patch, steps, expected } = transition;
      const isRunPatch = Object.keys(patch).length > 0;
      if (isRunPatch && steps.patches.length === 0 && steps.added === undefined) {
        return (await db.dagRun.updateMany(toUpdate(id, transition))).count > 0;
      }
      const groups = groupPatches(steps.patches);
      if (!isRunPatch && steps.added === undefined && fitsOneStatement(groups)) {
        return patchInOneStatement(id, expected, groups);
      }
      return unitOfWork(async (tables) => (await commit(tables, id, transition)) !== undefined, { isolation });
    },
  };
}

function createTransaction(tables: DbTransaction, queue: QueueDriver<DbTransaction>): RunTransaction {
  return {
    load: (id) => load(tables, id),
    commit: (id, transition) => commit(tables, id, transition),
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
async function commit(tables: DbTransaction, id: string, transition: RunTransition): Promise<CommittedRun | undefined> {
  const [row] = await tables.dagRun.updateManyAndReturn({ ...toUpdate(id, transition), select: committedColumns });
  if (row === undefined) return undefined;
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
