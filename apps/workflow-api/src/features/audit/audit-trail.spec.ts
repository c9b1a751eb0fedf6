import { Readable } from 'node:stream';
import { AppError } from '@weir/foundation';
import { PassedAnswer, recordCall } from '@weir/service-kit';
import { createRecordingLogger } from '@weir/test-kit';
import type { Database, DbTransaction } from '@weir/workflow-db';
import { workflowContract } from '@weir/workflow-contract';
import { aRun } from '@weir/workflow-engine/testing';
import { systemRandom } from '../../adapters/random-source';
import type { AuditedOperation, RecordChange } from '../../access/audited-operation';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores';
import { createPrismaDagRunRepository } from '../runs/store/prisma-dag-run-repository';
import { createAuditTrail, createPrismaAuditLogRepository, type AuditLogRepository, type AuditTrail } from './index';

const at = new Date('2026-01-02T03:04:05.006Z');

describe.each(databaseKinds)('the entry of a call in %s', (kind) => {
  let stores: TestStoreSource;
  let database: Database;
  let log: AuditLogRepository;
  let trail: AuditTrail;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  }, 60_000);
  beforeEach(async () => {
    database = await stores.openDatabase();
    log = createPrismaAuditLogRepository(database);
    let calls = 0;
    trail = createAuditTrail({
      auditLog: log,
      auditRetentionMs: undefined,
      // Entries are put into the chain in the order of their times.
      clock: { now: () => new Date(at.getTime() + (calls += 1)) },
      timer: { start: () => () => undefined },
      random: systemRandom,
      logger: createRecordingLogger(),
    });
  }, 60_000);
  afterAll(() => stores.remove());

  const call = (work: (audit: AuditedOperation) => Promise<unknown>, endpoint = workflowContract.pauseQueue) =>
    recordCall(
      trail.openRecord({
        endpoint,
        requestId: 'request-1',
        clientAddress: '10.0.0.1',
        input: { params: { name: 'q' }, query: undefined, body: undefined },
      }),
      ({ audit }) => work(audit),
    );
  const pause =
    (name: string, failure?: Error) =>
    async ({ queuePause }: DbTransaction, record: RecordChange): Promise<void> => {
      await queuePause.create({ data: { name, pausedAt: at, pausedBy: 'ada' } });
      await record({ after: { name } });
      if (failure !== undefined) throw failure;
    };
  const listPaused = async () => (await database.db.queuePause.findMany()).map(({ name }) => name).toSorted();
  /** What the entries say of changes. */
  const listEntries = async () => {
    await trail.seal();
    return (await log.listAfter(0, 10)).map(
      ({ details }) => (JSON.parse(details) as { readonly after?: object }).after,
    );
  };

  it('is committed with the change, and not at all when the transaction fails', async () => {
    await call((audit) => audit.inTransaction(database.unitOfWork, pause('stored')));
    const failing = call((audit) => audit.inTransaction(database.unitOfWork, pause('failed', new Error('no'))));

    await expect(failing).rejects.toThrow('no');
    await expect(listPaused()).resolves.toEqual(['stored']);
    await expect(listEntries()).resolves.toEqual([{ name: 'stored' }]);
  });

  it('is there once the transaction has committed, whatever becomes of the call', async () => {
    const failing = call(async (audit) => {
      await audit.inTransaction(database.unitOfWork, pause('stored'));
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    await expect(listEntries()).resolves.toEqual([{ name: 'stored' }]);
  });

  it('says nothing of a change that was rolled back in a call that succeeds', async () => {
    await call(async (audit) => {
      await audit.inTransaction(database.unitOfWork, pause('failed', new Error('no'))).catch(() => undefined);
    });

    await expect(listEntries()).resolves.toEqual([undefined]);
  });

  it('is one entry when the transaction is attempted again', async () => {
    const twice: Database['unitOfWork'] = async (work, options) => {
      const failure = new Error('conflict');
      const first = database.unitOfWork(async (transaction) => {
        await work(transaction);
        throw failure;
      }, options);
      await expect(first).rejects.toBe(failure);
      return database.unitOfWork(work, options);
    };
    await call((audit) => audit.inTransaction(twice, pause('stored')));

    await expect(listPaused()).resolves.toEqual(['stored']);
    await expect(listEntries()).resolves.toEqual([{ name: 'stored' }]);
  });

  it('is about the first of several changes, and of none that follows the answer', async () => {
    let used: AuditedOperation | undefined;
    await call(async (audit) => {
      used = audit;
      await audit.inTransaction(database.unitOfWork, pause('first'));
      await audit.inTransaction(database.unitOfWork, pause('second'));
      await audit.record({ after: { name: 'third' } });
    });
    await used?.inTransaction(database.unitOfWork, pause('later'));
    await used?.record({ after: { name: 'last' } });

    await expect(listPaused()).resolves.toEqual(['first', 'later', 'second']);
    await expect(listEntries()).resolves.toEqual([{ name: 'first' }]);
  });

  it('is stored before the answer without a transaction, and without a change that was told', async () => {
    await call(async (audit) => {
      await audit.record({ after: { name: 'told' } });
      await expect(listEntries()).resolves.toEqual([{ name: 'told' }]);
    });
    await call(() => Promise.resolve());

    await expect(listEntries()).resolves.toEqual([{ name: 'told' }, undefined]);
  });

  it('is missing for what another node refused, for a refusal, and for an operation that changes nothing', async () => {
    const refused = new PassedAnswer(409, {}, Readable.from([]));
    await call(() => Promise.resolve(refused));
    await expect(call(() => Promise.reject(new AppError('conflict', 'No.')))).rejects.toThrow('No.');
    await recordCall(
      trail.openRecord({ endpoint: workflowContract.listWorkspaces, requestId: 'request-1', clientAddress: '' }),
      ({ audit }) => audit.record({ after: { name: 'read' } }),
    );

    await expect(listEntries()).resolves.toEqual([]);
  });

  it('is committed with a new run and with what happens to it', async () => {
    const runs = createPrismaDagRunRepository(database);
    const run = aRun({ status: 'queued', startedAt: null, finishedAt: null });
    await call((audit) => runs.insert(run, [], { audit, singleton: false }));
    const again = call((audit) => runs.insert({ ...run, id: 'other' }, [], { audit, singleton: false }));
    await expect(again).rejects.toMatchObject({ reason: 'dag_run_exists' });
    await call((audit) => runs.commit(run.id, { kind: 'dequeue_requested', at, error: 'stopped' }, { audit }));

    await expect(listEntries()).resolves.toEqual([
      expect.objectContaining({ dagRunId: run.dagRunId, status: 'queued' }),
      { event: 'dequeue_requested', status: 'aborted' },
    ]);
  });
});
