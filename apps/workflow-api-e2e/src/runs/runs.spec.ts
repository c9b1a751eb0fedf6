import { waitFor } from '@weir/test-kit';
import type { DagRunDetails } from '@weir/workflow-contract/schemas';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

const pipeline = `
params: WHO=world
env:
  - GREETING: hello
steps:
  - name: first
    run: echo "$GREETING $WHO"
  - name: left
    run: echo left
    depends: first
  - name: right
    run: echo right >&2
    depends: first
  - name: last
    run: test "$DAG_NAME" = pipeline
    depends: [left, right]
`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    await add('pipeline', pipeline);
  }, 60_000);

  afterAll(() => weir.dispose());

  const add = (name: string, spec: string) => weir.createClient(admin).createNewDag({ body: { name, spec } });
  const startRun = (name: string, body: object = {}, token: string | undefined = admin) =>
    weir.request('POST', `/dags/${name}/start`, { token, body });
  const runToEnd = async (name: string, body: object = {}): Promise<DagRunDetails> => {
    const { dagRunId } = (await startRun(name, body)).body as { dagRunId: string };
    return endOfRun(weir, admin, name, dagRunId);
  };
  const readLog = async (run: DagRunDetails, step: string, query = '') => {
    const answer = await weir.request('GET', `/dag-runs/${run.name}/${run.dagRunId}/steps/${step}/log${query}`, {
      token: admin,
    });
    return (answer.body as { content: string }).content;
  };

  describe('POST /dags/{fileName}/start', () => {
    it('returns 200 with a run that is executed', async () => {
      const { status, body } = await startRun('pipeline');
      expect(status).toBe(200);
      const { dagRunId } = body as { dagRunId: string };
      expect(dagRunId).toMatch(/^[0-9A-Za-z]{22}$/);

      const run = await endOfRun(weir, admin, 'pipeline', dagRunId);

      expect(run).toMatchObject({
        statusLabel: 'succeeded',
        status: 4,
        triggerType: 'manual',
        rootDAGRunId: dagRunId,
        startedBy: { kind: 'user', name: 'ada', id: expect.any(String) as string },
      });
      expect(run.nodes.map((node) => [node.step.name, node.statusLabel])).toEqual([
        ['first', 'succeeded'],
        ['left', 'succeeded'],
        ['right', 'succeeded'],
        ['last', 'succeeded'],
      ]);
      const [first, left, , last] = run.nodes;
      expect(Date.parse(left?.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.finishedAt ?? ''));
      expect(Date.parse(last?.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(left?.finishedAt ?? ''));
      expect(await readLog(run, 'first')).toBe('hello world');
      expect(await readLog(run, 'right')).toBe('');
      expect(await readLog(run, 'right', '?stream=stderr')).toBe('right');
    });

    it('returns 200 and passes the parameters on', async () => {
      const run = await runToEnd('pipeline', {
        params: 'WHO="dear reader"',
        dagRunId: 'my-own-id',
        labels: ['via=spec'],
      });

      expect(run).toMatchObject({ dagRunId: 'my-own-id', labels: ['via=spec'] });
      expect(await readLog(run, 'first')).toBe('hello dear reader');
    });

    it('executes steps in parallel as the graph allows', async () => {
      // Each waits for the file that the other makes: one after the other they would never end.
      const meet = (mine: string, other: string) =>
        `touch "$DAG_RUN_WORK_DIR/${mine}"; for i in $(seq 400); do test -e "$DAG_RUN_WORK_DIR/${other}" && exit 0; sleep 0.05; done; exit 1`;
      await add(
        'parallel',
        `steps:\n  - name: a\n    run: '${meet('a', 'b')}'\n  - name: b\n    run: '${meet('b', 'a')}'\n`,
      );

      expect((await runToEnd('parallel')).statusLabel).toBe('succeeded');
    });

    it('ends failed when a step fails, and does not execute its dependents', async () => {
      await add(
        'failing',
        'steps:\n  - name: bad\n    run: exit 3\n  - name: after\n    run: echo no\n    depends: bad\n',
      );
      const run = await runToEnd('failing');

      expect(run.statusLabel).toBe('failed');
      expect(run.nodes).toMatchObject([
        { statusLabel: 'failed', error: expect.stringContaining('3') as string },
        { statusLabel: 'aborted', startedAt: '' },
      ]);
    });

    it('stores the definition that the run was created from', async () => {
      const { filePath = '' } = await weir.createClient(admin).getDagDetails({ params: { fileName: 'pipeline' } });
      expect(filePath).not.toBe('');
      const run = await runToEnd('pipeline', {});
      expect(run).toMatchObject({ specFromFile: true, sourceFileName: 'pipeline' });
    });

    it('returns 400 for parameters, a run id or labels that are not valid, and for a DAG with errors', async () => {
      for (const body of [
        { dagRunId: 'a b' },
        { dagRunId: 'latest' },
        { labels: ['no spaces'] },
        { params: '{broken' },
      ]) {
        expect((await startRun('pipeline', body)).status).toBe(400);
      }
      await add(
        'typed',
        'params:\n  - name: COUNT\n    type: integer\n    required: true\nsteps:\n  - run: echo $COUNT\n',
      );
      expect((await startRun('typed')).status).toBe(400);
      expect((await startRun('typed', { params: 'COUNT=many' })).status).toBe(400);
      expect((await startRun('typed', { params: 'COUNT=3' })).status).toBe(200);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('POST', '/dags/pipeline/start', { body: {} })).status).toBe(401);
    });

    it('returns 403 for a viewer', async () => {
      const { token } = await aUser(weir, admin, 'viewer', 'starter');
      expect((await startRun('pipeline', {}, token)).status).toBe(403);
    });

    it('returns 404 for an unknown DAG', async () => {
      expect((await startRun('nobody')).status).toBe(404);
    });

    it('returns 409 when the run id is taken, and for a singleton that is active', async () => {
      expect((await startRun('pipeline', { dagRunId: 'once' })).status).toBe(200);
      expect((await startRun('pipeline', { dagRunId: 'once' })).status).toBe(409);

      await add('slow', 'steps:\n  - run: sleep 30\n');
      expect((await startRun('slow')).status).toBe(200);
      expect((await startRun('slow', { singleton: true })).status).toBe(409);
    });
  });

  describe('GET /dags/{fileName}', () => {
    it('shows the latest run', async () => {
      const run = await runToEnd('pipeline');
      const { latestDAGRun } = await weir.createClient(admin).getDagDetails({ params: { fileName: 'pipeline' } });

      expect(latestDAGRun).toMatchObject({ dagRunId: run.dagRunId, statusLabel: 'succeeded' });
    });
  });

  describe('GET /dag-runs', () => {
    it('returns 200 with the runs, newest first, page by page', async () => {
      const first = await runToEnd('pipeline');
      const second = await runToEnd('pipeline');
      const page = await weir.createClient(admin).listDagRuns({ query: { name: 'pipeline', limit: '1' } });
      expect(page.dagRuns.map((run) => run.dagRunId)).toEqual([second.dagRunId]);

      const next = await weir
        .createClient(admin)
        .listDagRuns({ query: { name: 'pipeline', limit: '1', cursor: page.nextCursor } });
      expect(next.dagRuns.map((run) => run.dagRunId)).toEqual([first.dagRunId]);
    });

    it('returns 200 with the requested statuses', async () => {
      await add('also-failing', 'steps:\n  - run: exit 1\n');
      const run = await runToEnd('also-failing');
      const { dagRuns } = await weir
        .createClient(admin)
        .listDagRuns({ query: { status: ['2', '3'], dagRunId: run.dagRunId } });

      expect(dagRuns).toMatchObject([{ dagRunId: run.dagRunId, status: 2 }]);
    });

    it('returns 400 for a cursor of other filters', async () => {
      await runToEnd('pipeline');
      const { nextCursor = '' } = await weir.createClient(admin).listDagRuns({ query: { limit: '1' } });
      for (const query of [`?cursor=${nextCursor}&name=x`, '?cursor=nonsense', '?labels=a&tags=b']) {
        expect((await weir.request('GET', `/dag-runs${query}`, { token: admin })).status).toBe(400);
      }
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', '/dag-runs')).status).toBe(401);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}', () => {
    it('returns 200 with the newest run for the id "latest"', async () => {
      const run = await runToEnd('pipeline');
      const { status, body } = await weir.request('GET', '/dag-runs/pipeline/latest', { token: admin });

      expect(status).toBe(200);
      expect(body).toMatchObject({ dagRunDetails: { dagRunId: run.dagRunId } });
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', '/dag-runs/pipeline/latest')).status).toBe(401);
    });

    it('returns 404 for an unknown run', async () => {
      expect((await weir.request('GET', '/dag-runs/pipeline/none', { token: admin })).status).toBe(404);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/log', () => {
    it('returns 200 with the output of a running step so far', async () => {
      await add('talking', 'steps:\n  - name: talk\n    run: echo so far; sleep 60\n');
      const { dagRunId } = (await startRun('talking')).body as { dagRunId: string };
      const content = await waitFor(
        async () => {
          const answer = await weir.request('GET', `/dag-runs/talking/${dagRunId}/steps/talk/log`, { token: admin });
          return (answer.body as { content?: string }).content;
        },
        { what: 'the first line of the log' },
      );
      expect(content).toBe('so far');
    });

    it('returns 200 with the requested lines', async () => {
      await add('counting', 'steps:\n  - name: count\n    run: seq 10\n');
      const run = await runToEnd('counting');

      expect(await readLog(run, 'count', '?tail=2')).toBe('9\n10');
      expect(await readLog(run, 'count', '?head=2')).toBe('1\n2');
      expect(await readLog(run, 'count', '?offset=4&limit=2')).toBe('4\n5');
    });

    it('returns 404 for an unknown step', async () => {
      const run = await runToEnd('pipeline');
      const { status } = await weir.request('GET', `/dag-runs/pipeline/${run.dagRunId}/steps/nobody/log`, {
        token: admin,
      });
      expect(status).toBe(404);
    });
  });
});
