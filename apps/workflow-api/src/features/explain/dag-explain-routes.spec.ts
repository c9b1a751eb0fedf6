import { waitFor } from '@weir/test-kit';
import type { DagExplanation } from '@weir/workflow-contract/schemas';
import type { TestWorkflow } from '../../testing/workflow-api';
import { useSchedulerHome } from '../../testing/scheduler/use-scheduler-home';

const home = useSchedulerHome();
const { open, tickAt } = home;
const on = (time: string): string => `2026-06-01T${time}:00.000Z`;
const everyMinute = 'schedule: "* * * * *"';

const explain = async (test: TestWorkflow, occurrence?: string, as?: string) => {
  const query = occurrence === undefined ? '' : `?occurrence=${encodeURIComponent(on(occurrence))}`;
  const token = as ?? (await test.createKey('viewer'));
  return (await test.api.send(`GET /dags/job/explain${query}`, { as: token })).body as DagExplanation;
};
/** Entries of the event log are stored a moment after what they are about. */
const explainSkipped = (test: TestWorkflow, occurrence?: string) =>
  waitFor(
    async () => {
      const explained = await explain(test, occurrence);
      return explained.skipped.length > 0 ? explained : undefined;
    },
    { what: 'the entry of the event log' },
  );

describe('GET /dags/{fileName}/explain', () => {
  it('returns no cause and the next occurrence while nothing prevents it', async () => {
    const test = await open({ job: everyMinute });

    await expect(explain(test)).resolves.toEqual({
      fileName: 'job',
      name: 'job',
      next: on('12:01'),
      causes: [],
      skipped: [],
    });
  });

  it('names the run that causes occurrences to be skipped, and the run that caused a past skip', async () => {
    const test = await open({ job: everyMinute });
    await tickAt(test, '12:01:00');
    await tickAt(test, '12:02:00');
    const runs = [{ name: 'job', statusLabel: 'queued' }];

    await expect(explain(test)).resolves.toMatchObject({ causes: [{ kind: 'run_active', runs, otherRuns: 0 }] });
    await expect(explainSkipped(test, '12:02')).resolves.toMatchObject({
      occurrence: on('12:02'),
      causes: [{ kind: 'skipped', reason: 'active', runs }],
      skipped: [{ first: on('12:02'), last: on('12:02'), count: 1, reason: 'active' }],
    });
    await expect(explain(test, '12:01')).resolves.toMatchObject({ causes: [{ kind: 'has_run', runs }] });
  });

  it('only counts runs that the caller may not see', async () => {
    const test = await open({ job: everyMinute });
    await test.addDag('job', `${everyMinute}\nlabels: [workspace=ops]\nsteps:\n  - run: "true"\n`);
    await tickAt(test, '12:01:00');
    await test.addDag('job', `${everyMinute}\nsteps:\n  - run: "true"\n`);
    const asSales = await test.createKey('viewer', { sales: 'viewer' });

    const { causes } = await explain(test, undefined, asSales);
    expect(causes).toMatchObject([{ kind: 'run_active', runs: [], otherRuns: 1 }]);
  });

  it('returns since when the DAG is suspended, and until when it was', async () => {
    const test = await open({ job: everyMinute });
    const as = await test.createKey('admin');
    const suspend = (isSuspended: boolean) =>
      test.api.send('POST /dags/job/suspend', { as, body: { suspend: isSuspended } });
    await suspend(true);
    const suspended = { kind: 'dag_suspended', at: home.clock.now().toISOString() };
    await expect(explain(test)).resolves.toMatchObject({ causes: [suspended] });
    await tickAt(test, '12:01:00');
    await expect(explain(test, '12:01')).resolves.toMatchObject({ causes: [suspended] });

    await tickAt(test, '12:03:00');
    await suspend(false);
    await expect(explain(test, '12:01')).resolves.toMatchObject({
      causes: [{ kind: 'dag_suspended', at: on('12:03') }],
    });
  });

  it('returns the missed occurrences while no scheduler was active, as one range', async () => {
    const first = await open({ job: everyMinute });
    await first.stop();
    home.clock.set(on('12:30'));
    const second = await open({ job: everyMinute });

    const { skipped, causes } = await explainSkipped(second, '12:10');
    expect(skipped).toMatchObject([{ first: on('12:01'), last: on('12:29'), count: 29, reason: 'missed' }]);
    expect(causes).toMatchObject([{ kind: 'skipped', reason: 'missed' }]);
  });

  it('reports that no scheduler is active, and that none has settled a moment', async () => {
    const test = await open({ job: everyMinute });
    home.clock.set(on('12:20'));

    await expect(explain(test)).resolves.toMatchObject({ causes: [{ kind: 'no_scheduler' }] });
    await expect(explain(test, '12:10')).resolves.toMatchObject({
      causes: [{ kind: 'not_settled' }, { kind: 'no_scheduler' }],
    });
  });

  it.each([
    ['a file with errors', 'schedule: "* * * * *"\nfoo: 1', undefined, ['dag_invalid']],
    ['a DAG without a schedule', 'description: none', undefined, ['no_schedule']],
    ['a DAG that files start', 'triggers: [{files: /in/*}]', undefined, []],
    ['a moment to come', 'schedule: "0 13 * * *"', '13:00', ['not_due']],
    ['a moment that the schedule does not name', 'schedule: "0 13 * * *"', '12:00', ['not_scheduled']],
    ['a moment of which nothing is stored', 'schedule: "0 11 * * *"', '11:00', ['unknown']],
  ])('explains %s', async (_what, spec, occurrence, kinds) => {
    const test = await open({ job: spec });

    const { causes } = await explain(test, occurrence);
    expect(causes.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('returns 404 for an unknown DAG and 400 for an invalid time', async () => {
    const test = await open({ job: everyMinute });
    const as = await test.createKey('viewer');

    await expect(test.api.send('GET /dags/nobody/explain', { as })).resolves.toMatchObject({ status: 404 });
    await expect(test.api.send('GET /dags/job/explain?occurrence=noon', { as })).resolves.toMatchObject({
      status: 400,
    });
  });
});
