import type { DagRun, DagRunStep } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../access/audited-operation';
import { createInMemoryRunStore } from '../features/queue/in-memory-queue-driver';
import type { DagRunRepository } from '../features/runs';
import type { QueueDriver } from '../features/queue/store';
import { createDatabaseStores } from './run-harness';
import { createTestStores, type StoreKind, type TestStoreSource } from './test-stores';

/** The empty repository of the present case. */
export interface RunRepositoryInUse {
  readonly runs: DagRunRepository;
  readonly queue: Pick<QueueDriver<never>, 'claim'>;
  readonly add: (values?: Partial<DagRun>, steps?: readonly DagRunStep[]) => Promise<unknown>;
}

/** Gives each case of the block a repository of its own. */
export function useRunRepository(kind: StoreKind): RunRepositoryInUse {
  let stores: TestStoreSource;
  let current: Pick<RunRepositoryInUse, 'runs' | 'queue'>;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    current = kind === 'memory' ? createInMemoryRunStore() : createDatabaseStores(await stores.openDatabase());
  });
  afterAll(() => stores.remove());

  return {
    get runs() {
      return current.runs;
    },
    get queue() {
      return current.queue;
    },
    add: (values = {}, steps = [aRunStep()]) =>
      current.runs.insert(aRun(values), steps, { audit: unaudited, singleton: false }),
  };
}
