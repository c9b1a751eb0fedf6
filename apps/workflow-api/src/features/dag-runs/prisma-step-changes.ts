import { joinSql, noSql, sql, type DatabaseProvider, type DbTransaction } from '@weir/workflow-db';
import type { Lease } from './dag-run';
import type { PatchGroup } from './prisma-run-steps';

const running = 'running';

/** What changes together; what is stored as JSON goes alone. */
const columns = {
  status: sql`"status"`,
  startedAt: sql`"startedAt"`,
  finishedAt: sql`"finishedAt"`,
  exitCode: sql`"exitCode"`,
  error: sql`"error"`,
  pid: sql`"pid"`,
  processStartedAt: sql`"processStartedAt"`,
  retryCount: sql`"retryCount"`,
  doneCount: sql`"doneCount"`,
  iteration: sql`"iteration"`,
} as const;

type Column = keyof typeof columns;
const names = Object.keys(columns) as readonly Column[];
// Each number of groups is another statement, and none is to be kept that nobody sends again.
const mostGroups = 4;

/** Whether one statement can say it all: few kinds of changes, as when a step ends and the next one starts. */
export function goTogether(groups: readonly PatchGroup[]): boolean {
  const [first] = groups;
  return (
    first !== undefined &&
    groups.length <= mostGroups &&
    groups.every(({ scope, data }) => scope === first.scope && Object.keys(data).every((key) => key in columns))
  );
}

/**
 * The same as `patchOwned` for several groups, and as atomic: the lease and all changes are one statement, which costs
 * a fraction of a transaction.
 */
export function patchesTogether(db: Pick<DbTransaction, '$executeRaw'>, provider: DatabaseProvider) {
  // Until the changes are stored nobody takes the run over. SQLite does one thing at a time.
  const lock = provider === 'postgresql' ? sql`FOR SHARE` : noSql;
  return async (runId: string, { ownerId, token }: Lease, groups: readonly PatchGroup[]): Promise<boolean> => {
    const scope = groups[0]?.scope ?? '';
    const positions = [...new Set(groups.flatMap((group) => group.positions))];
    const changes = names.flatMap((name) => changeOf(name, groups));
    const count = await db.$executeRaw`
      UPDATE "DagRunStep" SET ${joinSql(changes)}
      WHERE "runId" = ${runId} AND "scope" = ${scope} AND "position" IN (${joinSql(positions)}) AND EXISTS (
        SELECT 1 FROM "DagRun" r WHERE r."id" = "DagRunStep"."runId"
          AND r."ownerId" = ${ownerId} AND r."fencingToken" = ${token} AND r."status" = ${running} ${lock}
      )`;
    return count > 0;
  };
}

function changeOf(name: Column, groups: readonly PatchGroup[]) {
  const cases = groups.flatMap(({ data, positions }) => {
    const value = data[name];
    return value === undefined ? [] : [sql`WHEN "position" IN (${joinSql([...positions])}) THEN ${value}`];
  });
  if (cases.length === 0) return [];
  // The first that fits counts, and of two changes of one step the later one does.
  return [sql`${columns[name]} = CASE ${joinSql(cases.toReversed(), ' ')} ELSE ${columns[name]} END`];
}
