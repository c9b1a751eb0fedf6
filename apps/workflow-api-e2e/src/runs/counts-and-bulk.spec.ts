import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    viewer = (await aUser(weir, admin, 'viewer')).token;
    const client = weir.createClient(admin);
    await client.createNewDag({ body: { name: 'flaky', spec: 'steps:\n  - run: exit 3\n' } });
    for (const dagRunId of ['one', 'two']) {
      await client.executeDag({ params: { fileName: 'flaky' }, body: { dagRunId } });
      await endOfRun(weir, admin, 'flaky', dagRunId);
    }
  }, 60_000);

  afterAll(() => weir.dispose());

  const get = (address: string, token = viewer) => weir.request('GET', address, { token });

  describe('GET /run-counts', () => {
    it('returns 200 with the counts by status and by hour', async () => {
      const { status, body } = await get('/run-counts?by=hour&name=fla');

      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 2, statuses: [{ statusLabel: 'failed', count: 2 }], isComplete: true });
      const { hours } = body as { hours: { statuses: { count: number }[] }[] };
      const counted = hours.flatMap(({ statuses }) => statuses.map(({ count }) => count));
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(2);
    });

    it('returns 400 for a range that is too long', async () => {
      expect(await get('/run-counts?fromDate=0&by=hour')).toMatchObject({
        status: 400,
        body: { reason: 'range_too_long' },
      });
    });
  });

  const change = async (path: string, body: object) => {
    const answer = await weir.request('POST', path, { token: admin, body });
    const data = [...String(answer.body).matchAll(/^data: (.*)$/gm)].map(([, text = '']) => JSON.parse(text) as object);
    return { status: answer.status, items: data.slice(0, -1), end: data.at(-1) };
  };

  describe('POST /bulk/dag-runs', () => {
    it('returns 200 with the named runs only', async () => {
      const only = [{ name: 'flaky', dagRunId: 'two' }];
      const request = { action: 'delete', filter: { name: 'flaky' }, only, dryRun: true };

      expect(await change('/bulk/dag-runs', request)).toMatchObject({
        items: [{ dagRunId: 'two', outcome: 'possible' }],
        end: { total: 1, possible: 1, hasMore: false },
      });
    });

    it('returns 200 with the expected result for each run, and then with the actual one', async () => {
      const request = { action: 'retry', filter: { name: 'flaky', status: [2] } };
      const dry = await change('/bulk/dag-runs', { ...request, dryRun: true });
      expect(dry).toMatchObject({ status: 200, end: { total: 2, possible: 2 } });
      const { items, end } = await change('/bulk/dag-runs', request);

      expect(end).toMatchObject({ total: 2, done: 2, refused: 0, hasMore: false });
      expect(items).toContainEqual({ name: 'flaky', dagRunId: 'one', outcome: 'done' });
      for (const id of ['one', 'two']) await endOfRun(weir, admin, 'flaky', id);
      expect(await change('/bulk/dag-runs', { ...request, action: 'delete' })).toMatchObject({ end: { done: 2 } });
      expect((await get('/run-counts')).body).toMatchObject({ total: 0 });
    });
  });

  describe('POST /bulk/dags', () => {
    it('returns 200 with a result for each DAG, and the files have the labels', async () => {
      const request = { action: 'label', filter: { name: 'flaky' }, addLabels: ['team=data'] };
      expect(await change('/bulk/dags', request)).toEqual({
        status: 200,
        items: [{ fileName: 'flaky', outcome: 'done' }],
        end: { total: 1, done: 1, possible: 0, refused: 0, hasMore: false },
      });

      expect((await get('/dags?labels=team%3Ddata')).body).toMatchObject({ dags: [{ fileName: 'flaky' }] });
    });
  });
});
