import { AppError } from '@weir/foundation';
import { createManualClock, createRecordingLogger, type ManualClock } from '@weir/test-kit';
import { systemTimer } from '@weir/workflow-engine/model';
import { unaudited } from '../../access/audited-operation';
import { systemRandom } from '../../adapters/random-source';
import { createLocalKey, createSealer } from '../../encryption';
import { aSubscription } from '../../testing/a-subscription';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores';
import { dispatchBatch } from './dispatcher';
import { createOutboxSignal } from './outbox/outbox-signal';
import { createPrismaNotificationRepository } from './prisma-notification-repository';
import { newDelivery, targetSealContext, type OutboxEvent, type Subscription } from './subscription';

const sealer = createSealer(() => Promise.resolve([createLocalKey(Buffer.alloc(32, 1))]));
const minute = 60_000;

interface Mail {
  readonly subject: string;
  readonly text: string;
}

describe.each(databaseKinds)('mails of a subscription on %s', (kind) => {
  let source: TestStoreSource;
  let database: Awaited<ReturnType<TestStoreSource['openDatabase']>>;
  let clock: ManualClock;
  let mails: Mail[];
  let isMailServerDown: boolean;

  beforeAll(async () => {
    source = await createTestStores(kind);
    database = await source.openDatabase();
  });
  beforeEach(async () => {
    await database.db.eventSubscription.deleteMany();
    clock = createManualClock('2026-06-01T12:00:00Z');
    mails = [];
    isMailServerDown = false;
  });
  afterAll(() => source.remove());

  const notifications = () => createPrismaNotificationRepository(database);
  const subscribe = async (fields: Partial<Subscription>): Promise<Subscription> => {
    const subscription = aSubscription({
      kind: 'email',
      events: ['run.failed', 'run.recovered'],
      ...(await sealer.seal(JSON.stringify({ to: 'team@example.com' }), targetSealContext('s'))),
      createdAt: clock.now(),
      updatedAt: clock.now(),
      ...fields,
    });
    await notifications().insert(subscription, unaudited);
    return subscription;
  };
  const end = async (dagName: string, dagRunId: string, status: string): Promise<void> => {
    const event: OutboxEvent = {
      id: systemRandom.uuid(),
      occurredAt: clock.now(),
      runId: dagRunId,
      dagName,
      dagRunId,
      workspace: null,
      status,
      error: status === 'failed' ? 'exit 3' : null,
      type: null,
      step: null,
    };
    await database.db.outboxEvent.create({ data: event });
  };
  const fail = (dagName: string, dagRunId: string) => end(dagName, dagRunId, 'failed');
  const dispatch = () =>
    dispatchBatch(
      {
        notifications: notifications(),
        sealer,
        clock,
        timer: systemTimer,
        random: systemRandom,
        outboxSignal: createOutboxSignal(),
        logger: createRecordingLogger(),
        eventNetworks: [],
        publicUrl: 'https://weir.example.com/team',
        mailServer: { host: 'mail', port: '25', username: undefined, password: undefined, from: 'weir@example.com' },
        runs: {
          listRecent: () => Promise.resolve(new Map()),
          scan: () => Promise.resolve([]),
          listSummaries: () => Promise.resolve(new Map()),
        },
        queue: {
          listQueues: () => Promise.resolve([]),
          listWaiting: () => Promise.resolve([]),
          readPauses: () => Promise.resolve(new Map()),
        },
        sendMail: (_, mail) => {
          if (isMailServerDown) return Promise.reject(new AppError('unavailable', 'The mail server is down.'));
          mails.push({ subject: mail.subject, text: mail.text });
          return Promise.resolve();
        },
      },
      new AbortController().signal,
    );

  it('link to the run at the public address of the server', async () => {
    await subscribe({});
    await fail('night job', 'r/1');
    await dispatch();

    expect(mails).toMatchObject([{ subject: '[weir] night job has failed' }]);
    expect(mails[0]?.text).toContain('https://weir.example.com/team/dag-runs/night%20job/r%2F1\n');
  });

  it('are one for the time of a digest, with a line for what is alike', async () => {
    await subscribe({ digestSeconds: 900 });
    await fail('nightly', 'r1');
    await dispatch();
    clock.advance(10 * minute);
    await fail('nightly', 'r2');
    await fail('hourly', 'r3');
    await dispatch();
    expect(mails).toEqual([]);

    clock.advance(5 * minute);
    await dispatch();
    await dispatch();
    expect(mails.map(({ subject }) => subject)).toEqual(['[weir] 3 events of 2 DAGs']);
    expect(mails[0]?.text).toMatch(/^nightly has failed \(run r2\): exit 3 \S+r2 \(2 times\)$/m);
    expect(mails[0]?.text).toMatch(/^hourly has failed \(run r3\): exit 3 \S+r3$/m);
    const sent = await notifications().listDeliveries('s', 10);
    expect(sent.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);

    await fail('nightly', 'r4');
    await dispatch();
    clock.advance(15 * minute);
    await dispatch();
    expect(mails.at(-1)).toMatchObject({ subject: '[weir] nightly has failed' });
  });

  it('are sent again, with all of a digest, after the mail server has failed', async () => {
    await subscribe({ digestSeconds: 60 });
    isMailServerDown = true;
    // More than are looked at in one round.
    for (let run = 0; run < 50; run += 1) await fail(run % 2 === 0 ? 'nightly' : 'hourly', `r${run}`);
    for (let round = 0; round < 3; round += 1) await dispatch();
    clock.advance(minute);
    await dispatch();
    isMailServerDown = false;
    clock.advance(minute);
    await dispatch();
    await dispatch();

    expect(mails.map(({ subject }) => subject)).toEqual(['[weir] 50 events of 2 DAGs']);
  });

  it('do not wait for a digest when they are a test', async () => {
    const { id } = await subscribe({ digestSeconds: 900 });
    const fields = {
      id: 'test',
      type: 'subscription.test',
      payload: '{"type":"subscription.test","data":{}}',
    } as const;
    await fail('nightly', 'r1');
    await dispatch();
    await notifications().insertDelivery(newDelivery({ id, digestSeconds: null }, fields, clock.now()));
    await dispatch();

    expect(mails.map(({ subject }) => subject)).toEqual(['[weir] This is a test of this subscription']);
  });

  it('are repeated for what is alike only after the time for that', async () => {
    await subscribe({ repeatAfterSeconds: 3600 });
    for (const run of ['r1', 'r2']) await fail('nightly', run);
    await fail('hourly', 'r3');
    await dispatch();
    clock.advance(59 * minute);
    await fail('nightly', 'r4');
    await dispatch();
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      '[weir] hourly has failed',
      '[weir] nightly has failed',
    ]);

    clock.advance(minute);
    await fail('nightly', 'r5');
    await dispatch();
    expect(mails).toHaveLength(3);
  });

  it('are no repetition when the DAG has succeeded since', async () => {
    await subscribe({ repeatAfterSeconds: 3600, events: ['run.failed', 'run.succeeded'] });
    const outcomes = ['failed', 'failed', 'succeeded', 'failed', 'succeeded', 'failed', 'failed'];
    for (const [run, status] of outcomes.entries()) {
      await end('nightly', `r${run}`, status);
      clock.advance(minute);
      await dispatch();
    }

    expect(mails.map(({ text }) => /run (r\d)/.exec(text)?.[1])).toEqual(['r0', 'r2', 'r3', 'r5']);
  });

  it('are never about what happened while the subscription was muted', async () => {
    await subscribe({ mutedUntil: new Date(clock.now().getTime() + 30 * minute) });
    await fail('nightly', 'r1');
    await dispatch();
    clock.advance(30 * minute);
    await fail('nightly', 'r2');
    await dispatch();

    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('run r2');
  });
});
