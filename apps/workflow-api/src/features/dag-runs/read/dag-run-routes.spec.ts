import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestWorkflow, type TestWorkflow } from '../../../testing/workflow-api';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';

let test: TestWorkflow;
let asAdmin: string;

beforeEach(async () => {
  test = await createTestWorkflow();
  asAdmin = await test.createKey('admin');
});
afterEach(() => test.stop());

const now = new Date();
const add = (values: Parameters<typeof aRun>[0] = {}, steps = [aRunStep()]) =>
  test.application.runs.insert(aRun({ createdAt: now, ...values }), steps, { singleton: false });
const get = (address: `/${string}`, as: string | undefined = asAdmin) => test.api.send(`GET ${address}`, { as });
const unauthorized = { status: 401, body: { reason: 'credential_invalid' } };
const runNotFound = { status: 404, body: { code: 'not_found', reason: 'dag_run_not_found' } };
const badRequest = (reason: string) => ({ status: 400, body: { code: 'bad_request', reason } });

const addresses = [
  '/dag-runs',
  '/dag-runs/nightly',
  '/dag-runs/nightly/run-1',
  '/dag-runs/nightly/run-1/log',
  '/dag-runs/nightly/run-1/steps/extract/log',
] as const;

describe.each(addresses)('GET %s', (address) => {
  beforeEach(() => add());

  it('returns 401 without a credential', async () => {
    await expect(test.api.send(`GET ${address}`)).resolves.toMatchObject(unauthorized);
  });

  it('returns 400 for another node', async () => {
    await expect(get(`${address}?remoteNode=elsewhere`)).resolves.toMatchObject(badRequest('remote_node_unknown'));
  });

  it('returns 200 to a viewer', async () => {
    await expect(get(`${address}?remoteNode=local`, await test.createKey('viewer'))).resolves.toMatchObject({
      status: 200,
    });
  });
});

describe('GET /dag-runs', () => {
  const listIds = async (query: string, as = asAdmin): Promise<readonly string[]> => {
    const { status, body } = await get(`/dag-runs${query}`, as);
    expect(status).toBe(200);
    return (body.dagRuns as { dagRunId: string }[]).map(({ dagRunId }) => dagRunId);
  };
  const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

  describe('200', () => {
    it('shows a run as it is stored', async () => {
      await add({
        status: 'failed',
        params: 'a=1',
        labels: ['team=data'],
        workspace: 'ops',
        startedAt: now,
        finishedAt: now,
        queuedAt: now,
      });
      const { body } = await get('/dag-runs');

      expect(body).toEqual({
        dagRuns: [
          {
            dagRunId: 'run-1',
            name: 'nightly',
            workspace: 'ops',
            status: 2,
            statusLabel: 'failed',
            createdAt: expect.any(String) as string,
            queuedAt: expect.any(String) as string,
            autoRetryCount: 0,
            autoRetryLimit: null,
            startedAt: expect.any(String) as string,
            finishedAt: expect.any(String) as string,
            artifactsAvailable: false,
            params: 'a=1',
            workerId: 'local',
            triggerType: 'manual',
            labels: ['team=data'],
            tags: ['team=data'],
          },
        ],
      });
      expect(new Date((body.dagRuns as { startedAt: string }[])[0]?.startedAt ?? '')).toEqual(now);
    });

    it('lists the runs since midnight when no time is given', async () => {
      const midnight = new Date(test.api.clock.now().setHours(0, 0, 0, 0));
      await add({ id: 'yesterday', createdAt: new Date(midnight.getTime() - 1) });
      await add({ id: 'today', createdAt: midnight });

      await expect(listIds('')).resolves.toEqual(['today']);
      await expect(listIds('?fromDate=0')).resolves.toEqual(['today', 'yesterday']);
      await expect(listIds(`?toDate=${seconds(midnight)}`)).resolves.toEqual(['yesterday']);
    });

    it.each([
      ['status=2', ['b']],
      ['status=2&status=4', ['c', 'b']],
      ['name=NIGHT', ['b', 'a']],
      ['dagRunId=c', ['c']],
      ['labels=team=data', ['a']],
      ['tags=!team', ['c']],
      ['name=other&status=2', []],
    ] as const)('filters by %s', async (query, expected) => {
      await add({ id: 'a', status: 'queued', labels: ['team=data'], createdAt: new Date(now.getTime() - 2) });
      await add({ id: 'b', status: 'failed', labels: ['team=ops'], createdAt: new Date(now.getTime() - 1) });
      await add({ id: 'c', status: 'succeeded', dagName: 'other' });

      await expect(listIds(`?fromDate=0&${query}`)).resolves.toEqual(expected);
    });

    it('pages through all runs without missing or repeating one', async () => {
      const ids = Array.from({ length: 25 }, (_, index) => `run-${String(index).padStart(2, '0')}`);
      for (const [index, id] of ids.entries()) {
        const createdAt = new Date(now.getTime() - Math.floor(index / 4));
        await add({ id, createdAt, labels: index % 5 === 0 ? ['rare'] : [] });
      }
      const pages = async (filter: string): Promise<readonly string[][]> => {
        const found: string[][] = [];
        for (let cursor = ''; ;) {
          const { body } = await get(`/dag-runs?fromDate=0&limit=4${filter}${cursor && `&cursor=${cursor}`}`);
          found.push((body.dagRuns as { dagRunId: string }[]).map(({ dagRunId }) => dagRunId));
          if (body.nextCursor === undefined) return found;
          cursor = body.nextCursor as string;
        }
      };
      const all = await pages('');

      expect(all).toHaveLength(7);
      expect(all.flat().toSorted()).toEqual(ids);
      expect((await pages('&labels=rare')).map((page) => page.length)).toEqual([4, 1]);
    });

    it('shows only what the caller may see', async () => {
      await add({ id: 'free' });
      await add({ id: 'in-ops', workspace: 'ops' });
      await add({ id: 'in-dev', workspace: 'dev' });
      const as = await test.createKey('viewer', { ops: 'viewer' });

      await expect(listIds('?fromDate=0', as)).resolves.toEqual(['in-ops', 'free']);
      await expect(listIds('?fromDate=0&workspace=ops', as)).resolves.toEqual(['in-ops']);
      await expect(listIds('?fromDate=0&workspaceScope=default')).resolves.toEqual(['free']);
    });
  });

  describe('400', () => {
    it.each(['status=9', 'status=x', 'fromDate=now', 'limit=x', 'labels=a&tags=b'])('is for %s', async (query) => {
      await expect(get(`/dag-runs?${query}`)).resolves.toMatchObject(badRequest('request_invalid'));
    });

    it.each(['nonsense', 'e30', 'bnVsbA', Buffer.from('{"v":1}').toString('base64url')])(
      'is for the cursor %s',
      async (cursor) => {
        await expect(get(`/dag-runs?cursor=${cursor}`)).resolves.toMatchObject(badRequest('cursor_invalid'));
      },
    );

    it.each([
      ['a time before all times', { t: -8.64e15 }],
      ['a time after all times', { t: 8.64e15 }],
      ['a text that no database takes', { n: 'a\0b' }],
      ['a field that is not known', { x: 1 }],
    ])('is for a forged cursor with %s', async (_, change) => {
      await add({ id: 'a' });
      await add({ id: 'b' });
      const { body } = await get('/dag-runs?fromDate=0&limit=1');
      const payload = JSON.parse(Buffer.from(body.nextCursor as string, 'base64url').toString()) as object;
      const forged = Buffer.from(JSON.stringify({ ...payload, ...change })).toString('base64url');

      await expect(get(`/dag-runs?fromDate=0&cursor=${forged}`)).resolves.toMatchObject(badRequest('cursor_invalid'));
    });

    it('is for a cursor of other filters, or of another caller', async () => {
      await add({ id: 'a' });
      await add({ id: 'b' });
      const { body } = await get('/dag-runs?fromDate=0&limit=1');
      const cursor = String(body.nextCursor);
      const as = await test.createKey('viewer', { ops: 'viewer' });

      await expect(get(`/dag-runs?fromDate=0&limit=2&cursor=${cursor}`)).resolves.toMatchObject({ status: 200 });
      await expect(get(`/dag-runs?fromDate=1&cursor=${cursor}`)).resolves.toMatchObject(badRequest('cursor_invalid'));
      await expect(get(`/dag-runs?fromDate=0&cursor=${cursor}`, as)).resolves.toMatchObject(
        badRequest('cursor_invalid'),
      );
    });
  });

  it('returns 404 for a workspace that is not visible', async () => {
    const as = await test.createKey('viewer', { ops: 'viewer' });

    await expect(get('/dag-runs?workspace=dev', as)).resolves.toMatchObject({ status: 404 });
  });
});

describe('GET /dag-runs/{name}/{dagRunId}', () => {
  const specText =
    'steps:\n  - name: extract\n    run: echo hello\n  - name: load\n    depends: extract\n    run: "true"\n';
  const steps = () => [
    aRunStep({
      status: 'failed',
      startedAt: now,
      finishedAt: now,
      error: 'exit status 1',
      stdoutFile: '/o',
      stderrFile: '/e',
    }),
    aRunStep({ position: 1, name: 'load', status: 'aborted', error: 'upstream failed' }),
  ];

  describe('200', () => {
    it('shows the run with its steps in the order of the spec', async () => {
      await test.addDag('nightly', specText);
      await add({ status: 'failed', specText, logFile: '/log', error: 'owner lost' }, steps());
      const { body } = await get('/dag-runs/nightly/run-1');

      expect(body.dagRunDetails).toMatchObject({
        dagRunId: 'run-1',
        statusLabel: 'failed',
        rootDAGRunName: 'nightly',
        rootDAGRunId: 'run-1',
        log: '/log',
        error: 'owner lost',
        specFromFile: true,
        sourceFileName: 'nightly',
        nodes: [
          {
            step: { name: 'extract', commands: [{ command: 'echo hello' }] },
            status: 2,
            statusLabel: 'failed',
            error: 'exit status 1',
            stdout: '/o',
            stderr: '/e',
            retryCount: 0,
            doneCount: 0,
            subRuns: [],
          },
          { step: { name: 'load', depends: ['extract'] }, status: 3, startedAt: '', error: 'upstream failed' },
        ],
      });
    });

    it('takes "latest" for the newest run', async () => {
      await add({ id: 'a' });
      await add({ id: 'b' });

      await expect(get('/dag-runs/nightly/latest')).resolves.toMatchObject({
        body: { dagRunDetails: { dagRunId: 'b' } },
      });
    });

    it('omits the source when the file is gone', async () => {
      await add();
      const { body } = await get('/dag-runs/nightly/run-1');

      expect(body.dagRunDetails).not.toHaveProperty('specFromFile');
    });
  });

  it('returns 400 for an invalid id', async () => {
    await expect(get('/dag-runs/nightly/a%20b')).resolves.toMatchObject(badRequest('request_invalid'));
  });

  describe('404', () => {
    it('is for a run that does not exist, and for one that is not visible', async () => {
      await add({ workspace: 'dev' });
      const as = await test.createKey('viewer', { ops: 'viewer' });

      await expect(get('/dag-runs/nightly/other')).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/other/latest')).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/nightly/run-1', as)).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/nightly/latest', as)).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/nightly/run-1/log', as)).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/nightly/run-1/steps/extract/log', as)).resolves.toMatchObject(runNotFound);
    });
  });
});

describe('GET /dag-runs/{name}/{dagRunId}/log', () => {
  const logFile = () => test.folder.file('logs', 'run.log');

  beforeEach(() => add({ logFile: logFile() }));

  describe('200', () => {
    it('is empty while nothing was written', async () => {
      const { status, body } = await get('/dag-runs/nightly/run-1/log');

      expect(status).toBe(200);
      expect(body).toEqual({ content: '', lineCount: 0, totalLines: 0, hasMore: false, isEstimate: false });
    });

    it.each([
      ['', 'a\nb\nc', 3, false],
      ['?tail=2', 'b\nc', 2, true],
      ['?head=1', 'a', 1, true],
      ['?offset=2&limit=1', 'b', 1, true],
      ['?tail=1&head=2&offset=1', 'c', 1, true],
      ['?offset=9', '', 0, false],
    ])('returns the part selected by "%s"', async (query, content, lineCount, hasMore) => {
      await writeFile(logFile(), 'a\nb\nc\n');

      await expect(get(`/dag-runs/nightly/run-1/log${query}`)).resolves.toMatchObject({
        status: 200,
        body: { content, lineCount, hasMore },
      });
    });
  });

  it.each(['tail=0', 'head=x', 'limit=10001', 'offset=-1'])('returns 400 for %s', async (query) => {
    await expect(get(`/dag-runs/nightly/run-1/log?${query}`)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('takes "latest" for the newest run', async () => {
    await writeFile(logFile(), 'newest\n');

    await expect(get('/dag-runs/nightly/latest/log')).resolves.toMatchObject({
      status: 200,
      body: { content: 'newest' },
    });
  });

  it('returns 404 for a run that does not exist', async () => {
    await expect(get('/dag-runs/nightly/other/log')).resolves.toMatchObject(runNotFound);
    await expect(get('/dag-runs/other/latest/log')).resolves.toMatchObject(runNotFound);
  });
});

describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/log', () => {
  const step = 'count / all?';
  const address = `/dag-runs/nightly/run-1/steps/${encodeURIComponent(step)}/log` as const;

  beforeEach(async () => {
    const [stdoutFile, stderrFile] = [test.folder.file('logs', 's', 'out'), test.folder.file('logs', 's', 'err')];
    await add({}, [aRunStep({ name: step, stdoutFile, stderrFile })]);
    await mkdir(path.dirname(stdoutFile), { recursive: true });
    await writeFile(stdoutFile, 'out 1\nout 2\n');
    await writeFile(stderrFile, 'err 1\n');
  });

  describe('200', () => {
    it.each([
      ['', 'out 1\nout 2'],
      ['?stream=stdout&tail=1', 'out 2'],
      ['?stream=stderr', 'err 1'],
    ])('returns the stream selected by "%s"', async (query, content) => {
      await expect(get(`${address}${query}`)).resolves.toMatchObject({ status: 200, body: { content } });
    });
  });

  it('returns 400 for another stream', async () => {
    await expect(get(`${address}?stream=both`)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('returns 404 for a step or a run that does not exist', async () => {
    await expect(get('/dag-runs/nightly/run-1/steps/other/log')).resolves.toMatchObject({
      status: 404,
      body: { reason: 'step_not_found' },
    });
    await expect(get('/dag-runs/nightly/other/steps/other/log')).resolves.toMatchObject(runNotFound);
  });
});

describe('GET /dag-runs/{name}', () => {
  it('returns 200 with the runs of the DAG of exactly this name', async () => {
    await add({ id: 'one', dagName: 'nightly' });
    await add({ id: 'two', dagName: 'nightly-too' });

    await expect(get('/dag-runs/nightly')).resolves.toMatchObject({
      status: 200,
      body: { dagRuns: [{ name: 'nightly', dagRunId: 'one' }] },
    });
  });
});
