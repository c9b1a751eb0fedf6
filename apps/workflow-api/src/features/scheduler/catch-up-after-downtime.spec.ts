import { createInMemorySchedulerStateRepository } from './in-memory-scheduler-state-repository';
import { schedulerKey } from './scheduler-state-repository';
import { useSchedulerHome } from '../../testing/scheduler/use-scheduler-home';

const home = useSchedulerHome();
const { open, tickAt, listRuns, listOccurrences, endAll } = home;

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

  it('missed occurrences are caught up in order, within the window', async () => {
    const dag = 'schedule: "*/10 * * * *"\ncatchup_window: 30m\noverlap_policy: all';
    await again(dag, '12:01:00', '12:55:00');

    const runs = await listRuns('job');
    expect(runs).toMatchObject([
      { occurrence: '12:30', triggerType: 'catchup' },
      { occurrence: '12:40', triggerType: 'catchup' },
      { occurrence: '12:50', triggerType: 'catchup' },
    ]);
    expect(runs[0]?.dagRunId).toMatch(/^scheduled-[0-9a-f]{12}-20260601T123000Z$/);
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

  it('occurrences during a suspension that ended in the downtime are not caught up', async () => {
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
