import { waitFor } from '@weir/test-kit';
import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { useSchedulerHome } from '../../testing/scheduler/use-scheduler-home';

const home = useSchedulerHome();
const { open, tickAt, listRuns } = home;

describe('an occurrence of a stop', () => {
  it('stops active runs, but not those that started since', async () => {
    const test = await open({ job: 'schedule: {stop: "5 12 * * *"}' });
    const insert = (id: string, createdAt: string) =>
      home.stores.runs.insert(aRun({ id, dagName: 'job', createdAt: new Date(createdAt) }), [], {
        audit: unaudited,
        singleton: false,
      });
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
    await home.stores.runs.insert(old, [], { audit: unaudited, singleton: false });
    await tickAt(test, '12:05:00');

    await waitFor(async () => (await listRuns('job')).length === 2, { what: 'the restarted run' });
    const found = await home.stores.runs.findLatest('job');
    expect(found).toMatchObject({ status: 'queued', params: 'A=2', triggerType: 'scheduler' });
    expect(found?.dagRunId).toMatch(/^restart-[0-9a-f]{12}-20260601T120500Z$/);
  });
});
