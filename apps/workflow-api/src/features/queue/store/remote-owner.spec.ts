import type { Database } from '@weir/workflow-db';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { createDatabaseStores } from '../../../testing/run-harness';
import { createTestStores, storeKinds, type TestStoreSource } from '../../../testing/test-stores';
import { later, minutes } from '../../../testing/use-queue';
import { aWorker } from '../../../testing/worker-builders';
import { createPrismaWorkerRepository } from '../../worker';
import { remoteWorkerPrefix } from './remote-owner';

const remote = `${remoteWorkerPrefix({ id: 'token', name: 'site' })}1`;

describe.each(storeKinds.filter((kind) => kind !== 'memory'))(
  'the lease of a worker without a database, on %s',
  (kind) => {
    let stores: TestStoreSource;
    let database: Database;
    beforeAll(async () => {
      stores = await createTestStores(kind);
      database = await stores.openDatabase();
    });
    afterAll(() => stores.remove());

    /** Nobody but the remote worker has a process on this machine, and it has not either. */
    const open = async () => {
      const { queue, runs } = createDatabaseStores(database, { isAlive: () => false });
      const workers = createPrismaWorkerRepository(database, kind === 'sqlite' ? () => false : undefined);
      await runs.insert(aRun({ id: 'a', dagName: 'nightly', queuedAt: minutes(0) }), [aRunStep()], {
        audit: unaudited,
        singleton: false,
      });
      await workers.beat({ ...aWorker({ id: remote }), claims: true });
      await queue.claim({ owner: remote, labels: {}, at: later, from: 'queue' });
      return {
        workers,
        silence: (forMs: number) =>
          database.db.runner.updateMany({ where: { id: remote }, data: { heartbeatAt: new Date(Date.now() - forMs) } }),
        claimExpired: () => queue.claim({ owner: 'another', labels: {}, at: later, from: 'expired' }),
      };
    };

    it('lasts while a server is restarted, and no longer than a minute', async () => {
      const { workers, silence, claimExpired } = await open();
      await expect(claimExpired()).resolves.toBeUndefined();
      await silence(40_000);
      await expect(claimExpired()).resolves.toBeUndefined();
      await expect(workers.listAlive(60_000)).resolves.toEqual([remote]);

      await silence(70_000);
      await expect(workers.listAlive(60_000)).resolves.toEqual([]);
      await expect(claimExpired()).resolves.toMatchObject({ runId: 'a', token: 2 });
    });
  },
);
