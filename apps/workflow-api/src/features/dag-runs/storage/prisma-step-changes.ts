import { joinSql, noSql, sql, type DatabaseProvider, type DbTransaction } from '@weir/workflow-db';
import type { Lease } from '@weir/workflow-engine';
import { gateToRow } from './dag-run-rows';
import type { PatchGroup } from './prisma-run-steps';
import { memoToRow } from './step-memo-row';
import { outputsToRow } from './step-outputs-row';

const running = 'running';

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
  outputs: sql`"outputs"`,
  memo: sql`"memo"`,
  gate: sql`"gate"`,
} as const;

type SqlPart = typeof noSql;
type Column = keyof typeof columns;
const names = Object.keys(columns) as readonly Column[];
// Each number of groups is another statement, and none is to be kept that nobody sends again.
const maxGroups = 4;

/** Whether one statement can say it all: few kinds of changes, as when a step ends and the next one starts. */
export function fitOneStatement(groups: readonly PatchGroup[]): boolean {
  const [first] = groups;
  return first !== undefined && groups.length <= maxGroups && groups.every(({ scope }) => scope === first.scope);
}

/**
 * Tells whether the run was running under this lease, and the steps are changed. The lease and all changes are one
 * statement, which is as atomic as a transaction and costs a fraction of it.
 */
export function createStepPatcher(db: Pick<DbTransaction, '$executeRaw'>, provider: DatabaseProvider) {
  // Until the changes are stored nobody takes the run over. SQLite does one thing at a time.
  const lock = provider === 'postgresql' ? sql`FOR SHARE` : noSql;
  // A text is no JSON to PostgreSQL before it is told so; to SQLite it is.
  const asJson = provider === 'postgresql' ? sql`::jsonb` : noSql;
  return async (runId: string, { ownerId, token }: Lease, groups: readonly PatchGroup[]): Promise<boolean> => {
    const scope = groups[0]?.scope ?? '';
    const positions = [...new Set(groups.flatMap((group) => group.positions))];
    const changes = names.flatMap((name) => toAssignment(name, groups, asJson));
    const count = await db.$executeRaw`
      UPDATE "DagRunStep" SET ${joinSql(changes)}
      WHERE "runId" = ${runId} AND "scope" = ${scope} AND "position" IN (${joinSql(positions)}) AND EXISTS (
        SELECT 1 FROM "DagRun" r WHERE r."id" = "DagRunStep"."runId"
          AND r."ownerId" = ${ownerId} AND r."fencingToken" = ${token} AND r."status" = ${running} ${lock}
      )`;
    return count > 0;
  };
}

function toAssignment(name: Column, groups: readonly PatchGroup[], asJson: SqlPart) {
  const [only] = groups;
  if (groups.length === 1 && only !== undefined) {
    const value = toValue(name, only.data, asJson);
    return value === undefined ? [] : [sql`${columns[name]} = ${value}`];
  }
  const cases = groups.flatMap(({ data, positions }) => {
    const value = toValue(name, data, asJson);
    return value === undefined ? [] : [sql`WHEN "position" IN (${joinSql([...positions])}) THEN ${value}`];
  });
  if (cases.length === 0) return [];
  // The first that fits counts, and of two changes of one step the later one does.
  return [sql`${columns[name]} = CASE ${joinSql(cases.toReversed(), ' ')} ELSE ${columns[name]} END`];
}

function toValue(name: Column, { outputs, memo, gate, ...data }: PatchGroup['data'], asJson: SqlPart) {
  switch (name) {
    case 'outputs':
      return toJson(outputs, outputsToRow, asJson);
    case 'memo':
      return toJson(memo, memoToRow, asJson);
    case 'gate':
      return toJson(gate, gateToRow, asJson);
    default:
      return data[name];
  }
}

/** Nothing for what stays as it is, and `null` for what is to be missing. */
function toJson<T>(value: T | null | undefined, toRow: (value: T) => unknown, asJson: SqlPart) {
  return value === null || value === undefined ? value : sql`${JSON.stringify(toRow(value))}${asJson}`;
}
