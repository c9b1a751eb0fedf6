import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { waitFor } from '@weir/test-kit';
import type { Backfill, BackfillPreviewResponse } from '@weir/workflow-contract/schemas';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

// Each run appends its occurrence, and the second one waits until there is a file.
const specOf = (folder: string) => `
schedule: "CRON_TZ=Europe/Berlin 30 2 * * *"
params: [{name: size, type: integer, default: 1}]
steps:
  - idempotent: true
    run: |
      echo "\${context.run.scheduled_at} \${params.size}" >> ${folder}/ran
      case "\${context.run.scheduled_at}" in 2026-03-28*) until [ -e ${folder}/go ]; do sleep 0.05; done;; esac
`;
const range = { from: '2026-03-27T00:00:00Z', to: '2026-03-31T00:00:00Z' };
const query = `from=${range.from}&to=${range.to}`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    const client = weir.createClient(admin);
    await client.createNewDag({ body: { name: 'daily', spec: specOf(weir.home.path) } });
    await client.createNewDag({ body: { name: 'often', spec: 'schedule: "* * * * *"\nsteps: [{run: "true"}]\n' } });
    await client.createNewDag({
      body: { name: 'slow', spec: 'schedule: "0 4 * * *"\nmax_active_runs: 1\nsteps: [{run: sleep 60}]\n' },
    });
  }, 60_000);

  afterAll(() => weir.dispose());

  const send = (method: string, path: string, body?: unknown) => weir.request(method, path, { token: admin, body });
  const ran = () => {
    const file = weir.home.file('ran');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };
  const backfillOf = async (path: string) => (await send('GET', path)).body as Backfill;

  describe('GET /dags/{fileName}/backfill-preview', () => {
    it('returns 200 with the occurrences and the change of clocks', async () => {
      const { status, body } = await send('GET', `/dags/daily/backfill-preview?${query}`);

      expect(status).toBe(200);
      const { occurrences, ...rest } = body as BackfillPreviewResponse;
      expect(rest).toEqual({ total: 4, existing: 0, maxOccurrences: 1000, isAllowed: true });
      expect(occurrences.map(({ time, clockChange }) => [time, clockChange])).toEqual([
        ['2026-03-27T01:30:00.000Z', undefined],
        ['2026-03-28T01:30:00.000Z', undefined],
        ['2026-03-29T01:00:00.000Z', 'gap'],
        ['2026-03-30T00:30:00.000Z', undefined],
      ]);
    });

    it('returns 400 for a range that is not in the past', async () => {
      expect(
        await send('GET', '/dags/daily/backfill-preview?from=2026-01-01T00:00:00Z&to=2999-01-01T00:00:00Z'),
      ).toMatchObject({ status: 400, body: { reason: 'range_not_past' } });
    });
  });

  describe('POST /dags/{fileName}/backfills', () => {
    it('returns 201 and runs each occurrence once, also after kill -9', async () => {
      const { status, body } = await send('POST', '/dags/daily/backfills', { ...range, params: 'size=7' });
      expect({ status, body }).toMatchObject({ status: 201, body: { status: 'active', total: 4, remaining: 4 } });
      const path = `/dags/daily/backfills/${(body as Backfill).id}`;
      await waitFor(() => ran().length === 2, { what: 'the second run to be executed', deadlineMs: 20_000 });
      expect(await send('POST', '/dags/daily/backfills', range)).toMatchObject({
        status: 409,
        body: { reason: 'backfill_active' },
      });
      await weir.process.stop({ signal: 'SIGKILL' });
      weir = await weir.restart();
      expect(await backfillOf(path)).toMatchObject({ status: 'active', started: 2 });
      writeFileSync(weir.home.file('go'), '');
      await waitFor(async () => (await backfillOf(path)).status === 'finished', {
        what: 'the end of the backfill',
        deadlineMs: 40_000,
      });
      await waitFor(
        async () => {
          const { runs } = (await send('GET', path)).body as { runs: { statusLabel: string; count: number }[] };
          return runs.length === 1 && runs[0]?.statusLabel === 'succeeded' && runs[0].count === 4;
        },
        { what: 'the end of its runs', deadlineMs: 20_000 },
      );

      // The run that was interrupted was executed again; no other occurrence was.
      expect([...new Set(ran())]).toEqual([
        '2026-03-27T01:30:00Z 7',
        '2026-03-28T01:30:00Z 7',
        '2026-03-29T01:00:00Z 7',
        '2026-03-30T00:30:00Z 7',
      ]);
      expect(await backfillOf(path)).toMatchObject({ started: 4, existing: 0, remaining: 0 });
    }, 120_000);

    it('returns 201 and starts nothing for occurrences that have a run', async () => {
      const { id } = (await send('POST', '/dags/daily/backfills', range)).body as Backfill;
      const path = `/dags/daily/backfills/${id}`;
      await waitFor(async () => (await backfillOf(path)).status === 'finished', { what: 'the end of the backfill' });

      expect(await backfillOf(path)).toMatchObject({ started: 0, existing: 4 });
    });

    it.each([
      ['for a range whose end is before its beginning', 'daily', { from: range.to, to: range.from }, 'range_empty'],
      ['for a range that is not past', 'daily', { ...range, to: '2999-01-01T00:00:00Z' }, 'range_not_past'],
      ['for a range without an occurrence', 'daily', { from: range.from, to: range.from }, 'no_occurrences'],
      ['for parameters that the DAG does not accept', 'daily', { ...range, params: 'size=big' }, 'params_invalid'],
      ['for a number of runs that is not permitted', 'daily', { ...range, maxActive: 101 }, 'request_invalid'],
    ])('returns 400 %s', async (_, name, body, reason) => {
      expect(await send('POST', `/dags/${name}/backfills`, body)).toMatchObject({ status: 400, body: { reason } });
    });

    it('returns 401 without a credential, 403 for a viewer and 404 for an unknown DAG', async () => {
      const { token } = await aUser(weir, admin, 'viewer', 'looks');
      const start = (name: string, as: string | undefined) =>
        weir.request('POST', `/dags/${name}/backfills`, { token: as, body: range });
      expect(await start('daily', undefined)).toMatchObject({ status: 401 });
      expect(await start('daily', token)).toMatchObject({ status: 403, body: { reason: 'role_missing' } });
      expect(await start('none', admin)).toMatchObject({ status: 404, body: { reason: 'dag_not_found' } });
    });

    it('returns 501 for a DAG with unsupported parts', async () => {
      const spec = 'schedule: "0 4 * * *"\nsteps: [{run: "true", worker_selector: {gpu: "yes"}}]\n';
      await send('POST', '/dags', { name: 'labelled', spec });
      expect(await send('POST', '/dags/labelled/backfills', range)).toMatchObject({
        status: 501,
        body: { reason: 'dag_not_runnable' },
      });
    });

    it('returns 400 for more occurrences than a backfill can have', async () => {
      expect(await send('POST', '/dags/often/backfills', range)).toMatchObject({
        status: 400,
        body: { reason: 'too_many_occurrences', details: { maxOccurrences: 1000 } },
      });
    });
  });

  describe('POST /dags/{fileName}/backfills/{backfillId}/cancel', () => {
    it('returns 200, starts no further run and dequeues those that are queued', async () => {
      const { id } = (await send('POST', '/dags/slow/backfills', { ...range, maxActive: 2 })).body as Backfill;
      const path = `/dags/slow/backfills/${id}`;
      await waitFor(async () => (await backfillOf(path)).started === 2, { what: 'two runs' });
      const { status, body } = await send('POST', `${path}/cancel`);

      expect({ status, body }).toMatchObject({ status: 200, body: { status: 'cancelled', started: 2, remaining: 2 } });
      expect(await send('POST', `${path}/cancel`)).toMatchObject({ status: 409, body: { reason: 'backfill_ended' } });
      const { runs } = (await send('GET', path)).body as { runs: { statusLabel: string; count: number }[] };
      expect(runs.find(({ statusLabel }) => statusLabel === 'queued')).toBeUndefined();
    });
  });

  describe('POST /dags/{fileName}/backfills/{backfillId}/cancel', () => {
    it('returns 401 without a credential, 403 for a viewer, 404 for an unknown backfill and 409 for an ended one', async () => {
      const { token } = await aUser(weir, admin, 'viewer', 'watches');
      const { backfills } = (await send('GET', '/dags/daily/backfills')).body as { backfills: Backfill[] };
      const path = `/dags/daily/backfills/${backfills[0]?.id}/cancel`;
      expect(await weir.request('POST', path)).toMatchObject({ status: 401 });
      expect(await weir.request('POST', path, { token })).toMatchObject({ status: 403 });
      expect(await send('POST', '/dags/daily/backfills/none/cancel')).toMatchObject({ status: 404 });
      expect(await send('POST', path)).toMatchObject({ status: 409, body: { reason: 'backfill_ended' } });
    });
  });

  describe('GET /dags/{fileName}/backfills', () => {
    it('returns 200 with the backfills, newest first', async () => {
      const { status, body } = await send('GET', '/dags/daily/backfills');

      expect(status).toBe(200);
      expect((body as { backfills: Backfill[] }).backfills.map(({ existing }) => existing)).toEqual([4, 0]);
    });
  });

  describe('GET /dags/{fileName}/backfills/{backfillId}', () => {
    it('returns 404 for an unknown backfill', async () => {
      expect(await send('GET', '/dags/daily/backfills/none')).toMatchObject({
        status: 404,
        body: { reason: 'backfill_not_found' },
      });
    });

    it('returns 200 with its runs by status', async () => {
      const { backfills } = (await send('GET', '/dags/daily/backfills')).body as { backfills: Backfill[] };

      expect(await send('GET', `/dags/daily/backfills/${backfills[0]?.id}`)).toMatchObject({
        status: 200,
        body: { status: 'finished', runs: [{ statusLabel: 'succeeded', count: 4 }] },
      });
    });
  });
});
