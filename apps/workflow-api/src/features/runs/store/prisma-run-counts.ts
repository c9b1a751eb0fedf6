import { joinSql, noSql, sql, type Database } from '@weir/workflow-db';
import { runStatus } from '@weir/workflow-engine/model';
import type { RunCount, RunCounting, RunCounts } from './dag-run-repository';
import { rowUnreadable } from './dag-run-rows';
import { toScanParts, type ScanPart } from './run-scan-parts';

interface Row {
  readonly dagName: string;
  readonly status: string;
  /** An hour in UTC, such as `2026-01-02T03`. */
  readonly hour?: string;
  readonly count: bigint;
}

/** Each status of each workspace is counted within one range of one index, whose columns suffice. */
export async function countRuns(
  database: Pick<Database, 'db' | 'provider'>,
  counting: RunCounting,
): Promise<RunCounts> {
  const { statuses = runStatus.all, limit = Infinity } = counting;
  const counts = new Map<string, RunCount>();
  let isComplete = true;
  for (const part of toScanParts({ ...counting, statuses })) {
    const rows = (await countPart(database, part, counting)).map(countFromRow);
    const counted = rows.reduce((sum, { count }) => sum + count, 0);
    if (counted >= limit) isComplete = false;
    for (const row of rows) add(counts, row);
  }
  return { counts: [...counts.values()], isComplete };
}

function countPart(
  { db, provider }: Pick<Database, 'db' | 'provider'>,
  part: ScanPart,
  { from, to, byHour = false, limit }: RunCounting,
): Promise<Row[]> {
  const conditions = [
    sql`"depth" = 0`,
    ...(part.dagName === undefined ? [] : [sql`"dagName" = ${part.dagName}`]),
    ...(part.status === undefined ? [] : [sql`"status" = ${part.status}`]),
    ...workspaceCondition(part),
    ...(from === undefined ? [] : [sql`"createdAt" >= ${from}`]),
    ...(to === undefined ? [] : [sql`"createdAt" < ${to}`]),
  ];
  const startOfHour =
    provider === 'sqlite' ? sql`substr("createdAt", 1, 13)` : sql`to_char("createdAt", 'YYYY-MM-DD"T"HH24')`;
  const newest = limit === undefined ? noSql : sql`ORDER BY "createdAt" DESC LIMIT ${limit}`;
  const hour = byHour ? sql`, ${startOfHour} AS "hour"` : noSql;
  return db.$queryRaw<Row[]>`
    SELECT "dagName", "status", COUNT(*) AS "count" ${hour}
    FROM (SELECT "dagName", "status", "createdAt" FROM "DagRun" WHERE ${joinSql(conditions, ' AND ')} ${newest}) AS counted
    GROUP BY "dagName", "status" ${byHour ? sql`, ${startOfHour}` : noSql}`;
}

function workspaceCondition({ workspace }: ScanPart): readonly ReturnType<typeof sql>[] {
  if (workspace === undefined) return [];
  if (workspace === null) return [sql`"workspace" IS NULL`];
  return [typeof workspace === 'string' ? sql`"workspace" = ${workspace}` : sql`"workspace" IS NOT NULL`];
}

function countFromRow({ dagName, status, hour, count }: Row): RunCount {
  if (!runStatus.is(status)) throw rowUnreadable('run of the DAG', dagName);
  const counted = { dagName, status, count: Number(count) };
  return hour === undefined ? counted : { ...counted, hour: new Date(`${hour}:00:00Z`) };
}

function add(counts: Map<string, RunCount>, row: RunCount): void {
  const key = `${row.status}/${row.hour?.getTime() ?? ''}/${row.dagName}`;
  counts.set(key, { ...row, count: row.count + (counts.get(key)?.count ?? 0) });
}
