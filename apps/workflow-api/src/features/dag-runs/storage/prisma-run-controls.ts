import { isActiveRun, isTerminalNode, isTerminalRun, nodeStatuses, runStatuses } from '@weir/workflow-engine';
import type { Database, DbTransaction, Prisma } from '@weir/workflow-db';
import type { QueueDriver } from '../../queue';
import type { AbortedRun, DagRunRepository } from './dag-run-repository';
import { wakeParent } from './prisma-run-resume';
import type { RunUnit } from './run-unit';

const ended = runStatuses.filter(isTerminalRun);
const active = runStatuses.filter(isActiveRun);
const openNodes = nodeStatuses.filter((status) => !isTerminalNode(status));
const queued = 'queued';
const waiting = 'waiting';
const running = 'running';
const failed = 'failed';

type Tables = Pick<DbTransaction, 'dagRun' | 'dagRunStep' | 'dagHead'>;
type Controls = 'dequeue' | 'requestStop' | 'listStopRequested' | 'remove';

/** What people do to runs, beside the owner that carries them out. */
export function runControlsOf(
  { db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>,
  queue: QueueDriver<DbTransaction>,
  notify: (runId: string) => void,
): Pick<DagRunRepository, Controls> {
  /** A place in a queue is free when one is aborted, and a run that waits for it goes on. */
  const announced = async <T>(id: string, work: Promise<T>): Promise<T> => {
    const outcome = await work;
    queue.announce();
    notify(id);
    return outcome;
  };
  return {
    dequeue: (id, end) =>
      announced(
        id,
        unitOfWork((tables) => abortRun({ tables, queue }, id, [queued], end)),
      ),
    requestStop: (id, end) =>
      announced(
        id,
        unitOfWork(async (tables) => {
          if (await abortRun({ tables, queue }, id, [queued, waiting], end)) return 'aborted';
          if (await cancelRetry(tables, { id })) return 'aborted';
          await tables.dagRun.updateMany({
            where: { id, status: running, stopRequestedAt: null },
            data: { stopRequestedAt: end.at, rowVersion: { increment: 1 } },
          });
          return (await tables.dagRun.count({ where: { id, status: running } })) > 0 ? 'requested' : 'ended';
        }),
      ),
    listStopRequested: async (ownerId) =>
      (
        await db.dagRun.findMany({
          where: { ownerId, status: running, stopRequestedAt: { not: null } },
          select: { id: true },
        })
      ).map(({ id }) => id),
    remove: async (id) => {
      const isRemoved = await unitOfWork((tables) => removeRun(tables, id));
      if (isRemoved) notify(id);
      return isRemoved;
    },
  };
}

/** The steps of a run that have not ended. */
async function abortSteps(
  { dagRunStep }: Pick<Tables, 'dagRunStep'>,
  runId: string,
  { at, error }: AbortedRun,
): Promise<void> {
  await dagRunStep.updateMany({
    where: { runId, status: { in: openNodes } },
    data: { status: 'aborted', finishedAt: at, error },
  });
}

async function abortRun(unit: RunUnit, id: string, from: readonly string[], end: AbortedRun): Promise<boolean> {
  const { tables, queue } = unit;
  const { count } = await tables.dagRun.updateMany({
    where: { id, status: { in: [...from] } },
    data: { status: 'aborted', finishedAt: end.at, error: null, rowVersion: { increment: 1 } },
  });
  if (count === 0) return false;
  await abortSteps(tables, id, end);
  await queue.complete(tables, id);
  await wakeParent(unit, id, end.at);
  return true;
}

/** Whether the run would have been tried again by itself. */
export async function cancelRetry({ dagRun }: Pick<Tables, 'dagRun'>, run: Prisma.DagRunWhereInput): Promise<boolean> {
  const { count } = await dagRun.updateMany({
    where: { ...run, status: failed, retryAt: { not: null } },
    data: { status: 'aborted', retryAt: null, rowVersion: { increment: 1 } },
  });
  return count > 0;
}

async function removeRun(tables: Tables, id: string): Promise<boolean> {
  // Locks the row and settles that nobody makes the run active again before it is gone.
  const where = { id, status: { in: ended } };
  const { count } = await tables.dagRun.updateMany({ where, data: { rowVersion: { increment: 1 } } });
  if (count === 0 || (await hasActiveBelow(tables, id))) return false;
  const head = await tables.dagHead.findUnique({ where: { latestRunId: id } });
  if (head !== null) await moveHeadBack(tables, head.dagName, id);
  await tables.dagRun.delete({ where: { id }, select: { id: true } });
  return true;
}

/** Whether a run that it started, or that one of those started, is active. */
async function hasActiveBelow({ dagRun }: Pick<Tables, 'dagRun'>, id: string): Promise<boolean> {
  for (let parents: readonly string[] = [id]; parents.length > 0;) {
    const children = await dagRun.findMany({
      where: { parentId: { in: [...parents] } },
      select: { id: true, status: true },
    });
    if (children.some(({ status }) => active.some((each) => each === status))) return true;
    parents = children.map((child) => child.id);
  }
  return false;
}

/** To the newest run of the DAG but this one. */
async function moveHeadBack({ dagRun, dagHead }: Tables, dagName: string, id: string): Promise<void> {
  const next = await dagRun.findFirst({
    where: { depth: 0, dagName, id: { not: id } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  // Only while it still leads to the run: another one may have been made meanwhile.
  const where = { dagName, latestRunId: id };
  if (next === null) await dagHead.deleteMany({ where });
  else await dagHead.updateMany({ where, data: { latestRunId: next.id } });
}
