import { isTerminalNode, isTerminalRun, nodeStatuses, runStatuses } from '@weir/workflow-engine';
import type { Database, DbTransaction } from '@weir/workflow-db';
import type { AbortedRun, DagRunRepository } from './dag-run-repository';

const ended = runStatuses.filter(isTerminalRun);
const openNodes = nodeStatuses.filter((status) => !isTerminalNode(status));
const queued = 'queued';
const waiting = 'waiting';
const running = 'running';

type Tables = Pick<DbTransaction, 'dagRun' | 'dagRunStep' | 'dagHead'>;
type Controls = 'dequeue' | 'requestStop' | 'listStopRequested' | 'remove';

/** What people do to runs, beside the owner that carries them out. */
export function runControlsOf({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): Pick<DagRunRepository, Controls> {
  return {
    dequeue: (id, end) => unitOfWork((tables) => abortRun(tables, id, [queued], end)),
    requestStop: (id, end) =>
      unitOfWork(async (tables) => {
        if (await abortRun(tables, id, [queued, waiting], end)) return 'aborted';
        await tables.dagRun.updateMany({
          where: { id, status: running, stopRequestedAt: null },
          data: { stopRequestedAt: end.at, rowVersion: { increment: 1 } },
        });
        return (await tables.dagRun.count({ where: { id, status: running } })) > 0 ? 'requested' : 'ended';
      }),
    listStopRequested: async (ownerId) =>
      (
        await db.dagRun.findMany({
          where: { ownerId, status: running, stopRequestedAt: { not: null } },
          select: { id: true },
        })
      ).map(({ id }) => id),
    remove: (id) => unitOfWork((tables) => removeRun(tables, id)),
  };
}

/** Whether the run was running under this owner and asked to end, and is now aborted with its steps. */
export async function abortAsked(tables: Tables, id: string, ownerId: string, end: AbortedRun): Promise<boolean> {
  const { count } = await tables.dagRun.updateMany({
    where: { id, ownerId, status: running, stopRequestedAt: { not: null } },
    data: { status: 'aborted', finishedAt: end.at, error: null, rowVersion: { increment: 1 } },
  });
  if (count > 0) await abortSteps(tables, id, end);
  return count > 0;
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

async function abortRun(tables: Tables, id: string, from: readonly string[], end: AbortedRun): Promise<boolean> {
  const { count } = await tables.dagRun.updateMany({
    where: { id, status: { in: [...from] } },
    data: { status: 'aborted', finishedAt: end.at, error: null, rowVersion: { increment: 1 } },
  });
  if (count > 0) await abortSteps(tables, id, end);
  return count > 0;
}

async function removeRun(tables: Tables, id: string): Promise<boolean> {
  // Locks the row and settles that nobody makes the run active again before it is gone.
  const where = { id, status: { in: ended } };
  const { count } = await tables.dagRun.updateMany({ where, data: { rowVersion: { increment: 1 } } });
  if (count === 0) return false;
  const head = await tables.dagHead.findUnique({ where: { latestRunId: id } });
  if (head !== null) await moveHeadBack(tables, head.dagName, id);
  await tables.dagRun.delete({ where: { id }, select: { id: true } });
  return true;
}

/** To the newest run of the DAG but this one. */
async function moveHeadBack({ dagRun, dagHead }: Tables, dagName: string, id: string): Promise<void> {
  const next = await dagRun.findFirst({
    where: { dagName, id: { not: id } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  // Only while it still leads to the run: another one may have been made meanwhile.
  const where = { dagName, latestRunId: id };
  if (next === null) await dagHead.deleteMany({ where });
  else await dagHead.updateMany({ where, data: { latestRunId: next.id } });
}
