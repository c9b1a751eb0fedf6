import { waitFor } from '@weir/test-kit';
import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import type { DagRunRepository } from '../runs';
import { schedulerKey } from './scheduler-state-repository';
import { everywhere, steps, useSchedulerHome } from '../../testing/scheduler/use-scheduler-home';

const home = useSchedulerHome();
const { open, tickAt, listRuns, listOccurrences, endAll } = home;

describe('an occurrence of a start', () => {
  it('queues a run of the current file with the time of the occurrence', async () => {
    const test = await open({ job: 'schedule: "*/5 * * * *"\nlabels: team=a' });
    await tickAt(test, '12:05:00.120');

    const [run] = await home.stores.runs.scan({ dagName: 'job', workspaces: everywhere, limit: 9 });
    expect(run).toMatchObject({
      triggerType: 'scheduler',
      startedBy: { kind: 'schedule' },
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
    await home.stores.runs.insert(aRun({ dagName: 'job', dagRunId: 'by-hand' }), [], {
      audit: unaudited,
      singleton: false,
    });
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
    await home.stores.runs.insert(aRun({ dagName: 'job', status: 'succeeded', ...times }), [], {
      audit: unaudited,
      singleton: false,
    });
    await tickAt(test, '12:30:00');

    expect((await listOccurrences('job')).filter((occurrence) => occurrence !== undefined)).toEqual(expected);
  });

  it('of an entry with a profile that does not exist is refused with that reason, and the others are not', async () => {
    const test = await open({
      job: 'schedule: [{expression: "5 12 * * *", profile: staging}, {expression: "6 12 * * *"}]',
    });
    await tickAt(test, '12:05:00');
    await tickAt(test, '12:06:00');

    await expect(listOccurrences('job')).resolves.toEqual(['12:06']);
    expect(test.application.scheduler.counts.all).toMatchObject({ started: 1, refused: 1 });
    const as = await test.createKey('admin');
    const isTold = async () => {
      const events = await test.api.send('GET /event-logs', { as });
      return JSON.stringify(events.body).includes('There is no profile');
    };
    await waitFor(isTold, { what: 'the event of the refusal' });
  });

  it('gives the run the profile of its entry, but none that is protected', async () => {
    const test = await open({
      job: 'schedule: [{expression: "5 12 * * *", profile: staging}, {expression: "6 12 * * *", profile: production}]',
    });
    const as = await test.createKey('admin');
    for (const name of ['staging', 'production']) {
      await test.api.send('POST /profiles', { as, body: { name, protected: name === 'production' } });
    }
    await tickAt(test, '12:05:00');
    await endAll('job');
    await tickAt(test, '12:06:00');

    const runs = await home.stores.runs.scan({ dagName: 'job', workspaces: everywhere, limit: 9 });
    expect(runs).toEqual([expect.objectContaining({ profile: 'staging' })]);
    expect(test.application.scheduler.counts.all).toMatchObject({ started: 1, refused: 1 });
  });

  it('of a file that cannot be run is refused, and the others are not', async () => {
    const test = await open({
      bad: 'schedule: "* * * * *"\nhandler_on: {failure: {run: echo, worker_selector: {gpu: "1"}}}',
      good: 'schedule: "* * * * *"',
    });
    await tickAt(test, '12:01:00');

    await expect(listOccurrences('good')).resolves.toEqual(['12:01']);
    await expect(listOccurrences('bad')).resolves.toEqual([]);
    expect(test.application.scheduler.counts.all).toMatchObject({ started: 1, refused: 1 });
  });

  it('is retried when the store failed, while the watermark waits for it', async () => {
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
    home.moveTo(start);
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
