import type { Backfill, BackfillPreviewResponse } from '@weir/workflow-contract/schemas';
import { createManualClock } from '@weir/test-kit';
import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';
import { occurrenceRunId } from '../scheduler';

const spec = `schedule: ["0 3 * * *"]
params: [{name: size, type: integer, default: 1}]
steps: [{name: one, run: "true"}]
`;
const day = (number: number) => new Date(Date.UTC(2026, 9, number, 3)).toISOString();
const range = `from=${day(1)}&to=${day(3)}`;

let server: TestWorkflow;
let asAdmin: string;

beforeEach(async () => {
  server = await createTestWorkflow({ clock: createManualClock('2026-11-22T09:00:00Z') });
  asAdmin = await server.createKey('admin');
  await server.addDag('nightly', spec);
});
afterEach(() => server.stop());

const get = (path: `/${string}`, as = asAdmin) => server.api.send(`GET ${path}`, { as });
const post = (path: `/${string}`, body: unknown = {}, as = asAdmin) => server.api.send(`POST ${path}`, { as, body });
const start = (body: object = {}, as = asAdmin) =>
  post('/dags/nightly/backfills', { from: day(1), to: day(3), ...body }, as);
const started = async () => (await start()).body as unknown as Backfill;

describe('GET /dags/{fileName}/backfill-preview', () => {
  const preview = async (query: string, fileName = 'nightly') => {
    const { status, body } = await get(`/dags/${fileName}/backfill-preview?${query}`);
    expect(status).toBe(200);
    return body as unknown as BackfillPreviewResponse;
  };

  it('returns 200 with the occurrences, both ends included, and the runs that they have', async () => {
    const ids = [occurrenceRunId('scheduled', 'nightly', new Date(day(1)))];
    // As earlier versions called runs that were caught up.
    ids.push(occurrenceRunId('scheduled', 'nightly', new Date(day(2))).replace('scheduled', 'catchup'));
    for (const id of ids) {
      await server.application.runs.insert(aRun({ id, dagRunId: id, status: 'failed' }), [], {
        audit: unaudited,
        singleton: false,
      });
    }

    const { occurrences, ...rest } = await preview(range);
    expect(occurrences.map(({ time, statusLabel }) => [time, statusLabel])).toEqual([
      [day(1), 'failed'],
      [day(2), 'failed'],
      [day(3), undefined],
    ]);
    expect(rest).toEqual({ total: 3, existing: 2, maxOccurrences: 1000, isAllowed: true });
  });

  it('returns 200 and marks changes of clocks', async () => {
    await server.addDag('berlin', 'schedule: ["CRON_TZ=Europe/Berlin 30 2 * * *"]\nsteps: [{run: "true"}]\n');
    const { occurrences } = await preview('from=2026-10-24T00:00:00Z&to=2026-10-26T12:00:00Z', 'berlin');

    expect(occurrences).toMatchObject([
      { time: '2026-10-24T00:30:00.000Z' },
      { time: '2026-10-25T00:30:00.000Z', clockChange: 'overlap' },
      { time: '2026-10-26T01:30:00.000Z' },
    ]);
  });

  it('returns 200 and reports that there are too many, or none', async () => {
    await server.addDag('often', 'schedule: ["* * * * *"]\nsteps: [{run: "true"}]\n');
    await server.addDag('never', 'steps: [{run: "true"}]\n');

    await expect(preview(range, 'often')).resolves.toMatchObject({ total: 1001, isAllowed: false });
    await expect(preview(range, 'never')).resolves.toMatchObject({ total: 0, occurrences: [], isAllowed: false });
  });

  it.each([
    [`from=${day(3)}&to=${day(1)}`, 'range_empty'],
    [`from=${day(1)}&to=2026-11-22T08:56:00Z`, 'range_not_past'],
    ['from=yesterday&to=today', 'request_invalid'],
  ])('returns 400 for %s', async (query, reason) => {
    await expect(get(`/dags/nightly/backfill-preview?${query}`)).resolves.toMatchObject(badRequest(reason));
  });
});

describe('POST /dags/{fileName}/backfills', () => {
  it('returns 201 with the backfill', async () => {
    await expect(start({ maxActive: 2, params: 'size=3' })).resolves.toMatchObject({
      status: 201,
      body: {
        status: 'active',
        from: day(1),
        to: day(3),
        maxActive: 2,
        params: 'size=3',
        total: 3,
        started: 0,
        existing: 0,
        remaining: 3,
        nextOccurrence: day(1),
      },
    });
  });

  it.each([
    ['an empty range', { from: day(3), to: day(1) }, 'range_empty'],
    ['a range that is not past', { to: '2026-11-22T08:59:00Z' }, 'range_not_past'],
    ['a range without occurrences', { from: '2026-10-01T04:00:00Z', to: '2026-10-01T05:00:00Z' }, 'no_occurrences'],
    ['more occurrences than a backfill can have', { from: '2020-01-01T00:00:00Z' }, 'too_many_occurrences'],
    ['parameters that the DAG does not accept', { params: 'size=large' }, 'params_invalid'],
    ['more runs at a time than are possible', { maxActive: 101 }, 'request_invalid'],
  ])('returns 400 for %s', async (_, body, reason) => {
    await expect(start(body)).resolves.toMatchObject(badRequest(reason));
  });

  it('returns 403 for a viewer', async () => {
    const viewer = await server.createKey('viewer');

    await expect(start({}, viewer)).resolves.toMatchObject({ status: 403, body: { reason: 'role_missing' } });
  });

  it('returns 409 while a backfill of the DAG is active', async () => {
    await start();

    await expect(start()).resolves.toMatchObject({ status: 409, body: { reason: 'backfill_active' } });
  });
});

describe('the backfills of a DAG', () => {
  it('are listed and returned with 200, and cancelled once', async () => {
    const { id } = await started();

    await expect(get('/dags/nightly/backfills')).resolves.toMatchObject({ status: 200, body: { backfills: [{ id }] } });
    await expect(get(`/dags/nightly/backfills/${id}`)).resolves.toMatchObject({ status: 200, body: { id, runs: [] } });
    await expect(post(`/dags/nightly/backfills/${id}/cancel`)).resolves.toMatchObject({
      status: 200,
      body: { id, status: 'cancelled' },
    });
    await expect(post(`/dags/nightly/backfills/${id}/cancel`)).resolves.toMatchObject({
      status: 409,
      body: { reason: 'backfill_ended' },
    });
  });

  it('are answered with 403 and 404 where they may not be changed or seen', async () => {
    const { id } = await started();
    await server.addDag('other', spec);
    const viewer = await server.createKey('viewer');

    await expect(post(`/dags/nightly/backfills/${id}/cancel`, {}, viewer)).resolves.toMatchObject({ status: 403 });
    await expect(get(`/dags/other/backfills/${id}`)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'backfill_not_found' },
    });
    await expect(post(`/dags/other/backfills/${id}/cancel`)).resolves.toMatchObject({ status: 404 });
  });
});
