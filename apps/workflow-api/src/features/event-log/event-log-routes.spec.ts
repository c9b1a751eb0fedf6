import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';
import { createInMemoryEventLogRepository } from './in-memory-event-log-repository';
import type { EventLogEntry } from './event-log-entry';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';

const anEntry = (minute: number, values: Partial<EventLogEntry> = {}): EventLogEntry => ({
  id: `e${minute}`,
  kind: 'dag_run',
  type: 'dag.run.failed',
  sourceInstance: 'host:1',
  occurredAt: new Date(Date.UTC(2026, 0, 2, 3, minute)),
  recordedAt: new Date(Date.UTC(2026, 0, 2, 3, minute, 1)),
  dagName: 'nightly',
  dagRunId: 'run-1',
  attempt: 1,
  userId: null,
  status: 'failed',
  data: {},
  ...values,
});

describe('GET /event-logs', () => {
  let server: TestWorkflow;
  let manager: string;
  const get = (query: string, as = manager) => server.api.send(`GET /event-logs?${query}`, { as });
  const idsOf = (body: unknown) => (body as { entries: { id: string }[] }).entries.map(({ id }) => id);

  beforeAll(async () => {
    const eventLog = createInMemoryEventLogRepository();
    await eventLog.insert([
      anEntry(1),
      anEntry(2, { attempt: 2, status: null, userId: 'ada', kind: 'decision', type: 'step.approved' }),
      anEntry(3, { dagName: 'other' }),
    ]);
    server = await createTestWorkflow({ platform: { eventLog } });
    manager = await server.createKey('manager');
  });
  afterAll(() => server.stop());

  it('returns entries newest first with their number', async () => {
    const { status, body } = await get('limit=2');

    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 3, entries: [{ id: 'e3' }, { id: 'e2' }] });
    expect((body as { entries: unknown[] }).entries[1]).toEqual({
      id: 'e2',
      schemaVersion: 1,
      kind: 'decision',
      type: 'step.approved',
      data: {},
      occurredAt: '2026-01-02T03:02:00.000Z',
      recordedAt: '2026-01-02T03:02:01.000Z',
      sourceService: 'workflow-api',
      sourceInstance: 'host:1',
      dagName: 'nightly',
      dagRunId: 'run-1',
      attemptId: '2',
      userId: 'ada',
    });
    expect(idsOf((await get('limit=2&offset=2')).body)).toEqual(['e1']);
  });

  it('pages by cursor', async () => {
    const first = (await get('limit=2&paginationMode=cursor')).body as { nextCursor: string };
    expect(first).not.toHaveProperty('total');
    const { body } = await get(`limit=2&cursor=${first.nextCursor}`);

    expect(idsOf(body)).toEqual(['e1']);
    expect(body).not.toHaveProperty('nextCursor');
    await expect(get(`limit=2&dagName=other&cursor=${first.nextCursor}`)).resolves.toMatchObject(
      badRequest('cursor_invalid'),
    );
  });

  it.each([
    ['kind=decision', ['e2']],
    ['type=dag.run.failed&dagName=nightly', ['e1']],
    ['dagRunId=none', []],
    ['attemptId=2', ['e2']],
    ['attemptId=second', []],
    ['userId=ada', ['e2']],
    ['sessionId=any', []],
    ['model=any', []],
    ['startTime=2026-01-02T03:02:00Z&endTime=2026-01-02T03:03:00Z', ['e2']],
  ])('filters by %s', async (query, ids) => {
    const { status, body } = await get(query);

    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(ids);
    expect(body).toMatchObject({ total: ids.length });
  });

  it.each(['cursor=x&offset=1', 'cursor=x&paginationMode=offset', 'offset=1&paginationMode=cursor', 'limit=501'])(
    'returns 400 for %s',
    async (query) => {
      await expect(get(query)).resolves.toMatchObject(badRequest('request_invalid'));
    },
  );

  it('returns 403 to a developer', async () => {
    await expect(get('', await server.createKey('developer'))).resolves.toMatchObject(roleMissing);
  });
});

describe('the log of a server', () => {
  const workflow = useWorkflow();

  it('has the events of its runs, once the server has stored them', async () => {
    await workflow.post('/dag-runs/enqueue', { spec: 'name: nightly\nsteps:\n  - run: "true"\n', dagRunId: 'one' });
    await workflow.server.application.stop();

    await expect(workflow.get('/event-logs')).resolves.toMatchObject({
      body: { entries: [{ type: 'dag.run.queued', dagName: 'nightly', dagRunId: 'one', status: 'queued' }] },
    });
  });
});
