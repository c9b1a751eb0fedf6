import { isActiveNode, isActiveRun, isUnstartedNode, nodeStatuses, runStatuses } from '@weir/workflow-engine';
import { translatePrismaError, type Database, type DbTransaction } from '@weir/workflow-db';
import type { DagRun, DagRunStep, StepPatch } from './dag-run';
import { dagRunActive, dagRunExists } from './dag-run-errors';
import type { DagRunRepository } from './dag-run-repository';
import { paramsToRow, runFromRow, runToRow, stepFromRow, summaryColumns, summaryFromRow } from './dag-run-rows';
import { abortAsked, runControlsOf } from './prisma-run-controls';
import { outputsFromRow, outputsToRow } from './step-outputs-row';
import { scanRuns } from './prisma-run-scan';

const active = runStatuses.filter(isActiveRun);
const underWay = nodeStatuses.filter(isActiveNode);
const unstarted = nodeStatuses.filter(isUnstartedNode);
const rowsPerStatement = 500;
// Only the text of the status is stored, so the ones that mean something to a query are named once, here.
const running = 'running';
const queued = 'queued';

type Tables = Pick<DbTransaction, 'dagRun' | 'dagRunStep' | 'dagHead'>;

export function createPrismaDagRunRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): DagRunRepository {
  return {
    ...readsOf(db),
    ...runnerReadsOf(db),
    ...runnerChangesOf({ db, unitOfWork }),
    ...runControlsOf({ db, unitOfWork }),
    insert: async (run, steps, { singleton }) => {
      try {
        // Only the rule of singletons is about rows that the transaction does not change itself.
        await unitOfWork((tables) => insertRun(tables, run, steps, singleton), {
          isolation: singleton ? 'serializable' : 'read_committed',
        });
      } catch (error) {
        const failure = translatePrismaError(error);
        if (failure?.kind === 'unique' && failure.constraint === 'dag_run_dag_name_dag_run_id_key') {
          throw dagRunExists(run.dagRunId);
        }
        throw error;
      }
    },
  };
}

function readsOf(
  db: Tables,
): Pick<
  DagRunRepository,
  'hasActive' | 'find' | 'findLatest' | 'findById' | 'stepsOf' | 'outputsOf' | 'latestOf' | 'scan'
> {
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
    stepsOf: async (id) =>
      (
        await db.dagRunStep.findMany({ where: { runId: id }, orderBy: { position: 'asc' }, omit: { outputs: true } })
      ).map(stepFromRow),
    outputsOf: async (id) => {
      const rows = await db.dagRunStep.findMany({
        where: { runId: id },
        select: { position: true, outputs: true },
      });
      const published = rows.filter(({ outputs }) => outputs !== null);
      return new Map(published.map(({ position, outputs }) => [position, outputsFromRow(outputs)]));
    },
    latestOf: async (dagNames) => {
      if (dagNames.length === 0) return new Map();
      const heads = await db.dagHead.findMany({
        where: { dagName: { in: [...dagNames] } },
        select: { dagName: true, latestRun: { select: summaryColumns } },
      });
      return new Map(heads.map(({ dagName, latestRun }) => [dagName, summaryFromRow(latestRun)]));
    },
    scan: (scan) => scanRuns(db, scan),
  };
}

function runnerReadsOf(db: Tables): Pick<DagRunRepository, 'listQueued' | 'listRunningNotOwnedBy'> {
  return {
    listQueued: async (limit) => {
      const rows = await db.dagRun.findMany({
        where: { status: queued },
        orderBy: [{ createdAt: 'asc' }, { dagName: 'asc' }, { id: 'asc' }],
        take: limit,
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    },
    listRunningNotOwnedBy: async (ownerIds) =>
      (
        await db.dagRun.findMany({
          where: { status: running, OR: [{ ownerId: null }, { ownerId: { notIn: [...ownerIds] } }] },
          orderBy: [{ createdAt: 'asc' }, { dagName: 'asc' }, { id: 'asc' }],
          select: summaryColumns,
        })
      ).map(summaryFromRow),
  };
}

type RunnerChanges = 'claim' | 'record' | 'storeParams' | 'adopt' | 'settleOrphan';

function runnerChangesOf({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): Pick<DagRunRepository, RunnerChanges> {
  return {
    claim: async (id, ownerId, at) => {
      const { count } = await db.dagRun.updateMany({
        where: { id, status: queued },
        data: { status: running, ownerId, startedAt: at, stopRequestedAt: null, rowVersion: { increment: 1 } },
      });
      return count > 0;
    },
    record: (id, ownerId, changes, end) => {
      const groups = groupPatches(changes);
      const [only] = groups;
      // One statement is as atomic as a transaction and costs a fraction of it, and most changes come alone.
      if (end === undefined && groups.length === 1 && only !== undefined) return patchOwned(db, id, ownerId, only);
      return unitOfWork(async (tables) => {
        const { count } = await tables.dagRun.updateMany({
          where: { id, ownerId, status: running },
          data: { ...end, rowVersion: { increment: 1 } },
        });
        if (count > 0) await patchSteps(tables, id, groups);
        return count > 0;
      });
    },
    storeParams: async (id, ownerId, params) => {
      const { count } = await db.dagRun.updateMany({
        where: { id, ownerId, status: running },
        data: { paramsResolved: paramsToRow(params), rowVersion: { increment: 1 } },
      });
      return count > 0;
    },
    adopt: async (id, from, to) => {
      const { count } = await db.dagRun.updateMany({
        where: { id, ownerId: from, status: running },
        data: { ownerId: to, rowVersion: { increment: 1 } },
      });
      return count > 0;
    },
    settleOrphan: (id, ownerId, { at, error, notStartedError }) =>
      unitOfWork(async (tables) => {
        if (await abortAsked(tables, id, ownerId, { at, error: notStartedError })) return true;
        const { count } = await tables.dagRun.updateMany({
          where: { id, ownerId, status: running },
          data: { status: 'failed', finishedAt: at, error, rowVersion: { increment: 1 } },
        });
        if (count === 0) return false;
        await tables.dagRunStep.updateMany({
          where: { runId: id, status: { in: underWay } },
          data: { status: 'failed', finishedAt: at, error },
        });
        await tables.dagRunStep.updateMany({
          where: { runId: id, status: { in: unstarted } },
          data: { status: 'aborted', finishedAt: at, error: notStartedError },
        });
        return true;
      }),
  };
}

async function hasActive({ dagRun }: Pick<Tables, 'dagRun'>, dagName: string): Promise<boolean> {
  const row = await dagRun.findFirst({ where: { dagName, status: { in: active } }, select: { id: true } });
  return row !== null;
}

async function insertRun(tables: Tables, run: DagRun, steps: readonly DagRunStep[], singleton: boolean): Promise<void> {
  if (singleton && (await hasActive(tables, run.dagName))) throw dagRunActive(run.dagName);
  await tables.dagRun.create({ data: runToRow(run), select: { id: true } });
  for (const chunk of chunksOf(steps)) {
    await tables.dagRunStep.createMany({ data: chunk.map((step) => ({ ...step, runId: run.id })) });
  }
  await moveHead(tables, run);
}

/** Last of all, because whoever inserts another run of the DAG waits from here on. */
async function moveHead({ dagHead }: Pick<Tables, 'dagHead'>, { id, dagName, createdAt }: DagRun): Promise<void> {
  const where = { dagName };
  // Changes nothing about a head that is there, and locks it: what is read afterwards stays.
  const head = await dagHead.upsert({ where, create: { dagName, latestRunId: id }, update: { dagName } });
  if (head.latestRunId === id) return;
  await dagHead.updateMany({
    where: { dagName, latestRun: { createdAt: { lte: createdAt } } },
    data: { latestRunId: id },
  });
}

interface PatchGroup {
  readonly data: Omit<StepPatch, 'position'>;
  readonly positions: readonly number[];
}

/** Many steps end in the same way at the same moment when a run is stopped; those go in one statement. */
function groupPatches(patches: readonly StepPatch[]): readonly PatchGroup[] {
  const groups = new Map<string, PatchGroup & { readonly positions: number[] }>();
  for (const { position, ...data } of patches) {
    const key = JSON.stringify(data);
    const group = groups.get(key) ?? { data, positions: [] };
    group.positions.push(position);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ data, positions }) =>
    chunksOf(positions).map((chunk) => ({ data, positions: chunk })),
  );
}

async function patchSteps(tables: Tables, runId: string, groups: readonly PatchGroup[]): Promise<void> {
  for (const { data, positions } of groups) {
    await tables.dagRunStep.updateMany({
      where: { runId, position: { in: [...positions] } },
      data: patchToRow(data),
    });
  }
}

async function patchOwned(tables: Tables, runId: string, ownerId: string, { data, positions }: PatchGroup) {
  const { count } = await tables.dagRunStep.updateMany({
    where: { runId, position: { in: [...positions] }, run: { ownerId, status: running } },
    data: patchToRow(data),
  });
  return count > 0;
}

function patchToRow({ outputs, ...data }: PatchGroup['data']) {
  return outputs === undefined ? data : { ...data, outputs: outputsToRow(outputs) };
}

function chunksOf<T>(items: readonly T[]): readonly T[][] {
  const count = Math.ceil(items.length / rowsPerStatement);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  );
}
