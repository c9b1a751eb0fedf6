import { joinSql, type Database, type DbTransaction } from '@weir/workflow-db';
import { maxRunDepth } from '@weir/workflow-engine/model';
import { nodeStatus, runStatus, type DagRun, type DagRunStep, type DagRunSummary } from '@weir/workflow-engine/model';
import { listAttempts } from '../../queue/store';
import type { DagRunRepository } from './dag-run-repository';
import { runFromRow, stepFromRow, summaryColumns, summaryFromRow } from './dag-run-rows';
import { countRuns } from './prisma-run-counts';
import { createReadsOfDags } from './prisma-runs-of-dags';
import { listRetryDue, scanRuns } from './prisma-run-scan';
import { memoFromRow } from './step-memo-row';
import { outputsFromRow } from './step-outputs-row';

const active = runStatus.all.filter(runStatus.isActive);
const activeSteps = nodeStatus.all.filter(nodeStatus.isActive);
const running = 'running';
const idsPerStatement = 500;
const maxWaitingRuns = 10_000;
const maxOwnedRuns = 10_000;
const depths = Array.from({ length: maxRunDepth + 1 }, (_, depth) => depth);

type Tables = Pick<DbTransaction, 'dagRun' | 'dagRunStep' | 'dagHead' | '$queryRaw'>;
type Reads =
  | 'hasActive'
  | 'find'
  | 'findLatest'
  | 'findById'
  | 'listChildren'
  | 'findLatestWorkspace'
  | 'listLatest'
  | 'listLatestStates'
  | 'listRecent'
  | 'findNext'
  | 'listSummaries'
  | 'listByRunIds'
  | 'listWithWaitingSteps'
  | 'countRuns'
  | 'listAttempts'
  | 'scan'
  | 'listRetryDue'
  | 'listOwned'
  | 'listStopRequested';

export function createRunReads(database: Pick<Database, 'db' | 'provider'>): Pick<DagRunRepository, Reads> {
  const { db } = database;
  return {
    hasActive: (dagName) => hasActive(db, dagName),
    find: async (dagName, dagRunId) => {
      const row = await db.dagRun.findUnique({ where: { dagName_dagRunId: { dagName, dagRunId } } });
      return row === null ? undefined : runFromRow(row);
    },
    findLatest: async (dagName) => {
      const head = await db.dagHead.findUnique({ where: { dagName }, include: { latestRun: true } });
      return head === null ? undefined : runFromRow(head.latestRun);
    },
    findById: async (id) => {
      const row = await db.dagRun.findUnique({ where: { id } });
      return row === null ? undefined : runFromRow(row);
    },
    listChildren: async (parentId, parentNode) =>
      (
        await db.dagRun.findMany({
          where: { parentId, ...(parentNode === undefined ? {} : { parentNode }) },
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
          select: summaryColumns,
        })
      ).map(summaryFromRow),
    findLatestWorkspace: async (dagName) => {
      // Every start executes this query: it is one statement, where Prisma would send two.
      const [latest] = await db.$queryRaw<Pick<DagRun, 'workspace'>[]>`
        SELECT r."workspace" FROM "DagHead" h JOIN "DagRun" r ON r."id" = h."latestRunId"
        WHERE h."dagName" = ${dagName}`;
      return latest;
    },
    listLatest: async (dagNames) => {
      if (dagNames.length === 0) return new Map();
      const heads = await db.dagHead.findMany({
        where: { dagName: { in: [...dagNames] } },
        select: { dagName: true, latestRun: { select: summaryColumns } },
      });
      return new Map(heads.map(({ dagName, latestRun }) => [dagName, summaryFromRow(latestRun)]));
    },
    ...createReadsOfDags(db),
    listSummaries: async (ids) => {
      if (ids.length === 0) return new Map();
      const rows = await db.dagRun.findMany({ where: { id: { in: [...ids] } }, select: summaryColumns });
      return new Map(rows.map((row) => [row.id, summaryFromRow(row)]));
    },
    listByRunIds: (dagName, dagRunIds) => listByRunIds(db, dagName, dagRunIds),
    listWithWaitingSteps: () => listWithWaitingSteps(db),
    countRuns: (counting) => countRuns(database, counting),
    listAttempts: (id, limit) => listAttempts(db, id, limit),
    scan: (scan) => scanRuns(db, scan),
    listRetryDue: (due) => listRetryDue(db, due),
    listOwned: (ownerIds) => listOwned(db, ownerIds),
    listStopRequested: (ownerId) => listStopRequested(db, ownerId),
  };
}

async function listOwned({ dagRun }: Tables, ownerIds: readonly string[]): Promise<readonly DagRunSummary[]> {
  const where = { ownerId: { in: [...ownerIds] }, status: running };
  const orderBy = [{ startedAt: 'asc' as const }, { id: 'asc' as const }];
  return (await dagRun.findMany({ where, orderBy, take: maxOwnedRuns, select: summaryColumns })).map(summaryFromRow);
}

async function listStopRequested({ dagRun }: Tables, ownerId: string): Promise<readonly string[]> {
  const where = { ownerId, status: running, stopRequestedAt: { not: null } };
  return (await dagRun.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** Uses the index of statuses, whose first column is the depth, and the primary key of steps. */
function listWithWaitingSteps(db: Tables): Promise<readonly Pick<DagRun, 'id' | 'rootId'>[]> {
  return db.$queryRaw<Pick<DagRun, 'id' | 'rootId'>[]>`
    SELECT r."id", r."rootId" FROM "DagRun" r
    WHERE r."depth" IN (${joinSql(depths)}) AND r."status" IN ('queued', 'running', 'waiting')
      AND EXISTS (SELECT 1 FROM "DagRunStep" s WHERE s."runId" = r."id" AND s."status" = 'waiting')
    LIMIT ${maxWaitingRuns}`;
}

async function listByRunIds(db: Tables, dagName: string, dagRunIds: readonly string[]) {
  const found = new Map<string, DagRunSummary>();
  for (let at = 0; at < dagRunIds.length; at += idsPerStatement) {
    const where = { dagName, dagRunId: { in: dagRunIds.slice(at, at + idsPerStatement) } };
    const rows = await db.dagRun.findMany({ where, select: summaryColumns });
    for (const row of rows) found.set(row.dagRunId, summaryFromRow(row));
  }
  return found;
}

type StepReads = 'listSteps' | 'listAllSteps' | 'listFailedSteps' | 'listActiveSteps' | 'readOutputs' | 'readMemos';

export function createStepReads({ dagRunStep }: Tables): Pick<DagRunRepository, StepReads> {
  const orderBy = { position: 'asc' } as const;
  const omit = { outputs: true, memo: true } as const;
  return {
    listSteps: async (runId, scope = '') =>
      (await dagRunStep.findMany({ where: { runId, scope }, orderBy, omit })).map(stepFromRow),
    listAllSteps: async (runId) => {
      const rows = await dagRunStep.findMany({ where: { runId }, orderBy, omit });
      return rows.map(stepFromRow).toSorted(compareScopes);
    },
    listFailedSteps: async (runIds) => {
      const rows = await dagRunStep.findMany({
        where: { runId: { in: [...runIds] }, status: 'failed' },
        orderBy: [{ finishedAt: 'asc' }, { scope: 'asc' }, { position: 'asc' }],
        omit,
      });
      const found = new Map<string, DagRunStep[]>();
      for (const row of rows) {
        const steps = found.get(row.runId) ?? [];
        steps.push(stepFromRow(row));
        found.set(row.runId, steps);
      }
      return found;
    },
    listActiveSteps: async (runIds) => {
      // The steps in loops belong to a step of the DAG that is active as well.
      const rows = await dagRunStep.findMany({
        where: {
          runId: { in: [...runIds] },
          OR: [{ scope: '' }, { scope: { startsWith: 'on/' } }],
          status: { in: activeSteps },
        },
        orderBy: [{ scope: 'asc' }, { position: 'asc' }],
        select: { runId: true, name: true },
      });
      const found = new Map<string, string[]>();
      for (const { runId, name } of rows) found.set(runId, [...(found.get(runId) ?? []), name]);
      return found;
    },
    readOutputs: async (runId, scope = '') => {
      const rows = await dagRunStep.findMany({
        where: { runId, scope },
        orderBy,
        select: { position: true, outputs: true },
      });
      const published = rows.filter(({ outputs }) => outputs !== null);
      return new Map(published.map(({ position, outputs }) => [position, outputsFromRow(outputs)]));
    },
    readMemos: async (runId, scope = '') => {
      const rows = await dagRunStep.findMany({
        where: { runId, scope },
        orderBy,
        select: { position: true, memo: true },
      });
      const stored = rows.filter(({ memo }) => memo !== null);
      return new Map(stored.map(({ position, memo }) => [position, memoFromRow(memo)]));
    },
  };
}

/** Scopes are sorted here, because databases do not agree on the order of strings. Steps of one scope keep their order. */
function compareScopes(left: DagRunStep, right: DagRunStep): number {
  if (left.scope === right.scope) return 0;
  return left.scope < right.scope ? -1 : 1;
}

export async function hasActive({ dagRun }: Pick<Tables, 'dagRun'>, dagName: string): Promise<boolean> {
  const where = { depth: 0, dagName, status: { in: active } };
  // Selecting a column of the right index makes SQLite use it instead of the index of every active run.
  return (await dagRun.findFirst({ where, select: { status: true } })) !== null;
}
