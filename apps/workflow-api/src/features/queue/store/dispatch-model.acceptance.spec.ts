import type { Database } from '@weir/workflow-db';
import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import { selectorText } from '@weir/workflow-engine/model';
import fc from 'fast-check';
import { unaudited } from '../../../access/audited-operation';
import { createDatabaseStores } from '../../../testing/run-harness';
import { createTestStores, type TestStoreSource } from '../../../testing/test-stores';
import { aWorker } from '../../../testing/worker-builders';
import type { QueueClaim } from './queue-driver';

// The jobs of pg-boss beside our tables, after every step of histories of queueing, claims, kills, expiry and zombies.

const workersOf = ['one', 'two'] as const;
const queues = ['narrow', 'wide'] as const;
const gpu = selectorText({ gpu: 'a100' });
const labels = { gpu: 'a100' };
const minute = 60_000;
const ended = { status: 'succeeded', finishedAt: new Date(0), error: null } as const;

type Worker = (typeof workersOf)[number];
type Action =
  | { readonly kind: 'enqueue'; readonly queue: (typeof queues)[number]; readonly needsGpu: boolean }
  | {
      readonly kind: 'claim' | 'killed claim' | 'take over' | 'die' | 'beat' | 'end' | 'give back';
      readonly by: Worker;
    }
  | { readonly kind: 'dequeue' | 'pause' | 'resume' };

const by = fc.constantFrom(...workersOf);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('enqueue'), queue: fc.constantFrom(...queues), needsGpu: fc.boolean() }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom('claim', 'claim', 'killed claim', 'take over', 'die', 'beat', 'end', 'give back'),
      by,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('dequeue', 'pause', 'resume') }) },
);

describe('the jobs of pg-boss and our tables', () => {
  let stores: TestStoreSource;
  let database: Database;

  beforeAll(async () => {
    stores = await createTestStores('postgresql');
    database = await stores.openDatabase();
  });
  afterAll(() => stores.remove());

  it('never contradict each other: every claimable run has a job, no job is active, and one token is valid at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
        await clear(database);
        const history = createHistory(database);
        await history.begin();
        for (const each of actions) {
          await history.perform(each);
          await assertAgreement(database);
        }
        await history.finish();
      }),
      { numRuns: 12 },
    );
  });
});

function createHistory(database: Database) {
  const { queue, runs, workers } = createDatabaseStores(database);
  /** What each worker believes to own, also after it lost it. */
  const beliefs: { readonly by: Worker; readonly claim: QueueClaim }[] = [];
  const ends = new Map<string, number>();
  let clock = Date.UTC(2026, 0, 2);
  let count = 0;
  const now = () => new Date((clock += minute));
  const beat = (id: Worker) => workers.beat({ ...aWorker({ id, labels }), claims: true });
  const claim = async (owner: Worker, from: 'queue' | 'expired'): Promise<boolean> => {
    const found = await queue.claim({ owner, labels, at: now(), from });
    if (found !== undefined) beliefs.push({ by: owner, claim: found });
    return found !== undefined;
  };
  const end = async (owner: Worker): Promise<boolean> => {
    const index = beliefs.findIndex((belief) => belief.by === owner);
    const [belief] = index < 0 ? [] : beliefs.splice(index, 1);
    if (belief === undefined) return false;
    const { runId, token } = belief.claim;
    if (
      await runs.commit(runId, toOwnerEvent({ ownerId: owner, token }, [{ position: 0, status: 'succeeded' }], ended), {
        audit: unaudited,
      })
    ) {
      ends.set(runId, (ends.get(runId) ?? 0) + 1);
    }
    return true;
  };
  const perform = async (given: Action): Promise<void> => {
    switch (given.kind) {
      case 'enqueue': {
        const id = `run-${(count += 1)}`;
        const selector = given.needsGpu ? { workerSelector: gpu } : {};
        await runs.insert(aRun({ id, queueName: given.queue, queuedAt: now(), ...selector }), [aRunStep()], {
          audit: unaudited,
          singleton: false,
        });
        return;
      }
      case 'claim':
        await claim(given.by, 'queue');
        return;
      case 'killed claim':
        // The connection breaks before the commit: the transaction is as if it had never been.
        await database
          .unitOfWork(
            async (transaction) => {
              await transaction.$queryRaw`SELECT 1 AS "one" FROM pgboss.job WHERE state = 'created' LIMIT 1 FOR UPDATE`;
              throw new Error('killed');
            },
            { isolation: 'read_committed' },
          )
          .catch(() => undefined);
        return;
      case 'take over':
        await claim(given.by, 'expired');
        return;
      case 'die': {
        const heartbeatAt = new Date(Date.now() - minute);
        await database.db.runner.updateMany({ where: { id: given.by }, data: { heartbeatAt } });
        return;
      }
      case 'beat':
        return beat(given.by);
      case 'end':
        await end(given.by);
        return;
      case 'give back': {
        const belief = beliefs.find((one) => one.by === given.by);
        if (belief !== undefined) await queue.fail({ ...belief.claim, owner: belief.by }, now());
        return;
      }
      case 'dequeue':
        await runs.commit(
          `run-${count}`,
          { kind: 'dequeue_requested', at: now(), error: 'unwanted' },
          { audit: unaudited },
        );
        return;
      case 'pause':
        await queue.pause('wide', { pausedAt: now(), pausedBy: 'ada' });
        return;
      case 'resume':
        await queue.resume('wide');
        return;
    }
  };
  return {
    perform,
    begin: async () => {
      await queue.setLimits(new Map([['wide', 2]]));
      for (const id of workersOf) await beat(id);
    },
    /** Nothing is stuck, and nothing has ended twice. */
    finish: async () => {
      await queue.resume('wide');
      for (const id of workersOf) await perform({ kind: 'die', by: id });
      await workers.beat({ ...aWorker({ id: 'last', labels }), claims: true });
      for (;;) {
        const request = { owner: 'last', labels, at: now() };
        const found =
          (await queue.claim({ ...request, from: 'expired' })) ?? (await queue.claim({ ...request, from: 'queue' }));
        if (found === undefined) break;
        const lease = { ownerId: 'last', token: found.token };
        expect(
          await runs.commit(found.runId, toOwnerEvent(lease, [{ position: 0, status: 'succeeded' }], ended), {
            audit: unaudited,
          }),
        ).toBeDefined();
        ends.set(found.runId, (ends.get(found.runId) ?? 0) + 1);
      }
      expect(await database.db.queueItem.count()).toBe(0);
      for (const belief of beliefs) {
        const lease = { ownerId: belief.by, token: belief.claim.token };
        expect(
          await runs.commit(belief.claim.runId, toOwnerEvent(lease, [], ended), { audit: unaudited }),
        ).toBeUndefined();
      }
      expect([...ends.values()].filter((times) => times > 1)).toEqual([]);
    },
  };
}

async function clear({ db }: Database): Promise<void> {
  await db.$executeRaw`TRUNCATE "DagRun", "DagHead", "QueueDispatch", "QueuePause", "Runner", "pgboss"."job" CASCADE`;
}

async function assertAgreement({ db }: Database): Promise<void> {
  const active = await db.$queryRaw`SELECT id::text FROM pgboss.job WHERE state <> 'created'`;
  expect(active).toEqual([]);
  const withoutJob = await db.$queryRaw`
    SELECT t."queueName" FROM "QueueDispatch" t
    WHERE t."jobId" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pgboss.job j WHERE j.id::text = t."jobId")`;
  expect(withoutJob).toEqual([]);
  const unsaid = await db.$queryRaw`
    SELECT i."runId" FROM "QueueItem" i
    LEFT JOIN "QueueDispatch" t ON t."queueName" = i."queueName" AND t."selector" = i."selector"
    WHERE i."claimedBy" IS NULL AND t."jobId" IS NULL
      AND NOT EXISTS (SELECT 1 FROM "QueuePause" p WHERE p."name" = i."queueName")
      AND (SELECT count(*) FROM "QueueItem" h WHERE h."queueName" = i."queueName" AND h."claimedBy" IS NOT NULL)
        < COALESCE((SELECT l."maxConcurrency" FROM "Queue" l WHERE l."name" = i."queueName"), 1)`;
  expect(unsaid).toEqual([]);
  const tooMany = await db.$queryRaw`
    SELECT h."queueName" FROM "QueueItem" h WHERE h."claimedBy" IS NOT NULL GROUP BY h."queueName"
    HAVING count(*) > COALESCE((SELECT l."maxConcurrency" FROM "Queue" l WHERE l."name" = h."queueName"), 1)`;
  expect(tooMany).toEqual([]);
  const otherTokens = await db.$queryRaw`
    SELECT i."runId" FROM "QueueItem" i JOIN "DagRun" r ON r."id" = i."runId"
    WHERE i."claimedBy" IS NOT NULL AND i."token" <> r."fencingToken"`;
  expect(otherTokens).toEqual([]);
}
