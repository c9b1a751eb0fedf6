import type { DbTransaction } from '@weir/workflow-db';
import { runStatus, type DagRun, type DagRunStep } from '@weir/workflow-engine/model';
import type { QueueDriver } from '../../queue/store';
import { dagRunActive } from './dag-run-errors';
import type { InsertOptions } from './dag-run-repository';
import { newStepToRow, runToRow } from './dag-run-rows';
import { hasActive } from './prisma-run-reads';
import { insertSteps } from './prisma-step-rows';
import { toQueueItem } from './queue-item';

type Tables = Pick<DbTransaction, 'dagHead'>;

// Prisma caches a plan for a run with each number of steps; further steps are stored without a plan.
const stepsWithRun = 20;

export interface NewRun extends Omit<InsertOptions, 'audit'> {
  readonly run: DagRun;
  readonly steps: readonly DagRunStep[];
}

export async function insertRun(
  tables: DbTransaction,
  queue: Pick<QueueDriver<DbTransaction>, 'enqueue'>,
  { run, steps, singleton, isUnlimited, outputs, firstAttempt, accepted = [] }: NewRun,
): Promise<void> {
  if (singleton && (await hasActive(tables, run.dagName))) throw dagRunActive(run.dagName);
  const rows = steps.map((step) => newStepToRow(step, step.scope === '' ? outputs?.get(step.position) : undefined));
  await tables.dagRun.create({
    data: { ...runToRow(run), steps: { createMany: { data: rows.slice(0, stepsWithRun) } } },
    select: { id: true },
  });
  if (accepted.length > 0) {
    const { dagName, dagRunId } = run;
    await tables.acceptedFile.createMany({ data: accepted.map((file) => ({ ...file, dagName, dagRunId })) });
  }
  await insertSteps(tables, run.id, rows.slice(stepsWithRun));
  if (firstAttempt !== undefined) {
    await tables.dagRunAttempt.create({ data: { runId: run.id, number: 1, attempt: 1, ...firstAttempt } });
  }
  if (runStatus.isInQueue(run.status))
    await queue.enqueue(tables, toQueueItem(run, run.queuedAt ?? run.createdAt, isUnlimited));
  if (run.depth === 0) await moveHead(tables, run);
}

/** The head is moved last, because other inserts of runs of the DAG wait from here on. */
async function moveHead({ dagHead }: Pick<Tables, 'dagHead'>, { id, dagName, createdAt }: DagRun): Promise<void> {
  const data = { latestRunId: id };
  const isOlder = { dagName, latestRun: { createdAt: { lte: createdAt } } };
  // This is enough for nearly every run, but on PostgreSQL not when another transaction moves the head at this moment.
  if ((await dagHead.updateMany({ where: isOlder, data })).count > 0) return;
  const where = { dagName };
  // Leaves an existing head unchanged but locks it, so that the row read afterwards stays.
  const head = await dagHead.upsert({ where, create: { dagName, latestRunId: id }, update: { dagName } });
  if (head.latestRunId === id) return;
  await dagHead.updateMany({ where: isOlder, data });
}
