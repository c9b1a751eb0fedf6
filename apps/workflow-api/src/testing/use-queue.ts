import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import type { DagRun } from '@weir/workflow-engine/model';
import { unaudited } from '../access/audited-operation';
import { createDatabaseStores } from './run-harness';
import { createTestStores, type StoreKind, type TestStoreSource } from './test-stores';
import { aWorker } from './worker-builders';
import { createInMemoryRunStore } from '../features/queue/in-memory-queue-driver';
import type { DagRunRepository } from '../features/runs';
import { createPrismaWorkerRepository } from '../features/worker';
import type { ClaimRequest, QueueClaim, QueueDriver } from '../features/queue/store/queue-driver';

export interface QueueFixture {
  readonly queue: QueueDriver<never>;
  readonly runs: DagRunRepository;
  /** Stores a heartbeat. */
  readonly beat: (owner: string) => Promise<void>;
  /** Lets the lease expire. */
  readonly silence: (owner: string) => Promise<void>;
}

interface QueueOptions {
  /** Default: the limit of the driver. */
  readonly maxFailures?: number;
}

const start = Date.UTC(2026, 0, 2, 3, 0, 0);
/** Returns the time this many minutes after the specs begin. */
export const minutes = (count: number): Date => new Date(start + count * 60_000);
export const later = minutes(1_000);

/** Provides a new queue for each spec, with the live owners "one", "two" and "three". */
export function useQueue(kind: StoreKind, options: QueueOptions = {}) {
  let stores: TestStoreSource;
  let fixture: QueueFixture;
  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());
  beforeEach(async () => {
    fixture = await openQueue(kind, stores, options);
    for (const owner of ['one', 'two', 'three']) await fixture.beat(owner);
  });

  const claim = (request: Partial<ClaimRequest> = {}): Promise<QueueClaim | undefined> =>
    fixture.queue.claim({ owner: 'one', labels: {}, at: later, from: 'queue', ...request });
  return {
    fixture: (): QueueFixture => fixture,
    /** Queues a run. */
    add: (id: string, values: Partial<DagRun> = {}, isUnlimited = false) =>
      fixture.runs.insert(aRun({ id, dagName: 'nightly', queuedAt: minutes(0), ...values }), [aRunStep()], {
        audit: unaudited,
        singleton: false,
        isUnlimited,
      }),
    claim,
    /** Claims runs until none is left, and returns their ids. */
    claimAll: async (request: Partial<ClaimRequest> = {}): Promise<readonly string[]> => {
      const found: string[] = [];
      for (let next = await claim(request); next !== undefined; next = await claim(request)) found.push(next.runId);
      return found;
    },
  };
}

async function openQueue(kind: StoreKind, stores: TestStoreSource, options: QueueOptions): Promise<QueueFixture> {
  const alive = new Set<string>();
  const inProcess = {
    beat: (owner: string) => Promise.resolve(void alive.add(owner)),
    silence: (owner: string) => Promise.resolve(void alive.delete(owner)),
  };
  const liveness = { isAlive: (owner: string) => alive.has(owner), ...options };
  if (kind === 'memory') return { ...inProcess, ...createInMemoryRunStore(liveness) };
  const database = await stores.openDatabase();
  if (database.provider === 'sqlite') return { ...inProcess, ...createDatabaseStores(database, liveness) };
  const workers = createPrismaWorkerRepository(database);
  return {
    ...createDatabaseStores(database, options),
    beat: (id) => workers.beat({ ...aWorker({ id }), claims: true }),
    silence: async (id) => {
      const heartbeatAt = new Date(Date.now() - 60_000);
      await database.db.runner.update({ where: { id }, data: { heartbeatAt } });
    },
  };
}
