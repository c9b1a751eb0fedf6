import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../../support/databases';
import { aUser, setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import { startWeir, type Weir } from '../../support/weir-server';
import { hello, skipExamples, slow, stubborn } from './support/run-control-home';

// Each case is several processes, one after the other.
jest.setTimeout(60_000);

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ ownProcess: true, env: skipExamples });
    admin = await setUpAdmin(weir);
    const client = weir.createClient(admin);
    await client.createNewDag({ body: { name: 'slow', spec: slow } });
    await client.createNewDag({ body: { name: 'stubborn', spec: stubborn } });
    await client.createNewDag({ body: { name: 'hello', spec: hello } });
  }, 60_000);

  afterAll(() => weir.dispose());

  const post = (path: string, token: string | undefined = admin, body?: object) =>
    weir.request('POST', path, { token, body });
  const running = async (dagRunId: string, name = 'slow') => {
    await weir.createClient(admin).executeDag({ params: { fileName: name }, body: { dagRunId } });
    await waitFor(
      async () => {
        const { dagRunDetails } = await weir.createClient(admin).getDagRunDetails({ params: { name, dagRunId } });
        return dagRunDetails.nodes[0]?.statusLabel === 'running';
      },
      { what: 'the step to run' },
    );
  };

  describe('POST /dag-runs/{name}/{dagRunId}/stop', () => {
    it('returns 200, even if repeated, and the run ends aborted', async () => {
      await running('stop-1');
      expect(await post('/dag-runs/slow/stop-1/stop')).toMatchObject({ status: 200 });
      expect((await post('/dag-runs/slow/stop-1/stop')).status).toBe(200);
      const run = await endOfRun(weir, admin, 'slow', 'stop-1');
      expect(run).toMatchObject({
        statusLabel: 'aborted',
        nodes: [{ statusLabel: 'aborted' }, { statusLabel: 'aborted' }],
      });
      expect((await post('/dag-runs/slow/stop-1/stop')).status).toBe(200);
    });

    it('returns 400 for a run that has ended', async () => {
      await post('/dags/hello/start', admin, { dagRunId: 'ended' });
      await endOfRun(weir, admin, 'hello', 'ended');
      expect(await post('/dag-runs/hello/ended/stop')).toMatchObject({ status: 400, body: { reason: 'not_running' } });
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('POST', '/dag-runs/slow/x/stop')).status).toBe(401);
    });

    it('returns 403 for a viewer', async () => {
      const { token } = await aUser(weir, admin, 'viewer', 'stopper');
      await running('stop-2');
      expect((await post('/dag-runs/slow/stop-2/stop', token)).status).toBe(403);
      expect((await post('/dag-runs/slow/stop-2/stop')).status).toBe(200);
    });

    it('returns 404 for an unknown run, and for "latest"', async () => {
      expect((await post('/dag-runs/slow/none/stop')).status).toBe(404);
      expect((await post('/dag-runs/slow/latest/stop')).status).toBe(404);
    });
  });

  describe('POST /dags/{fileName}/stop-all', () => {
    it('returns 200 and every running run ends', async () => {
      for (const id of ['all-1', 'all-2', 'all-3']) await running(id);
      expect(await post('/dags/slow/stop-all')).toMatchObject({ status: 200, body: { errors: [] } });
      for (const id of ['all-1', 'all-2', 'all-3']) {
        expect((await endOfRun(weir, admin, 'slow', id)).statusLabel).toBe('aborted');
      }
    });

    it('returns 404 for an unknown DAG', async () => {
      expect((await post('/dags/nobody/stop-all')).status).toBe(404);
    });
  });

  describe('POST /dags/{fileName}/enqueue', () => {
    it('returns 200 with a run that is executed', async () => {
      const body = { params: 'WHO=you', dagRunId: 'in-queue', queue: 'night', labels: ['via=api'] };
      expect(await post('/dags/hello/enqueue', admin, body)).toMatchObject({
        status: 200,
        body: { dagRunId: 'in-queue' },
      });
      const run = await endOfRun(weir, admin, 'hello', 'in-queue');
      expect(run).toMatchObject({ statusLabel: 'succeeded', labels: ['via=api'], params: 'WHO=you' });
      expect(run.queuedAt).toBeDefined();
    });

    it('returns 400 for an invalid queue', async () => {
      expect((await post('/dags/hello/enqueue', admin, { queue: '../x' })).status).toBe(400);
    });

    it('returns 409 for a taken id', async () => {
      expect((await post('/dags/hello/enqueue', admin, { dagRunId: 'twice' })).status).toBe(200);
      expect((await post('/dags/hello/enqueue', admin, { dagRunId: 'twice' })).status).toBe(409);
    });
  });

  describe('POST /dags/{fileName}/dry-run', () => {
    it('returns 200 with what a start would execute', async () => {
      expect(await post('/dags/slow/dry-run', admin, {})).toMatchObject({
        status: 200,
        body: {
          dag: 'slow',
          steps: [
            { work: 'command', skipped: false },
            { work: 'command', skipped: false },
          ],
        },
      });
    });
  });

  describe('POST /dag-runs/dry-run', () => {
    it('returns 200 with the steps in a possible order', async () => {
      const spec = 'steps:\n  - {name: last, run: exit 1, depends: first}\n  - {name: first, action: noop}\n';
      expect(await post('/dag-runs/dry-run', admin, { spec, name: 'planned', only: ['last'] })).toMatchObject({
        status: 200,
        body: {
          dag: 'planned',
          steps: [
            { name: 'first', work: 'noop', skipped: true },
            { name: 'last', depends: ['first'] },
          ],
        },
      });
    });
  });

  it('ends a run whose stop was requested before kill -9 as aborted', async () => {
    await running('crash', 'stubborn');
    expect((await post('/dag-runs/stubborn/crash/stop')).status).toBe(200);
    // The step ignores the signal, so the stored request is the only trace of it.
    await weir.process.stop({ signal: 'SIGKILL' });
    weir = await weir.restart();
    expect((await endOfRun(weir, admin, 'stubborn', 'crash')).statusLabel).toBe('aborted');
  }, 90_000);
});

describe('GET /dag-runs/{name}/{dagRunId}/dequeue', () => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await startWeir({ command: 'server', env: skipExamples });
    admin = await setUpAdmin(weir);
    await weir.createClient(admin).createNewDag({ body: { name: 'hello', spec: hello } });
    await weir.createClient(admin).enqueueDag({ params: { fileName: 'hello' }, body: { dagRunId: 'waiting' } });
  }, 60_000);
  afterAll(() => weir.dispose());

  const dequeue = (id: string, headers = {}) =>
    weir.request('GET', `/dag-runs/hello/${id}/dequeue`, { token: admin, headers });

  it('returns 403 for a page of another site, although the method is GET', async () => {
    expect((await dequeue('waiting', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('returns 403 for an image on a page whose browser sends no information about the page to a server without TLS', async () => {
    const image = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', accept: 'image/*' };
    const path = '/dag-runs/hello/waiting/dequeue';

    expect((await weir.request('GET', path, { headers: image })).status).toBe(403);
    const script = { ...image, 'x-requested-with': 'weir' };
    expect((await weir.request('GET', path, { headers: script })).status).toBe(401);
  });

  it('returns 200 and the run is aborted, and 404 for an unknown run', async () => {
    expect((await dequeue('waiting')).status).toBe(200);
    expect((await endOfRun(weir, admin, 'hello', 'waiting')).statusLabel).toBe('aborted');
    expect((await dequeue('none')).status).toBe(404);
  });
});
