import type { Database, DbTransaction, Prisma } from '@weir/workflow-db';
import type { DagRunStep, DagRunSummary, nodeKey, GateSettlement } from '@weir/workflow-engine';
import type { QueueDriver } from '../../queue';
import type { DagRunRepository, Requeue } from './dag-run-repository';
import { summaryColumns, summaryFromRow } from './dag-run-rows';
import { deleteScopes, groupPatches, patchSteps } from './prisma-run-steps';
import { toQueueItem } from './queue-item';
import type { RunUnit } from './run-unit';

const queued = 'queued';
const running = 'running';
const waiting = 'waiting';

type Tables = Pick<DbTransaction, 'dagRun'>;
type Resumes = 'requeue' | 'settleGate';

/** What makes a run go on that nobody is carrying out. */
export function runResumesOf(
  { unitOfWork }: Pick<Database, 'unitOfWork'>,
  queue: QueueDriver<DbTransaction>,
): Pick<DagRunRepository, Resumes> {
  const isolation = 'read_committed';
  return {
    requeue: async (id, requeue) => {
      const isQueued = await unitOfWork((tables) => requeueRun({ tables, queue }, id, requeue), { isolation });
      if (isQueued) queue.announce();
      return isQueued;
    },
    settleGate: async (id, gate) => {
      const outcome = await unitOfWork((tables) => settleGate({ tables, queue }, id, gate), { isolation });
      if (outcome === 'resumed') queue.announce();
      return outcome;
    },
  };
}

async function requeueRun(unit: RunUnit, id: string, requeue: Requeue): Promise<boolean> {
  const { from, at, attempt, patches, deletedScopes: forget, retry, triggerType, ownerId } = requeue;
  const { tables } = unit;
  const isHeld = await lockRun(tables, id, from, {
    ...(attempt === undefined ? {} : { attempt }),
    ...(retry === 'auto' ? { retryAt: { lte: at } } : {}),
  });
  if (!isHeld) return false;
  await deleteScopes(tables, id, forget);
  await patchSteps(tables, id, groupPatches(patches));
  await resumeRun(unit, id, at, {
    ...(triggerType === undefined ? {} : { triggerType }),
    // A retry is a new beginning; what only waited goes on.
    ...(retry === undefined ? {} : { startedAt: null, attempt: { increment: 1 } }),
    ...(retry === 'auto' ? { autoRetryCount: { increment: 1 } } : {}),
    ...(ownerId === undefined
      ? {}
      : { status: running, ownerId, queuedAt: null, startedAt: at, fencingToken: { increment: 1 } }),
  });
  return true;
}

async function settleGate(unit: RunUnit, id: string, gate: GateSettlement): Promise<'resumed' | 'stored' | 'too_late'> {
  const { tables } = unit;
  const { step, at, patches, deletedScopes: forget, whileRunning } = gate;
  // A queued run takes up its steps only once it is claimed, which this transaction keeps off.
  if (!(await lockRun(tables, id, whileRunning ? [waiting, queued, running] : [waiting, queued]))) return 'too_late';
  const isOpen = await tables.dagRunStep.count({ where: { ...step, runId: id, status: waiting } });
  if (isOpen === 0) return 'too_late';
  await deleteScopes(tables, id, forget);
  await patchSteps(tables, id, groupPatches(patches));
  const isWaiting = (await tables.dagRun.count({ where: { id, status: waiting } })) > 0;
  if (isWaiting) await resumeRun(unit, id, at);
  return isWaiting ? 'resumed' : 'stored';
}

/** Puts a run, which this transaction has changed before, back into its queue. */
export async function resumeRun(
  { tables, queue }: RunUnit,
  id: string,
  at: Date,
  data: Prisma.DagRunUpdateInput = {},
): Promise<void> {
  const row = await tables.dagRun.update({
    where: { id },
    data: {
      status: queued,
      ownerId: null,
      queuedAt: at,
      finishedAt: null,
      error: null,
      retryAt: null,
      stopRequestedAt: null,
      ...data,
    },
    select: summaryColumns,
  });
  await queue.enqueue(tables, toQueueItem(summaryFromRow(row), at));
}

/** What is to be known of a run whose parent may wait for it. */
export const childColumns = { parentId: true, parentNode: true, createdAt: true } as const;

type Child = Pick<DagRunSummary, keyof typeof childColumns>;

/**
 * Lets the step go on that waits for this run, if one does. Whether the run of that step is in its queue again; one
 * that is still at work sees it when it would begin to wait.
 */
export async function wakeParentOf(unit: RunUnit, child: Child, at: Date | null): Promise<boolean> {
  const { tables } = unit;
  const { parentId, parentNode } = child;
  if (parentId === null || parentNode === null) return false;
  const place = placeOf(parentNode);
  if (!(await lockRun(tables, parentId, [waiting, running]))) return false;
  const { count } = await tables.dagRunStep.updateMany({
    where: { runId: parentId, ...place, status: waiting },
    data: { status: 'not_started' },
  });
  if (count === 0 || (await tables.dagRun.count({ where: { id: parentId, status: waiting } })) === 0) return false;
  await resumeRun(unit, parentId, at ?? child.createdAt);
  return true;
}

/** The same for a run of which only the key is known. */
export async function wakeParent(unit: RunUnit, id: string, at: Date | null): Promise<boolean> {
  const child = await unit.tables.dagRun.findUniqueOrThrow({ where: { id }, select: childColumns });
  return wakeParentOf(unit, child, at);
}

/** The way back from `nodeKey`. */
export function placeOf(key: ReturnType<typeof nodeKey>): Pick<DagRunStep, 'scope' | 'position'> {
  const cut = key.lastIndexOf('/');
  return { scope: key.slice(0, Math.max(cut, 0)), position: Number(key.slice(cut + 1)) };
}

/** Whether the run is in one of these states, and stays in it until this transaction ends. */
async function lockRun(
  { dagRun }: Pick<Tables, 'dagRun'>,
  id: string,
  from: readonly string[],
  more: Prisma.DagRunWhereInput = {},
): Promise<boolean> {
  const { count } = await dagRun.updateMany({
    where: { ...more, id, status: { in: [...from] } },
    data: { rowVersion: { increment: 1 } },
  });
  return count > 0;
}
