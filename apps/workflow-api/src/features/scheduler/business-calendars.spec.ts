import { waitFor } from '@weir/test-kit';
import type { TestWorkflow } from '../../testing/workflow-api';
import { useSchedulerHome } from '../../testing/scheduler/use-scheduler-home';

// The clock begins on 2026-06-01, a Monday.
const { open, tickAt, listOccurrences } = useSchedulerHome();
const job = 'schedule: [{expression: "*/5 12 * * *", calendar: bank-de}]';

const put = async (test: TestWorkflow, body: object) => {
  const as = await test.createKey('admin');
  await test.api.send('PUT /calendars/bank-de', { as, body });
};
const explain = async (test: TestWorkflow) =>
  (await test.api.send('GET /dags/job/explain', { as: await test.createKey('admin') })).body;

describe('an occurrence on a day that its calendar excludes', () => {
  it('starts nothing, and is recorded with the name of the holiday', async () => {
    const test = await open({ job });
    await put(test, { holidays: [{ date: '2026-06-01', name: 'Whit Monday' }] });
    for (const time of ['12:05:00', '12:10:00']) await tickAt(test, time);

    await expect(listOccurrences('job')).resolves.toEqual([]);
    expect(test.application.scheduler.counts.all).toMatchObject({ calendar: 2, started: 0 });
    const isExplained = async () =>
      JSON.stringify(await explain(test)).includes('holiday of calendar bank-de (Whit Monday)');
    await waitFor(isExplained, { what: 'the event of the skip' });
  });

  it('is due from the minute on in which the calendar has changed', async () => {
    const test = await open({ job });
    await put(test, { weekdays: ['SUN'] });
    await tickAt(test, '12:05:00');
    await put(test, {});
    await tickAt(test, '12:10:00');

    await expect(listOccurrences('job')).resolves.toEqual(['12:10']);
  });

  it('is refused while there is no such calendar, which the explanation says', async () => {
    const test = await open({ job });
    await tickAt(test, '12:05:00');

    await expect(listOccurrences('job')).resolves.toEqual([]);
    expect(test.application.scheduler.counts.all).toMatchObject({ refused: 1 });
    expect(JSON.stringify(await explain(test))).toContain('There is no calendar bank-de');
  });

  it('is left out when missed occurrences are caught up', async () => {
    const test = await open({ job: `${job}\ncatchup_window: 1h\noverlap_policy: all` });
    await put(test, { holidays: [{ date: '2026-06-01' }] });
    await tickAt(test, '12:20:00');

    await expect(listOccurrences('job')).resolves.toEqual([]);
    expect(test.application.scheduler.counts.all).toMatchObject({ calendar: 4 });
  });
});
