import { joinSql, noSql, sql, type DatabaseProvider, type DbTransaction } from '@weir/workflow-db';
import type { RunTransition } from '@weir/workflow-engine/model';
import { decisionsToRow, modelUseToRow } from './dag-run-rows';
import type { PatchGroup } from './prisma-step-rows';
import { memoToRow } from './step-memo-row';
import { outputsToRow } from './step-outputs-row';

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
  build: sql`"build"`,
  iteration: sql`"iteration"`,
  outputs: sql`"outputs"`,
  memo: sql`"memo"`,
  decisions: sql`"gate"`,
  modelUse: sql`"modelUse"`,
} as const;

/** The fields of a run that an owner's change of steps depends on. */
const expectedColumns = {
  ownerId: sql`r."ownerId"`,
  fencingToken: sql`r."fencingToken"`,
  status: sql`r."status"`,
} as const;
const expectedNames = Object.keys(expectedColumns) as readonly (keyof typeof expectedColumns)[];

type Expectation = Pick<RunTransition['expected'], keyof typeof expectedColumns>;
type SqlPart = typeof noSql;
type Column = keyof typeof columns;
const names = Object.keys(columns) as readonly Column[];
// Each number of groups needs a statement of its own, and a database caches only some.
const maxGroups = 4;

/** Whether there are few kinds of changes in one scope, as when a step ends and the next one starts. */
export function fitsOneStatement(groups: readonly PatchGroup[]): boolean {
  const [first] = groups;
  return first !== undefined && groups.length <= maxGroups && groups.every(({ scope }) => scope === first.scope);
}

/**
 * Stores changes of steps if the run is as expected, and returns whether it was. Condition and changes are one
 * statement, which is as atomic as a transaction and costs a fraction of it.
 */
export function createStepStatement(db: Pick<DbTransaction, '$executeRaw'>, provider: DatabaseProvider) {
  // No worker claims the run until the changes are stored. SQLite executes one statement at a time.
  const lock = provider === 'postgresql' ? sql`FOR SHARE` : noSql;
  // PostgreSQL does not convert a string to JSON implicitly, SQLite does.
  const asJson = provider === 'postgresql' ? sql`::jsonb` : noSql;
  return async (runId: string, expected: Expectation, groups: readonly PatchGroup[]): Promise<boolean> => {
    const scope = groups[0]?.scope ?? '';
    const positions = [...new Set(groups.flatMap((group) => group.positions))];
    const changes = names.flatMap((name) => toAssignment(name, groups, asJson));
    const count = await db.$executeRaw`
      UPDATE "DagRunStep" SET ${joinSql(changes)}
      WHERE "runId" = ${runId} AND "scope" = ${scope} AND "position" IN (${joinSql(positions)}) AND EXISTS (
        SELECT 1 FROM "DagRun" r WHERE r."id" = "DagRunStep"."runId" AND ${toCondition(expected)} ${lock}
      )`;
    return count > 0;
  };
}

function toCondition(expected: Expectation): SqlPart {
  const conditions = expectedNames.flatMap((name) =>
    expected[name] === undefined ? [] : [sql`${expectedColumns[name]} = ${expected[name]}`],
  );
  return joinSql(conditions, ' AND ');
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
  // The first matching case counts, so the later of two changes of one step comes first.
  return [sql`${columns[name]} = CASE ${joinSql(cases.toReversed(), ' ')} ELSE ${columns[name]} END`];
}

function toValue(name: Column, { outputs, memo, decisions, modelUse, ...data }: PatchGroup['data'], asJson: SqlPart) {
  switch (name) {
    case 'outputs':
      return toJson(outputs, outputsToRow, asJson);
    case 'memo':
      return toJson(memo, memoToRow, asJson);
    case 'decisions':
      return toJson(decisions, decisionsToRow, asJson);
    case 'modelUse':
      return toJson(modelUse, modelUseToRow, asJson);
    default:
      return data[name];
  }
}

/** Returns `undefined` for unchanged values, and `null` for removed ones. */
function toJson<T>(value: T | null | undefined, toRow: (value: T) => unknown, asJson: SqlPart) {
  return value === null || value === undefined ? value : sql`${JSON.stringify(toRow(value))}${asJson}`;
}
