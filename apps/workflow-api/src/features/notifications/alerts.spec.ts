import { createManualClock } from '@weir/test-kit';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import { unaudited } from '../../access/audited-operation';
import { systemRandom } from '../../adapters/random-source';
import { aSubscription } from '../../testing/a-subscription';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';
import { createPrismaDagRunRepository } from '../runs';
import { createPrismaDagFlagRepository } from '../dags';
import { createPrismaSchedulerStateRepository } from '../scheduler';
import { createOutboxSignal } from './outbox/outbox-signal';
import { createPrismaNotificationRepository } from './prisma-notification-repository';
import { raiseAlerts } from './raise-alerts';
import { successSubject, type NotificationRepository } from './subscription';
import { createTellSkipped } from './tell-skipped';

const noon = new Date('2026-06-01T12:00:00Z');
const later = (minutes: number): Date => new Date(noon.getTime() + minutes * 60_000);

/** What a run that lasts from and until these minutes after noon is known by. */
const aRun = (id: string, fields: Partial<DagRunSummary>): DagRunSummary =>
  ({
    id,
    dagName: 'job',
    dagRunId: id,
    workspace: null,
    status: 'running',
    attempt: 1,
    queuedAt: null,
    startedAt: noon,
    createdAt: noon,
    finishedAt: null,
    ...fields,
  }) as DagRunSummary;

describe.each(databaseKinds)('alerts on %s', (kind) => {
  let source: TestStoreSource;
  let notifications: NotificationRepository;
  let database: Awaited<ReturnType<TestStoreSource['openDatabase']>>;

  beforeAll(async () => {
    source = await createTestStores(kind);
    database = await source.openDatabase();
    notifications = createPrismaNotificationRepository(database);
  }, 60_000);
  afterAll(() => source.remove());

  let queued: readonly DagRunSummary[] = [];
  let held = 0;
  const tellAll = async (minutes: number, active: readonly DagRunSummary[], earlier: readonly DagRunSummary[] = []) => {
    const ports = {
      notifications,
      random: systemRandom,
      publicUrl: 'https://weir.example.com',
      clock: { now: () => later(minutes) },
      runs: {
        scan: () => Promise.resolve(active),
        listRecent: () => Promise.resolve(new Map([['job', earlier]])),
        listSummaries: ([id = '']: readonly string[]) =>
          Promise.resolve(new Map(queued.filter((run) => run.id === id).map((run) => [id, run]))),
      },
      queue: {
        // Four runs of another workspace wait, too.
        listQueues: ({ named }: { readonly named: 'all' | readonly string[] }) =>
          Promise.resolve([{ name: 'nightly', waiting: queued.length + (named === 'all' ? 4 : 0), claimed: held }]),
        listWaiting: () =>
          Promise.resolve(
            queued.map(({ id: runId, createdAt }) => ({
              runId,
              queueName: 'nightly',
              rankAt: createdAt,
              availableAt: createdAt,
              claimedBy: null,
              isUnlimited: false,
              workspace: '',
            })),
          ),
        readPauses: () => Promise.resolve(new Map()),
      },
    };
    const subscriptions = await notifications.list();
    await Promise.all([1, 2, 3].map(() => raiseAlerts(ports, subscriptions)));
  };
  const toldOf = async (id: string) =>
    (await notifications.listDeliveries(id, 100)).map(
      ({ payload }) => (JSON.parse(payload) as { data: Record<string, unknown> }).data,
    );

  it('report a late run once, by its own limit or by the usual duration of its DAG', async () => {
    await notifications.insert(aSubscription({ id: 'limit', events: ['run.late'], lateAfterSeconds: 60 }), unaudited);
    await notifications.insert(aSubscription({ id: 'usual', events: ['run.late'] }), unaudited);
    const running = aRun('slow', {});
    const success = { status: 'succeeded', finishedAt: later(10) } as const;
    const earlier = [aRun('a', success), aRun('b', success), aRun('c', { ...success, finishedAt: later(1) })];

    await tellAll(0.5, [running], earlier);
    expect(await toldOf('limit')).toEqual([]);
    await tellAll(2, [running], earlier);
    await tellAll(19, [running], earlier);
    expect(await toldOf('limit')).toMatchObject([
      { dagRunId: 'slow', expectedSeconds: 60, link: 'https://weir.example.com/dag-runs/job/slow' },
    ]);
    expect(await toldOf('usual')).toEqual([]);
    await tellAll(20, [running], earlier);
    await tellAll(200, [running], earlier);
    expect(await toldOf('usual')).toMatchObject([{ dagRunId: 'slow', expectedSeconds: 1200 }]);
    expect(await toldOf('limit')).toHaveLength(1);

    await tellAll(300, [running, aRun('slow', { attempt: 2, startedAt: later(290) })], earlier.slice(1));
    expect(await toldOf('limit')).toHaveLength(2);
    expect(await toldOf('usual')).toHaveLength(1);
    await tellAll(500, []);
    expect(await notifications.findMark('limit', 'late:slow:1')).toBeUndefined();
  });

  it('report a queue in which runs wait and none is executed, once for each time', async () => {
    await notifications.insert(aSubscription({ id: 'blocked', events: ['queue.blocked'] }), unaudited);
    await notifications.insert(
      aSubscription({ id: 'soon', events: ['queue.blocked'], blockedAfterSeconds: 60, workspace: 'ops' }),
      unaudited,
    );
    const waitsSince = (minutes: number) =>
      aRun(`w${minutes}`, { queuedAt: later(minutes), createdAt: later(minutes) });
    queued = [waitsSince(0)];
    held = 1;
    await tellAll(60, []);
    expect(await toldOf('blocked')).toEqual([]);

    held = 0;
    await tellAll(9, []);
    expect(await toldOf('blocked')).toEqual([]);
    expect(await toldOf('soon')).toMatchObject([{ queue: 'nightly', workspace: 'ops', waiting: 1 }]);
    await tellAll(10, []);
    await tellAll(30, []);
    expect(await toldOf('blocked')).toMatchObject([
      { queue: 'nightly', waiting: 5, reason: 'no_worker', since: noon.toISOString() },
    ]);

    queued = [waitsSince(40)];
    await tellAll(50, []);
    expect(await toldOf('blocked')).toHaveLength(2);
    queued = [];
  });

  it('report a DAG without a success once for each quiet period', async () => {
    const watched = { dagName: 'job', staleAfterSeconds: 600, events: ['dag.stale'] as const };
    await notifications.insert(aSubscription({ id: 'quiet', createdAt: noon, ...watched }), unaudited);
    await tellAll(9, []);
    expect(await toldOf('quiet')).toEqual([]);
    await tellAll(10, []);
    await tellAll(11, []);
    expect(await toldOf('quiet')).toMatchObject([{ dagName: 'job', since: noon.toISOString() }]);
    await notifications.advanceMark({ subscriptionId: 'quiet', subject: successSubject('job'), at: later(12) });
    await tellAll(21, []);
    expect(await toldOf('quiet')).toHaveLength(1);
    await tellAll(22, []);
    await tellAll(30, []);
    expect(await toldOf('quiet')).toHaveLength(2);
  });

  it('report each skipped occurrence once, with any number of schedulers', async () => {
    await notifications.insert(aSubscription({ id: 'skips', events: ['schedule.skipped'] }), unaudited);
    let minute = 0;
    const tell = createTellSkipped({
      notifications,
      outboxSignal: createOutboxSignal(),
      random: systemRandom,
      clock: { now: () => later((minute += 1)) },
    });
    const skipped = { dagName: 'job', workspace: null, reason: 'missed' } as const;
    await Promise.all([1, 2, 3].map(() => tell(skipped, [later(1), later(2)])));
    expect(await toldOf('skips')).toMatchObject([{ reason: 'missed', count: 2, last: later(2).toISOString() }]);
    await tell(skipped, [later(1), later(2), later(3)]);
    await tell({ ...skipped, reason: 'successful' }, [later(4)]);
    expect(await toldOf('skips')).toMatchObject([
      { count: 1, first: later(3).toISOString(), last: later(3).toISOString() },
      { count: 2 },
    ]);
  });

  it('are stored by schedulers before an occurrence counts as settled', async () => {
    await notifications.insert(
      aSubscription({ id: 'schedule', events: ['schedule.skipped'], dagName: 'every-minute' }),
      unaudited,
    );
    const clock = createManualClock('2026-06-01T12:00:30Z');
    const schedulerState = createPrismaSchedulerStateRepository(database);
    let failures = 0;
    const failing: NotificationRepository = {
      ...notifications,
      list: async () => {
        failures += 1;
        if (failures === 1) throw new Error('not now');
        return notifications.list();
      },
    };
    const stores = {
      runs: createPrismaDagRunRepository(database),
      flags: createPrismaDagFlagRepository(database),
      schedulerState,
      notifications: failing,
    };
    const open = async (): Promise<TestWorkflow> => {
      const test = await createTestWorkflow({ clock, platform: stores, config: { timeZone: 'UTC' } });
      await test.application.scheduler.prepare();
      await test.addDag('every-minute', 'schedule: "* * * * *"\nsteps:\n  - run: "true"\n');
      return test;
    };
    const opened = [await open(), await open()];
    const tickAll = () => Promise.all(opened.map(({ application }) => application.scheduler.tick()));
    await tickAll();
    clock.set('2026-06-01T12:01:00Z');
    await tickAll();
    const before = (await toldOf('schedule')).length;
    for (const time of ['12:02:00', '12:03:00']) {
      clock.set(`2026-06-01T${time}Z`);
      await tickAll();
    }
    await Promise.all(opened.map((test) => test.stop()));

    const told = await toldOf('schedule');
    expect(told.map(({ reason, last, count }) => [reason, last, count]).slice(0, told.length - before)).toEqual([
      ['active', '2026-06-01T12:03:00.000Z', 1],
      ['active', '2026-06-01T12:02:00.000Z', 1],
    ]);
    expect(failures).toBeGreaterThan(1);
  }, 60_000);
});
