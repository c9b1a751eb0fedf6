import { isActiveRun, runStatuses, type DagRun, type DagRunStep } from '@weir/workflow-engine';
import { translatePrismaError, type Database, type DbTransaction } from '@weir/workflow-db';
import { createPrismaQueueDriver, type QueueDriver } from '../../queue';
import { dagRunActive, dagRunExists } from '../dag-run-errors';
import type { DagRunRepository, InsertOptions } from './dag-run-repository';
import { newStepToRow, runFromRow, runToRow, stepFromRow, summaryColumns, summaryFromRow } from './dag-run-rows';
import { ownerChangesOf } from './prisma-run-changes';
import { runControlsOf } from './prisma-run-controls';
import { runResumesOf } from './prisma-run-resume';
import { listRetryDue, scanRuns } from './prisma-run-scan';
import { insertSteps } from './prisma-run-steps';
import { toQueueItem } from './queue-item';
import { createRunRestListeners } from '../run-rest-listeners';
import type { RunUnit } from './run-unit';
import { memoFromRow } from './step-memo-row';
import { outputsFromRow } from './step-outputs-row';

const active = runStatuses.filter(isActiveRun);
// Only the text of the status is stored, so the ones that mean something to a query are named once, here.
const running = 'running';
const queued = 'queued';

type Tables = Pick<DbTransaction, 'dagRun' | 'dagRunStep' | 'dagHead' | '$queryRaw'>;

export function createPrismaDagRunRepository(
  database: Database,
  queue: QueueDriver<DbTransaction> = createPrismaQueueDriver(database),
): DagRunRepository {
  const { db, unitOfWork, provider } = database;
  const { subscribe, notify } = createRunRestListeners();
  return {
    subscribe,
    ...readsOf(db),
    ...stepReadsOf(db),
    ...ownerChangesOf({ db, unitOfWork, provider }, queue, notify),
    ...runResumesOf({ unitOfWork }, queue),
    ...runControlsOf({ db, unitOfWork }, queue, notify),
    insert: async (run, steps, options) => {
      try {
        // Only the rule of singletons is about rows that the transaction does not change itself.
        await unitOfWork((tables) => insertRun({ tables, queue }, { run, steps, ...options }), {
          isolation: options.singleton ? 'serializable' : 'read_committed',
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

type Reads =
  | 'hasActive'
  | 'find'
  | 'findLatest'
  | 'findById'
  | 'listChildren'
  | 'findLatestWorkspace'
  | 'listLatest'
  | 'scan'
  | 'listRetryDue';

function readsOf(db: Tables): Pick<DagRunRepository, Reads> {
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
      // Asked at every start: one statement, where Prisma would send two.
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
    scan: (scan) => scanRuns(db, scan),
    listRetryDue: (due) => listRetryDue(db, due),
  };
}

type StepReads = 'listSteps' | 'listAllSteps' | 'readOutputs' | 'readMemos';

function stepReadsOf({ dagRunStep }: Tables): Pick<DagRunRepository, StepReads> {
  const orderBy = { position: 'asc' } as const;
  const omit = { outputs: true, memo: true } as const;
  return {
    listSteps: async (runId, scope = '') =>
      (await dagRunStep.findMany({ where: { runId, scope }, orderBy, omit })).map(stepFromRow),
    listAllSteps: async (runId) => {
      const rows = await dagRunStep.findMany({ where: { runId }, orderBy, omit });
      return rows.map(stepFromRow).toSorted(compareScopes);
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
      const kept = rows.filter(({ memo }) => memo !== null);
      return new Map(kept.map(({ position, memo }) => [position, memoFromRow(memo)]));
    },
  };
}

/** Here, because databases do not agree on the order of texts. Steps of one scope stay in theirs. */
function compareScopes(left: DagRunStep, right: DagRunStep): number {
  if (left.scope === right.scope) return 0;
  return left.scope < right.scope ? -1 : 1;
}

async function hasActive({ dagRun }: Pick<Tables, 'dagRun'>, dagName: string): Promise<boolean> {
  const where = { depth: 0, dagName, status: { in: active } };
  // Asking for what its index holds makes SQLite choose that one, and not the index that leads to every active run.
  return (await dagRun.findFirst({ where, select: { status: true } })) !== null;
}

// Prisma keeps what it made of a statement for a run with its steps, but not of one for many steps alone.
const stepsWithRun = 20;

interface NewRun extends InsertOptions {
  readonly run: DagRun;
  readonly steps: readonly DagRunStep[];
}

async function insertRun({ tables, queue }: RunUnit, { run, steps, singleton, isUnlimited }: NewRun): Promise<void> {
  if (singleton && (await hasActive(tables, run.dagName))) throw dagRunActive(run.dagName);
  const first = steps.slice(0, stepsWithRun);
  await tables.dagRun.create({
    data: { ...runToRow(run), steps: { createMany: { data: first.map(newStepToRow) } } },
    select: { id: true },
  });
  await insertSteps(tables, run.id, steps.slice(stepsWithRun));
  if (holdsPlace(run)) await queue.enqueue(tables, toQueueItem(run, run.queuedAt ?? run.createdAt, isUnlimited));
  if (run.depth === 0) await moveHead(tables, run);
}

function holdsPlace({ status }: DagRun): boolean {
  return status === queued || status === running;
}

/** Last of all, because whoever inserts another run of the DAG waits from here on. */
async function moveHead({ dagHead }: Pick<Tables, 'dagHead'>, { id, dagName, createdAt }: DagRun): Promise<void> {
  const data = { latestRunId: id };
  const isOlder = { dagName, latestRun: { createdAt: { lte: createdAt } } };
  // That is all for nearly every run; on PostgreSQL not when somebody else moves it at this moment.
  if ((await dagHead.updateMany({ where: isOlder, data })).count > 0) return;
  const where = { dagName };
  // Changes nothing about a head that is there, and locks it: what is read afterwards stays.
  const head = await dagHead.upsert({ where, create: { dagName, latestRunId: id }, update: { dagName } });
  if (head.latestRunId === id) return;
  await dagHead.updateMany({ where: isOlder, data });
}
