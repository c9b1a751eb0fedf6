import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const add = (fileName: string, spec: string) => workflow.server.addDag(fileName, spec);
const step = 'steps:\n  - run: "true"\n';
const notFound = { status: 404, body: { reason: 'dag_not_found' } };

describe('GET /dags/{fileName}/occurrences', () => {
  const zoned = `schedule:\n  start: "CRON_TZ=Europe/Berlin 30 2 * * *"\n  stop: "CRON_TZ=Europe/Berlin 0 4 * * *"\n${step}`;

  it('returns 200 with starts and stops, and with changes of clocks', async () => {
    await add('nightly', zoned);
    const address = '/dags/nightly/occurrences?after=2026-03-28T12:00:00Z&count=3' as const;

    await expect(workflow.get(address)).resolves.toMatchObject({
      status: 200,
      body: {
        occurrences: [
          { time: '2026-03-29T01:00:00.000Z', action: 'start', clockChange: 'gap', timeZone: 'Europe/Berlin' },
          { time: '2026-03-29T02:00:00.000Z', action: 'stop', localTime: '2026-03-29T04:00:00+02:00' },
          { time: '2026-03-30T00:30:00.000Z', action: 'start' },
        ],
        suspended: false,
      },
    });
  });

  it('returns 200 and reports that the schedule is suspended', async () => {
    await add('nightly', zoned);
    await workflow.post('/dags/nightly/suspend', { suspend: true });

    await expect(workflow.get('/dags/nightly/occurrences')).resolves.toMatchObject({ body: { suspended: true } });
  });

  it('returns 200 without occurrences for a DAG without a schedule, and 404 for an unknown DAG', async () => {
    await add('manual', step);

    await expect(workflow.get('/dags/manual/occurrences')).resolves.toMatchObject({ body: { occurrences: [] } });
    await expect(workflow.get('/dags/nobody/occurrences')).resolves.toMatchObject(notFound);
  });
});

describe('GET /schedules/calendar', () => {
  const range = 'after=2026-06-01T00:00:00Z&to=2026-06-02T00:00:00Z';

  it('returns 200 with the occurrences of the visible DAGs, the earliest first', async () => {
    await add('six', `schedule: "CRON_TZ=UTC 0 6 * * *"\n${step}`);
    await add('five', `schedule: "CRON_TZ=UTC 0 5 * * *"\nlabels: [workspace=ops]\n${step}`);
    const stranger = await workflow.server.createKey('viewer', { other: 'viewer' });
    const list = async (as?: string) =>
      ((await workflow.get(`/schedules/calendar?${range}`, as)).body.occurrences as { fileName: string }[]).map(
        ({ fileName }) => fileName,
      );

    expect(await list()).toEqual(['five', 'six']);
    expect(await list(stranger)).toEqual(['six']);
  });

  it('returns 200 and reports that there are more', async () => {
    await add('often', `schedule: "* * * * *"\n${step}`);
    const { body } = await workflow.get(`/schedules/calendar?${range}&limit=2`);

    expect(body).toMatchObject({ hasMore: true });
    expect(body.occurrences).toHaveLength(2);
  });

  it('returns 400 without an end, and 404 for a workspace that is not visible', async () => {
    const stranger = await workflow.server.createKey('viewer', { other: 'viewer' });

    await expect(workflow.get('/schedules/calendar')).resolves.toMatchObject(badRequest('request_invalid'));
    await expect(workflow.get(`/schedules/calendar?${range}&workspace=ops`, stranger)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'workspace_not_found' },
    });
  });
});

describe('GET /dags/{fileName}/params-schema', () => {
  it('returns 200 with the declared parameters', async () => {
    await add('deploy', `params:\n  - {name: REGION, enum: [eu, us], required: true}\n${step}`);

    await expect(workflow.get('/dags/deploy/params-schema')).resolves.toMatchObject({
      status: 200,
      body: { schema: { properties: { REGION: { type: 'string', enum: ['eu', 'us'] } }, required: ['REGION'] } },
    });
  });

  it('returns 400 for a schema that cannot be read, and 404 for an unknown DAG', async () => {
    await add('broken', `params: {schema: missing.json}\n${step}`);

    await expect(workflow.get('/dags/broken/params-schema')).resolves.toMatchObject(badRequest('params_invalid'));
    await expect(workflow.get('/dags/nobody/params-schema')).resolves.toMatchObject(notFound);
  });
});

describe('GET /dags/{fileName}/callers', () => {
  it('returns 200 with the visible callers, by name or by path', async () => {
    await add('child', step);
    await add('by-name', 'steps:\n  - {name: call, action: dag.run, with: {dag: child}}\n');
    await add('by-path', 'steps:\n  - {name: call, action: dag.enqueue, with: {dag: ./child.yaml}}\n');
    await add('hidden', 'labels: [workspace=ops]\nsteps:\n  - {name: call, action: dag.run, with: {dag: child}}\n');
    await add('other', 'steps:\n  - {name: call, action: dag.run, with: {dag: children}}\n');
    const stranger = await workflow.server.createKey('viewer', { other: 'viewer' });
    const list = async (as?: string) =>
      ((await workflow.get('/dags/child/callers', as)).body.callers as { fileName: string }[]).map(
        ({ fileName }) => fileName,
      );

    expect(await list()).toEqual(['by-name', 'by-path', 'hidden']);
    expect(await list(stranger)).toEqual(['by-name', 'by-path']);
  });

  it('returns 404 for an unknown DAG', async () => {
    await expect(workflow.get('/dags/nobody/callers')).resolves.toMatchObject(notFound);
  });
});
