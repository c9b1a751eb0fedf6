import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

const twoSteps =
  'steps:\n  - {name: first, run: "echo needle one"}\n  - {name: second, run: "echo Needle two", depends: first}\n';
const waits = 'steps:\n  - {name: review, run: "true", approval: {}}\n';
const slow = 'steps:\n  - {name: hang, run: "exec sleep 300"}\n';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    viewer = (await aUser(weir, admin, 'viewer')).token;
    for (const [name, spec] of Object.entries({ pair: twoSteps, waits, slow, slower: slow }))
      await weir.createClient(admin).createNewDag({ body: { name, spec } });
  }, 60_000);

  afterAll(() => weir.dispose());

  const get = (address: string, token = viewer) => weir.request('GET', address, { token });
  const startSync = (name: string, body: object, token = admin) =>
    weir.request('POST', `/dags/${name}/start-sync`, { token, body });

  describe('POST /dags/{fileName}/start-sync', () => {
    it('returns 200 with the run once it has ended', async () => {
      const { status, body } = await startSync('pair', { timeout: 30, dagRunId: 'ended' });

      expect(status).toBe(200);
      expect(body).toMatchObject({ dagRun: { dagRunId: 'ended', statusLabel: 'succeeded' } });
    });

    it('returns 200 with a run that waits for a person', async () => {
      expect(await startSync('waits', { timeout: 30 })).toMatchObject({
        status: 200,
        body: { dagRun: { statusLabel: 'waiting' } },
      });
    });

    it('returns 408 with the id of a run that continues', async () => {
      const { status, body } = await startSync('slow', { timeout: 1, dagRunId: 'continues' });

      expect(status).toBe(408);
      expect(body).toMatchObject({ code: 'timeout', dagRunId: 'continues' });
      expect((await get('/dags/slow/dag-runs/continues')).body).toMatchObject({ dagRun: { statusLabel: 'running' } });
    });

    it('returns 400 without a timeout, 403 for a viewer, 404 for an unknown DAG and 409 for a taken id', async () => {
      await startSync('pair', { timeout: 30, dagRunId: 'taken' });

      expect((await startSync('pair', {})).status).toBe(400);
      expect((await startSync('pair', { timeout: 30 }, viewer)).status).toBe(403);
      expect((await startSync('nobody', { timeout: 30 })).status).toBe(404);
      expect((await startSync('pair', { timeout: 30, dagRunId: 'taken' })).status).toBe(409);
    });
  });

  describe('GET /dags/{fileName}/dag-runs', () => {
    it('returns 200 with the runs, newest first, and a row for each step', async () => {
      await weir.createClient(admin).createNewDag({ body: { name: 'history', spec: twoSteps } });
      for (const dagRunId of ['older', 'newer']) await startSync('history', { timeout: 30, dagRunId });
      const { status, body } = await get('/dags/history/dag-runs');

      expect(status).toBe(200);
      expect(body).toMatchObject({
        dagRuns: [{ dagRunId: 'newer' }, { dagRunId: 'older' }],
        gridData: [
          { name: 'first', history: [4, 4] },
          { name: 'second', history: [4, 4] },
        ],
      });
    });

    it('returns 200 with the requested number of runs, without their steps on request', async () => {
      await weir.createClient(admin).createNewDag({ body: { name: 'long-history', spec: twoSteps } });
      for (const dagRunId of ['oldest', 'older', 'newer']) await startSync('long-history', { timeout: 30, dagRunId });
      const { body } = await get('/dags/long-history/dag-runs?limit=2&nodes=false');

      expect(body).toMatchObject({
        dagRuns: [
          { dagRunId: 'newer', nodes: [] },
          { dagRunId: 'older', nodes: [] },
        ],
        gridData: [{ history: [4, 4] }, { history: [4, 4] }],
      });
    });

    it('returns 400 for more than 100 runs', async () => {
      expect((await get('/dags/pair/dag-runs?limit=101')).status).toBe(400);
    });

    it('returns 401 without a credential, and 404 for an unknown DAG', async () => {
      expect((await weir.request('GET', '/dags/pair/dag-runs')).status).toBe(401);
      expect((await get('/dags/nobody/dag-runs')).status).toBe(404);
    });
  });

  describe('GET /dags/{fileName}/dag-runs/{dagRunId}', () => {
    it('returns 200 with the run, and with the newest one for "latest"', async () => {
      await weir.createClient(admin).createNewDag({ body: { name: 'latest-of', spec: twoSteps } });
      for (const dagRunId of ['older', 'newer']) await startSync('latest-of', { timeout: 30, dagRunId });

      expect((await get('/dags/latest-of/dag-runs/older')).body).toMatchObject({ dagRun: { dagRunId: 'older' } });
      expect((await get('/dags/latest-of/dag-runs/latest')).body).toMatchObject({ dagRun: { dagRunId: 'newer' } });
    });

    it('returns 404 for an unknown DAG and an unknown run', async () => {
      expect((await get('/dags/nobody/dag-runs/x')).status).toBe(404);
      expect((await get('/dags/pair/dag-runs/nobody')).status).toBe(404);
    });
  });

  describe('GET /dag-runs/{name}', () => {
    it('returns 200 with the runs of the DAG', async () => {
      await startSync('pair', { timeout: 30, dagRunId: 'listed' });
      const { status, body } = await get('/dag-runs/pair');

      expect(status).toBe(200);
      expect((body as { dagRuns: readonly { name: string }[] }).dagRuns.map(({ name }) => name)).toContain('pair');
      expect((await get('/dag-runs/nobody')).body).toMatchObject({ dagRuns: [] });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/log', () => {
    it('returns 200 with the log of the run', async () => {
      await startSync('pair', { timeout: 30, dagRunId: 'logged' });

      expect(await get('/dag-runs/pair/logged/log')).toMatchObject({
        status: 200,
        body: { content: expect.any(String) as string },
      });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/outputs', () => {
    it('returns 200 without outputs of steps that publish none, and 404 for an unknown run', async () => {
      await startSync('pair', { timeout: 30, dagRunId: 'silent' });

      expect(await get('/dag-runs/pair/silent/outputs')).toMatchObject({ status: 200, body: { outputs: {} } });
      expect((await get('/dag-runs/pair/nobody/outputs')).status).toBe(404);
    });
  });

  describe('POST /dag-runs', () => {
    const post = (body: object, token = admin) => weir.request('POST', '/dag-runs', { token, body });

    it('returns 200 with a run of the spec, without storing a file', async () => {
      const { status, body } = await post({ name: 'inline', spec: twoSteps, dagRunId: 'inline-1' });

      expect({ status, body }).toEqual({ status: 200, body: { name: 'inline', dagRunId: 'inline-1' } });
      expect((await endOfRun(weir, admin, 'inline', 'inline-1')).statusLabel).toBe('succeeded');
      expect((await get('/dags/inline')).status).toBe(404);
    });

    it('returns 400 for a spec with errors, 403 for a viewer and 409 for a taken id', async () => {
      await post({ name: 'inline', spec: twoSteps, dagRunId: 'inline-2' });

      expect((await post({ spec: 'steps: 5\n' })).status).toBe(400);
      expect((await post({ name: 'inline', spec: twoSteps }, viewer)).status).toBe(403);
      expect((await post({ name: 'inline', spec: twoSteps, dagRunId: 'inline-2' })).status).toBe(409);
    });
  });

  describe('POST /dag-runs/enqueue', () => {
    it('returns 200 with a run that is executed', async () => {
      const body = { name: 'queued', spec: twoSteps, dagRunId: 'queued-1' };

      expect(await weir.request('POST', '/dag-runs/enqueue', { token: admin, body })).toMatchObject({
        status: 200,
        body: { name: 'queued', dagRunId: 'queued-1' },
      });
      expect((await endOfRun(weir, admin, 'queued', 'queued-1')).statusLabel).toBe('succeeded');
    });

    it('returns 409 for a taken id', async () => {
      const body = { name: 'queued', spec: twoSteps, dagRunId: 'queued-2' };
      await weir.request('POST', '/dag-runs/enqueue', { token: admin, body });

      expect(await weir.request('POST', '/dag-runs/enqueue', { token: admin, body })).toMatchObject({
        status: 409,
        body: { reason: 'dag_run_exists' },
      });
    });
  });

  describe('GET /dags/search', () => {
    it('returns 200 with the DAGs and their matches', async () => {
      const { status, body } = await get('/dags/search?q=NEEDLE');

      expect(status).toBe(200);
      expect((body as { results: readonly object[] }).results).toContainEqual(
        expect.objectContaining({
          name: 'pair',
          matches: [expect.objectContaining({ lineNumber: 2 }), expect.objectContaining({ lineNumber: 3 })],
        }),
      );
    });

    it('returns 400 for a blank text', async () => {
      expect((await get('/dags/search?q=%20')).status).toBe(400);
    });
  });

  describe('GET /search/dags', () => {
    it('returns 200 with pages', async () => {
      const first = await get('/search/dags?q=sleep&limit=1');

      expect(first).toMatchObject({ status: 200, body: { results: [{ fileName: 'slow' }], hasMore: true } });
      const { nextCursor } = first.body as { nextCursor: string };
      expect((await get(`/search/dags?q=sleep&limit=1&cursor=${encodeURIComponent(nextCursor)}`)).body).toMatchObject({
        results: [{ fileName: 'slower' }],
        hasMore: false,
      });
      expect((await get(`/search/dags?q=other&cursor=${encodeURIComponent(nextCursor)}`)).status).toBe(400);
    });
  });

  describe('GET /search/dags/{fileName}/matches', () => {
    it('returns 200 with a page of matches, and 404 for an unknown DAG', async () => {
      expect(await get('/search/dags/pair/matches?q=needle&limit=1')).toMatchObject({
        status: 200,
        body: { matches: [{ lineNumber: 2 }], hasMore: true },
      });
      expect((await get('/search/dags/nobody/matches?q=needle')).status).toBe(404);
    });
  });

  describe('GET /search/dag-runs', () => {
    const search = (query: string) => get(`/search/dag-runs?${query}`);

    it('returns 200 with pages of the runs that have all words, once they have started and once they have failed', async () => {
      const spec = 'params: { host: gateway7 }\nsteps:\n  - {name: call, run: "exit 93"}\n';
      await weir.createClient(admin).createNewDag({ body: { name: 'calls', spec } });
      await startSync('slow', { timeout: 1, dagRunId: 'wanted-before-its-end' });
      for (const dagRunId of ['first-93', 'second-93']) await startSync('calls', { timeout: 30, dagRunId });

      expect((await search('q=wanted')).body).toMatchObject({ results: [{ name: 'slow', statusLabel: 'running' }] });
      const first = await search('q=93%20CALL&limit=1');
      expect(first).toMatchObject({
        status: 200,
        body: {
          results: [
            {
              name: 'calls',
              dagRunId: 'second-93',
              matches: [{ field: 'name' }, { field: 'dagRunId' }, { field: 'step', step: 'call' }],
            },
          ],
          hasMore: true,
        },
      });
      const { nextCursor } = first.body as { nextCursor: string };
      expect((await search(`q=93%20CALL&limit=1&cursor=${encodeURIComponent(nextCursor)}`)).body).toMatchObject({
        results: [{ dagRunId: 'first-93' }],
        hasMore: false,
      });
    });

    it('returns 400 for a blank text, 401 without a credential, and 404 for an unknown workspace', async () => {
      expect((await search('q=%20')).status).toBe(400);
      expect((await weir.request('GET', '/search/dag-runs?q=a')).status).toBe(401);
      const grants = [{ workspace: 'elsewhere', role: 'viewer' }];
      const body = { name: 'k', role: 'viewer', workspaceAccess: { all: false, grants } };
      expect((await weir.request('POST', '/workspaces', { token: admin, body: { name: 'elsewhere' } })).status).toBe(
        201,
      );
      const { key = '' } = (await weir.request('POST', '/api-keys', { token: admin, body })).body as { key?: string };
      expect((await get('/search/dag-runs?q=a&workspace=ops', key)).status).toBe(404);
    });
  });
});
