import type { DbTransaction } from '@weir/workflow-db';
import { runStatus } from '@weir/workflow-engine/model';

const ended = runStatus.all.filter(runStatus.isTerminal);
const active = runStatus.all.filter(runStatus.isActive);

type Tables = Pick<DbTransaction, 'dagRun' | 'dagHead'>;

export async function removeRun(tables: Tables, id: string): Promise<boolean> {
  // The row is locked, so that no retry makes the run active again before it is deleted.
  const where = { id, status: { in: ended } };
  const { count } = await tables.dagRun.updateMany({ where, data: { rowVersion: { increment: 1 } } });
  if (count === 0 || (await hasActiveBelow(tables, id))) return false;
  const head = await tables.dagHead.findUnique({ where: { latestRunId: id } });
  if (head !== null) await moveHeadBack(tables, head.dagName, id);
  await tables.dagRun.delete({ where: { id }, select: { id: true } });
  return true;
}

/** Whether a descendant of the run is active. */
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

/** Moves the head to the newest other run of the DAG. */
async function moveHeadBack({ dagRun, dagHead }: Tables, dagName: string, id: string): Promise<void> {
  const next = await dagRun.findFirst({
    where: { depth: 0, dagName, id: { not: id } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  // The head stays if another run was inserted meanwhile.
  const where = { dagName, latestRunId: id };
  if (next === null) await dagHead.deleteMany({ where });
  else await dagHead.updateMany({ where, data: { latestRunId: next.id } });
}
