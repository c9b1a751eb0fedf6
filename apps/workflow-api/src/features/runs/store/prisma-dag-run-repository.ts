import { translatePrismaError, type Database, type DbTransaction } from '@weir/workflow-db';
import type { DagRun } from '@weir/workflow-engine/model';
import type { AuditedChange } from '../../../access/audited-operation';
import { createOutboxSignal } from '../../notifications/outbox/outbox-signal';
import { createStepSubscriptions } from '../../notifications/outbox/step-subscriptions';
import { createPrismaQueueDriver, runsChannel, type QueueDriver } from '../../queue/store';
import { createPrismaAcceptedFiles } from './accepted-files';
import { dagRunExists, fileAccepted } from './dag-run-errors';
import { createRunWaitListeners } from './run-wait-listeners';
import { createListeners, type Listeners } from '../../../adapters/listeners';
import type { RunChange } from '../../../adapters/run-changes';
import { announceNewRun, createRunCommit } from './commit-run';
import type { DagRunRepository } from './dag-run-repository';
import { insertRun } from './prisma-insert-run';
import { removeRun } from './prisma-remove-run';
import { createRunReads, createStepReads } from './prisma-run-reads';
import { createPrismaRunStorage, type OutboxPorts } from './prisma-run-storage';

interface ChangePorts extends OutboxPorts {
  /** Notified of each change after it was stored. */
  readonly runChanges: Pick<Listeners<RunChange>, 'announce'>;
}

export function createPrismaDagRunRepository(
  database: Database,
  queue: QueueDriver<DbTransaction> = createPrismaQueueDriver(database),
  {
    outboxSignal = createOutboxSignal(),
    stepSubscriptions = createStepSubscriptions(),
    runChanges: { announce } = createListeners(),
  }: Partial<ChangePorts> = {},
): DagRunRepository {
  const { db, unitOfWork, provider } = database;
  const { subscribe, notify, notifyAll } = createRunWaitListeners();
  const storage = createPrismaRunStorage(database, queue, { outboxSignal, stepSubscriptions });
  return {
    subscribe,
    watch: (onEnded) =>
      database.listen(runsChannel, (runId) => {
        if (runId === undefined) notifyAll();
        else notify(runId);
        onEnded();
      }),
    ...createRunReads(database),
    ...createStepReads(db),
    acceptedFiles: createPrismaAcceptedFiles(db),
    commit: createRunCommit({ ...storage, notifyWaiters: notify }, announce),
    insert: async (run, steps, { audit, ...options }) => {
      try {
        await audit.inTransaction(
          unitOfWork,
          async (tables, record) => {
            // Only the rule of singletons concerns rows that the transaction does not change itself.
            if (options.singleton && provider === 'postgresql') await lockDag(tables, run.dagName);
            await insertRun(tables, queue, { run, steps, ...options });
            await record(describeRun(run));
          },
          { isolation: 'read_committed' },
        );
      } catch (error) {
        const failure = translatePrismaError(error);
        if (failure?.kind === 'unique' && failure.constraint === 'dag_run_dag_name_dag_run_id_key') {
          throw dagRunExists(run.dagRunId);
        }
        if (failure?.kind === 'unique' && failure.constraint === 'AcceptedFile_pkey') throw fileAccepted();
        throw error;
      }
      announceNewRun(run, announce);
    },
    remove: async (id) => {
      const isRemoved = await unitOfWork((tables) => removeRun(tables, id));
      if (isRemoved) {
        notify(id);
        announce({ runId: id });
      }
      return isRemoved;
    },
  };
}

function describeRun({ dagName, dagRunId, workspace, status, triggerType }: DagRun): AuditedChange {
  return {
    resourceId: `${dagName}/${dagRunId}`,
    workspace: workspace ?? undefined,
    after: { dagName, dagRunId, status, triggerType },
  };
}

// The number must differ from those of other advisory locks.
const lockSpace = 7_274_832;

/** Prevents inserts of other singletons of the DAG until the end of the transaction. */
async function lockDag(tables: DbTransaction, dagName: string): Promise<void> {
  await tables.$queryRaw`SELECT 1 AS "held" FROM pg_advisory_xact_lock(${lockSpace}::int, hashtext(${dagName}))`;
}
