import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { badRequest } from '../../../testing/answers';
import { useWorkflow } from '../../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const add = (values: Parameters<typeof aRun>[0]) =>
  workflow.server.application.runs.insert(aRun(values), [aRunStep()], { audit: unaudited, singleton: false });
const seconds = (time: string): number => Date.parse(time) / 1000;
const range = `fromDate=${seconds('2026-03-01T00:00:00Z')}&toDate=${seconds('2026-03-02T00:00:00Z')}`;
const failed = (count: number) => ({ status: 2, statusLabel: 'failed', count });
const succeeded = (count: number) => ({ status: 4, statusLabel: 'succeeded', count });

describe('GET /run-counts', () => {
  const addSome = async (): Promise<void> => {
    const at = (time: string) => ({ createdAt: new Date(`2026-03-01T${time}Z`) });
    await add({ id: 'a', dagName: 'load', status: 'failed', labels: ['team=data'], ...at('03:00:00') });
    await add({ id: 'b', dagName: 'load', status: 'succeeded', ...at('03:59:59.999') });
    await add({ id: 'c', dagName: 'Report', status: 'failed', workspace: 'ops', ...at('05:10:00') });
    await add({ id: 'd', dagName: 'load', status: 'failed', createdAt: new Date('2026-03-02T00:00:00Z') });
  };

  it('returns 200 with the counts by status and by hour', async () => {
    await addSome();

    await expect(get(`/run-counts?${range}&by=hour`)).resolves.toMatchObject({
      status: 200,
      body: {
        total: 3,
        statuses: [failed(2), succeeded(1)],
        hours: [
          { start: '2026-03-01T03:00:00.000Z', statuses: [failed(1), succeeded(1)] },
          { start: '2026-03-01T05:00:00.000Z', statuses: [failed(1)] },
        ],
        isComplete: true,
      },
    });
  });

  it.each([
    ['a part of the name', 'name=REP', { total: 1, statuses: [failed(1)] }],
    ['statuses', 'status=4&status=1', { total: 1, statuses: [succeeded(1)] }],
    ['labels', 'labels=team%3Ddata', { total: 1, statuses: [failed(1)], isComplete: true }],
    ['a workspace', 'workspace=ops', { total: 1, statuses: [failed(1)] }],
    ['no workspace', 'workspaceScope=default', { total: 2, statuses: [failed(1), succeeded(1)] }],
  ])('returns 200 with the counts of %s', async (_, filter, expected) => {
    await addSome();
    const { body } = await get(`/run-counts?${range}&${filter}`);

    expect(body).toMatchObject(expected);
    expect(body).not.toHaveProperty('hours');
  });

  it('returns 200 with the hours of runs that are selected by their labels', async () => {
    await addSome();

    await expect(get(`/run-counts?${range}&by=hour&labels=team`)).resolves.toMatchObject({
      body: { hours: [{ start: '2026-03-01T03:00:00.000Z', statuses: [failed(1)] }] },
    });
  });

  it('returns 200 without the runs of workspaces that the caller cannot see, and 404 for such a workspace', async () => {
    await addSome();
    const outsider = await workflow.server.createKey('viewer', { other: 'viewer' });

    await expect(get(`/run-counts?${range}`, outsider)).resolves.toMatchObject({ body: { total: 2 } });
    await expect(get(`/run-counts?${range}&workspace=ops`, outsider)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'workspace_not_found' },
    });
  });

  it('returns 400 for the hours of more than 1,000 hours, and for two spellings of labels', async () => {
    await expect(get('/run-counts?fromDate=0&by=hour')).resolves.toMatchObject(badRequest('range_too_long'));
    await expect(get('/run-counts?toDate=9999999&by=hour')).resolves.toMatchObject(badRequest('range_too_long'));
    await expect(get('/run-counts?labels=a&tags=b')).resolves.toMatchObject(badRequest('request_invalid'));
  });
});

describe('GET /dag-runs by duration', () => {
  const minute = (count: number): Date => new Date(Date.UTC(2026, 2, 1, 0, count));
  const listIds = async (query: string) =>
    ((await get(`/dag-runs?${range}&${query}`)).body.dagRuns as { dagRunId: string }[]).map(({ dagRunId }) => dagRunId);

  it('lists the runs of the requested duration, up to now where they are running', async () => {
    const of = (dagRunId: string, finishedAt: Date | null, startedAt: Date | null = minute(0)) =>
      add({
        id: dagRunId,
        dagRunId,
        dagName: dagRunId,
        createdAt: minute(0),
        startedAt,
        finishedAt,
        status: 'succeeded',
      });
    await of('one', minute(1));
    await of('two', minute(2));
    await of('endless', null);
    await of('queued', null, null);

    expect(await listIds('minDurationSec=61')).toEqual(['two', 'endless']);
    expect(await listIds('minDurationSec=60&maxDurationSec=119')).toEqual(['one']);
    expect(await listIds('maxDurationSec=120')).toEqual(['two', 'one']);
  });
});
