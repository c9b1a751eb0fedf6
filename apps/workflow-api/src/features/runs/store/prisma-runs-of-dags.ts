import { joinSql, sql, type DbTransaction } from '@weir/workflow-db';
import { runStatus, type DagRunSummary } from '@weir/workflow-engine/model';
import type { DagRunRepository, RunPosition, RunScan } from './dag-run-repository';
import { rowUnreadable, summaryColumns, summaryFromRow } from './dag-run-rows';
import { toScanParts } from './run-scan-parts';

type Tables = Pick<DbTransaction, 'dagRun' | '$queryRaw'>;

/** Limits the parts of one statement, as SQLite requires. */
const dagsPerStatement = 200;

type ReadsOfDags = Pick<DagRunRepository, 'listLatestStates' | 'listRecent' | 'findNext'>;

export function createReadsOfDags(db: Tables): ReadsOfDags {
  return {
    listLatestStates: () => listLatestStates(db),
    listRecent: (dagNames, limit) => listRecent(db, dagNames, limit),
    findNext: (position, workspaces) => findNext(db, position, workspaces),
  };
}

/** Reads one row for each DAG by the primary keys of heads and runs. */
async function listLatestStates(db: Tables): ReturnType<DagRunRepository['listLatestStates']> {
  const rows = await db.$queryRaw<{ dagName: string; status: string; workspace: string | null }[]>`
    SELECT h."dagName", r."status", r."workspace" FROM "DagHead" h JOIN "DagRun" r ON r."id" = h."latestRunId"`;
  return new Map(
    rows.map(({ dagName, status, workspace }) => {
      if (!runStatus.is(status)) throw rowUnreadable('run of the DAG', dagName);
      return [dagName, { status, workspace }];
    }),
  );
}

/** Reads the beginning of one range of an index for each DAG: a window function would read all their runs. */
async function listRecent(
  db: Tables,
  dagNames: readonly string[],
  limit: number,
): ReturnType<DagRunRepository['listRecent']> {
  const found = new Map<string, DagRunSummary[]>();
  if (limit === 0) return found;
  for (let at = 0; at < dagNames.length; at += dagsPerStatement) {
    const parts = dagNames.slice(at, at + dagsPerStatement).map(
      (dagName) => sql`SELECT "id" FROM (
        SELECT "id" FROM "DagRun" WHERE "depth" = 0 AND "dagName" = ${dagName}
        ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}) AS recent`,
    );
    const ids = await db.$queryRaw<{ id: string }[]>`${joinSql(parts, ' UNION ALL ')}`;
    const rows = await db.dagRun.findMany({
      where: { id: { in: ids.map(({ id }) => id) } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      select: summaryColumns,
    });
    for (const run of rows.map(summaryFromRow)) found.set(run.dagName, [...(found.get(run.dagName) ?? []), run]);
  }
  return found;
}

async function findNext(
  { dagRun }: Tables,
  { createdAt, dagName, id }: RunPosition,
  workspaces: RunScan['workspaces'],
): ReturnType<DagRunRepository['findNext']> {
  const isLater = { createdAt: { gte: createdAt }, OR: [{ createdAt: { gt: createdAt } }, { id: { gt: id } }] };
  const found = await Promise.all(
    toScanParts({ dagName, statuses: undefined, workspaces }).map((part) =>
      dagRun.findFirst({
        where: { AND: [{ depth: 0, ...part }, isLater] },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        select: { dagRunId: true, createdAt: true },
      }),
    ),
  );
  const [first] = found
    .flatMap((run) => run ?? [])
    .toSorted((left, right) => left.createdAt.getTime() - right.createdAt.getTime());
  return first;
}
