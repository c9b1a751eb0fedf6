import { createManualClock, waitFor, type ManualClock } from '@weir/test-kit';
import { createInMemoryDagRunRepository, type DagRunRepository } from '../dag-runs';
import { createInMemoryDagFlagRepository } from '../dags';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';
import { aRun } from '@weir/workflow-engine/testing';
import { createInMemorySchedulerStateRepository } from './in-memory-scheduler-state-repository';
import { schedulerKey } from './scheduler-state-repository';

const steps = 'steps:\n  - run: "true"\n';
const everywhere = { unassigned: true, named: 'all' } as const;

/** A home folder's worth of stores, on which one scheduler after the other can work. */
function aHome(start = '2026-06-01T12:00:30Z') {
  const clock = createManualClock(start);
  const stores = {
    runs: createInMemoryDagRunRepository(),
    flags: createInMemoryDagFlagRepository(),
    schedulerState: createInMemorySchedulerStateRepository(),
  };
  return { clock, stores };
}

type Home = ReturnType<typeof aHome>;

let opened: TestWorkflow[];
let home: Home;

beforeEach(() => {
  opened = [];
  home = aHome();
});
afterEach(() => Promise.all(opened.map((test) => test.stop())));

/** A scheduler whose ticks the spec makes. Runs stay queued unless the spec ends them. */
async function open(dags: Readonly<Record<string, string>>, { clock, stores }: Home = home): Promise<TestWorkflow> {
  const test = await createTestWorkflow({ clock, platform: stores, config: { timeZone: 'UTC' } });
  opened.push(test);
  await test.application.files.catalog.ready();
  await test.application.scheduler.prepare();
  for (const [name, text] of Object.entries(dags)) await test.addDag(name, `${text}\n${steps}`);
  await test.application.scheduler.tick();
  return test;
}

async function tickAt(test: TestWorkflow, time: string, clock: ManualClock = home.clock): Promise<void> {
  clock.set(`2026-06-01T${time}Z`);
  await test.application.scheduler.tick();
}

async function listRuns(dagName: string, runs: DagRunRepository = home.stores.runs) {
  const found = await runs.scan({ dagName, workspaces: everywhere, limit: 2000 });
  return found
    .map(({ scheduleTime, triggerType, status, dagRunId }) => ({
      occurrence: scheduleTime?.toISOString().slice(11, 16),
      triggerType,
      status,
      dagRunId,
    }))
    .sort((left, right) => (left.occurrence ?? '').localeCompare(right.occurrence ?? ''));
}
const listOccurrences = async (dagName: string) => (await listRuns(dagName)).map(({ occurrence }) => occurrence);

async function endAll(dagName: string): Promise<void> {
  for (const run of await home.stores.runs.scan({ dagName, workspaces: everywhere, limit: 2000 })) {
    await home.stores.runs.apply(run.id, {
      kind: 'dequeue_requested',
      at: home.clock.now(),
      error: 'ended by the spec',
    });
  }
}

describe('an occurrence of a start', () => {
  it('queues a run of the current file with the time of the occurrence', async () => {
    const test = await open({ job: 'schedule: "*/5 * * * *"\nlabels: team=a' });
    await tickAt(test, '12:05:00.120');

    const [run] = await home.stores.runs.scan({ dagName: 'job', workspaces: everywhere, limit: 9 });
    expect(run).toMatchObject({
      triggerType: 'scheduler',
      status: 'queued',
      scheduleTime: new Date('2026-06-01T12:05:00Z'),
      labels: ['team=a'],
      fileName: 'job',
    });
    expect(run?.dagRunId).toMatch(/^scheduled-[0-9a-f]{12}-20260601T120500Z$/);
  });

  it('is due once, in its minute', async () => {
    const test = await open({ job: 'schedule: "5 12 * * *"' });
    await tickAt(test, '12:04:59.999');
    await expect(listOccurrences('job')).resolves.toEqual([]);

    for (const time of ['12:05:00', '12:05:30', '12:06:00']) await tickAt(test, time);
    await expect(listOccurrences('job')).resolves.toEqual(['12:05']);
  });

  it('is the one that the API shows as the next run', async () => {
    const test = await open({ job: 'schedule: "30 2 * * *"' });
    const as = await test.createKey('admin');
    const { body } = await test.api.send('GET /dags/job', { as });
    const { nextRun } = (body as { dag: { nextRun: string } }).dag;
    home.clock.set(nextRun);
    await test.application.scheduler.tick();

    const [run] = await home.stores.runs.scan({ dagName: 'job', workspaces: everywhere, limit: 9 });
    expect(run?.scheduleTime).toEqual(new Date(nextRun));
  });

  it('starts one run for several entries that are due at the same time', async () => {
    const test = await open({ job: 'schedule: ["* * * * *", "5 12 * * *", {at: "2026-06-01T12:05:00Z"}]' });
    await tickAt(test, '12:05:00');

    await expect(listOccurrences('job')).resolves.toEqual(['12:05']);
  });

  it('is skipped only while a run of the DAG is active', async () => {
    const test = await open({ job: 'schedule: "* * * * *"' });
    await tickAt(test, '12:01:00');
    await tickAt(test, '12:02:00');
    await endAll('job');
    await tickAt(test, '12:03:00');

    await expect(listOccurrences('job')).resolves.toEqual(['12:01', '12:03']);
    expect(test.application.scheduler.counts.all).toMatchObject({ started: 2, active: 1 });
  });

  it('is queued behind an active run with the policy all', async () => {
    const test = await open({ job: 'schedule: "* * * * *"\noverlap_policy: all' });
    for (const time of ['12:01:00', '12:02:00', '12:03:00']) await tickAt(test, time);

    await expect(listOccurrences('job')).resolves.toEqual(['12:01', '12:02', '12:03']);
  });

  it('replaces earlier ones in the queue with the policy latest', async () => {
    const test = await open({ job: 'schedule: "* * * * *"\noverlap_policy: latest' });
    await home.stores.runs.insert(aRun({ dagName: 'job', dagRunId: 'by-hand' }), [], { singleton: false });
    for (const time of ['12:01:00', '12:02:00']) await tickAt(test, time);

    await expect(listRuns('job')).resolves.toMatchObject([
      { dagRunId: 'by-hand', status: 'queued' },
      { occurrence: '12:01', status: 'aborted' },
      { occurrence: '12:02', status: 'queued' },
    ]);
  });

  it.each([
    ['after a success since the occurrence before', '2026-06-01T11:45:00Z', null, []],
    ['not after an older success', '2026-06-01T11:15:00Z', null, ['12:30']],
    [
      'not after the success of the occurrence before',
      '2026-06-01T11:30:00Z',
      '2026-06-01T11:30:00Z',
      ['11:30', '12:30'],
    ],
  ])('is skipped with skip_if_successful %s', async (_, createdAt, scheduleTime, expected) => {
    const test = await open({ job: 'schedule: "30 * * * *"\nskip_if_successful: true' });
    const times = {
      createdAt: new Date(createdAt),
      scheduleTime: scheduleTime === null ? null : new Date(scheduleTime),
    };
    await home.stores.runs.insert(aRun({ dagName: 'job', status: 'succeeded', ...times }), [], { singleton: false });
    await tickAt(test, '12:30:00');

    expect((await listOccurrences('job')).filter((occurrence) => occurrence !== undefined)).toEqual(expected);
  });

  it('of a file that cannot be run is refused, and the others are not', async () => {
    const test = await open({
      bad: 'schedule: "* * * * *"\nworker_selector: {gpu: "1"}',
      good: 'schedule: "* * * * *"',
    });
    await tickAt(test, '12:01:00');

    await expect(listOccurrences('good')).resolves.toEqual(['12:01']);
    await expect(listOccurrences('bad')).resolves.toEqual([]);
    expect(test.application.scheduler.counts.all).toMatchObject({ started: 1, refused: 1 });
  });

  it('is retried when the store failed, and the watermark waits for it', async () => {
    let isDown = true;
    const { runs } = home.stores;
    const failing: DagRunRepository = {
      ...runs,
      insert: (...given) => (isDown ? Promise.reject(new Error('no connection')) : runs.insert(...given)),
    };
    const test = await open({ job: 'schedule: "1 12 * * *"' }, { ...home, stores: { ...home.stores, runs: failing } });
    await tickAt(test, '12:01:00');
    const watermark = (await home.stores.schedulerState.read()).get(schedulerKey);
    isDown = false;
    await tickAt(test, '12:02:00');

    expect(watermark?.getTime()).toBeLessThan(new Date('2026-06-01T12:01:00Z').getTime());
    await expect(listOccurrences('job')).resolves.toEqual(['12:01']);
  });

  it('of a file with errors is skipped until the file is fixed', async () => {
    const test = await open({ job: 'schedule: "* * * * *"\noverlap_policy: all' });
    await test.addDag('job', 'schedule: "* * * * *"\nsteps: 7');
    await tickAt(test, '12:01:00');
    await test.addDag('job', `schedule: "* * * * *"\n${steps}`);
    await tickAt(test, '12:02:00');

    await expect(listOccurrences('job')).resolves.toEqual(['12:02']);
  });

  it('of a changed schedule does not exist before the change', async () => {
    const test = await open({ job: 'schedule: "0 18 * * *"\ncatchup_window: 6h' });
    await tickAt(test, '15:00:00');
    await test.addDag('job', `schedule: "0 14 * * *"\ncatchup_window: 6h\n${steps}`);
    await tickAt(test, '15:01:00');

    await expect(listOccurrences('job')).resolves.toEqual([]);
  });

  it('is skipped while the DAG is suspended, and not caught up later', async () => {
    const test = await open({ job: 'schedule: "* * * * *"\ncatchup_window: 1h' });
    const as = await test.createKey('admin');
    const suspend = (isSuspended: boolean) =>
      test.api.send('POST /dags/job/suspend', { as, body: { suspend: isSuspended } });
    await suspend(true);
    for (const time of ['12:01:00', '12:02:00', '12:03:00']) await tickAt(test, time);
    home.clock.set('2026-06-01T12:03:40Z');
    await suspend(false);
    await tickAt(test, '12:04:00');

    await expect(listOccurrences('job')).resolves.toEqual(['12:04']);
  });

  it('that was queued is dequeued when the DAG is suspended', async () => {
    const test = await open({ job: 'schedule: "* * * * *"' });
    await tickAt(test, '12:01:00');
    const as = await test.createKey('admin');
    await test.api.send('POST /dags/job/suspend', { as, body: { suspend: true } });

    await waitFor(async () => (await listRuns('job'))[0]?.status === 'aborted', { what: 'the run to be dropped' });
  });
});

describe('at a change of the clocks', () => {
  const berlin = 'schedule: "CRON_TZ=Europe/Berlin 30 2 * * *"';
  const ticks = async (start: string, minutes: number): Promise<readonly (string | undefined)[]> => {
    home = aHome(start);
    const test = await open({ job: `${berlin}\noverlap_policy: all` });
    for (let minute = 0; minute < minutes; minute += 1) {
      home.clock.advance(60_000);
      await test.application.scheduler.tick();
    }
    return listOccurrences('job');
  };

  it('an occurrence in the skipped hour is due at its end', async () => {
    await expect(ticks('2026-03-29T00:30:00Z', 120)).resolves.toEqual(['01:00']);
  });

  it('an occurrence in the repeated hour is due in the first one', async () => {
    await expect(ticks('2026-10-25T00:00:00Z', 150)).resolves.toEqual(['00:30']);
  });
});

describe('after a downtime of the scheduler', () => {
  const again = async (dag: string, from: string, to: string) => {
    const first = await open({ job: dag });
    await tickAt(first, from);
    home.clock.set(`2026-06-01T${to}Z`);
    return open({ job: dag });
  };

  it('nothing is lost around one full minute', async () => {
    await again('schedule: "10 12 * * *"', '12:09:50', '12:11:10');

    await expect(listRuns('job')).resolves.toMatchObject([{ occurrence: '12:10', triggerType: 'scheduler' }]);
  });

  it('the occurrence of the minute in which a DAG with a catch-up window is first seen is not lost', async () => {
    const first = await open({});
    await tickAt(first, '12:09:50');
    home.clock.set('2026-06-01T12:10:20Z');
    await open({ job: 'schedule: "*/5 * * * *"\ncatchup_window: 1h' });

    await expect(listOccurrences('job')).resolves.toEqual(['12:10']);
  });

  it('missed occurrences are skipped without a catch-up window', async () => {
    const test = await again('schedule: ["*/10 * * * *", {at: "2026-06-01T12:35:00Z"}]', '12:01:00', '12:55:00');

    await expect(listOccurrences('job')).resolves.toEqual([]);
    expect(test.application.scheduler.counts.all.missed).toBe(6);
  });

  it('missed occurrences are caught up in order, as far as the window reaches', async () => {
    const dag = 'schedule: "*/10 * * * *"\ncatchup_window: 30m\noverlap_policy: all';
    await again(dag, '12:01:00', '12:55:00');

    const runs = await listRuns('job');
    expect(runs).toMatchObject([
      { occurrence: '12:30', triggerType: 'catchup' },
      { occurrence: '12:40', triggerType: 'catchup' },
      { occurrence: '12:50', triggerType: 'catchup' },
    ]);
    expect(runs[0]?.dagRunId).toMatch(/^catchup-[0-9a-f]{12}-20260601T123000Z$/);
  });

  it('the first of them is caught up with the policy skip, and the newest with the policy latest', async () => {
    const first = await open({
      job: 'schedule: "*/10 * * * *"\ncatchup_window: 1h',
      other: 'schedule: "*/10 * * * *"\ncatchup_window: 1h\noverlap_policy: latest',
    });
    await tickAt(first, '12:01:00');
    home.clock.set('2026-06-01T12:55:00Z');
    await open({
      job: 'schedule: "*/10 * * * *"\ncatchup_window: 1h',
      other: 'schedule: "*/10 * * * *"\ncatchup_window: 1h\noverlap_policy: latest',
    });

    await expect(listOccurrences('job')).resolves.toEqual(['12:10']);
    await expect(listOccurrences('other')).resolves.toEqual(['12:50']);
  });

  it('an occurrence that was settled before the downtime is not repeated', async () => {
    const dag = 'schedule: "*/10 * * * *"\ncatchup_window: 1h\noverlap_policy: all';
    const first = await open({ job: dag });
    for (const time of ['12:01:00', '12:10:00']) await tickAt(first, time);
    // A scheduler that died before it stored how far it was.
    const lost = { ...home, stores: { ...home.stores, schedulerState: createInMemorySchedulerStateRepository() } };
    await lost.stores.schedulerState.advance([schedulerKey, 'job'], new Date('2026-06-01T12:01:00Z'));
    home.clock.set('2026-06-01T12:25:00Z');
    await open({ job: dag }, lost);

    await expect(listOccurrences('job')).resolves.toEqual(['12:10', '12:20']);
  });

  it('a missed point in time fires once, within the window', async () => {
    const dag = 'schedule: {at: "2026-06-01T12:35:00Z"}\ncatchup_window: 1h';
    await again(dag, '12:01:00', '12:55:00');
    await endAll('job');
    await open({ job: dag });

    const runs = await listRuns('job');
    expect(runs).toMatchObject([{ occurrence: '12:35', triggerType: 'scheduler' }]);
    expect(runs[0]?.dagRunId).toMatch(/^oneoff-[0-9a-f]{12}-20260601T123500Z$/);
  });

  it('occurrences from before a DAG was known are not caught up', async () => {
    const first = await open({});
    await tickAt(first, '12:01:00');
    home.clock.set('2026-06-01T12:55:00Z');
    await open({ job: 'schedule: "*/10 * * * *"\ncatchup_window: 1h' });

    await expect(listOccurrences('job')).resolves.toEqual([]);
  });

  it('the time of a suspension that ended in the downtime is not caught up', async () => {
    const dag = 'schedule: "*/10 * * * *"\ncatchup_window: 1h\noverlap_policy: all';
    const first = await open({ job: dag });
    await tickAt(first, '12:01:00');
    await home.stores.flags.setSuspended('job', true, new Date('2026-06-01T12:05:00Z'));
    await home.stores.flags.setSuspended('job', false, new Date('2026-06-01T12:35:00Z'));
    home.clock.set('2026-06-01T12:55:00Z');
    await open({ job: dag });

    await expect(listOccurrences('job')).resolves.toEqual(['12:40', '12:50']);
  });
});

describe('an occurrence of a stop', () => {
  it('stops active runs, and not those started since', async () => {
    const test = await open({ job: 'schedule: {stop: "5 12 * * *"}' });
    const insert = (id: string, createdAt: string) =>
      home.stores.runs.insert(aRun({ id, dagName: 'job', createdAt: new Date(createdAt) }), [], { singleton: false });
    await insert('old', '2026-06-01T12:04:00Z');
    await insert('new', '2026-06-01T12:05:00.100Z');
    await tickAt(test, '12:05:00.200');

    const runs = await listRuns('job');
    expect(runs.map(({ dagRunId, status }) => [dagRunId, status]).sort()).toEqual([
      ['new', 'queued'],
      ['old', 'aborted'],
    ]);
  });
});

describe('an occurrence of a restart', () => {
  it('stops the active run and starts the DAG with its parameters', async () => {
    const test = await open({ job: 'params: A=1\nschedule: {restart: "5 12 * * *"}' });
    const old = aRun({ id: 'old', dagName: 'job', params: 'A=2', createdAt: new Date('2026-06-01T12:01:00Z') });
    await home.stores.runs.insert(old, [], { singleton: false });
    await tickAt(test, '12:05:00');

    await waitFor(async () => (await listRuns('job')).length === 2, { what: 'the restarted run' });
    const found = await home.stores.runs.findLatest('job');
    expect(found).toMatchObject({ status: 'queued', params: 'A=2', triggerType: 'scheduler' });
    expect(found?.dagRunId).toMatch(/^restart-[0-9a-f]{12}-20260601T120500Z$/);
  });
});

describe('the loop', () => {
  it('ticks at each full minute until it is stopped', async () => {
    const { clock } = home;
    const timer = {
      start: (afterMs: number, due: () => void) => {
        const cancelled = new AbortController();
        clock.sleep(afterMs, cancelled.signal).then(due, () => undefined);
        return () => cancelled.abort();
      },
    };
    const test = await createTestWorkflow({
      clock,
      platform: home.stores,
      config: { timeZone: 'UTC' },
      options: { timer },
    });
    opened.push(test);
    const { scheduler } = test.application;
    await scheduler.prepare();
    await test.addDag('job', `schedule: "* * * * *"\noverlap_policy: all\n${steps}`);
    scheduler.start();
    for (const { occurrence, afterMs, sleepers } of [
      { occurrence: '12:01', afterMs: 30_000, sleepers: 1 },
      // The look at old runs after the first one waits, too.
      { occurrence: '12:02', afterMs: 60_000, sleepers: 2 },
    ]) {
      await waitFor(() => clock.sleeperCount() === sleepers, { what: 'the scheduler to wait' });
      clock.advance(afterMs);
      await waitFor(async () => (await listOccurrences('job')).includes(occurrence), {
        what: `the occurrence of ${occurrence}`,
      });
    }
    await scheduler.stop();
    clock.advance(60_000);

    await expect(listOccurrences('job')).resolves.toEqual(['12:01', '12:02']);
  });
});
