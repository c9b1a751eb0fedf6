import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { aSpec } from '../../testing/a-spec';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';
import { createTestWorkflow } from '../../testing/workflow-api';

const workflow = useWorkflow();
const { get, post } = workflow;
const notFound = { status: 404, body: { code: 'not_found', reason: 'dag_not_found' } };

describe('GET /dags', () => {
  const listNames = async (query: string, as = workflow.asAdmin): Promise<readonly string[]> => {
    const { status, body } = await get(`/dags${query}`, as);
    expect(status).toBe(200);
    return (body.dags as { fileName: string }[]).map(({ fileName }) => fileName);
  };

  describe('200', () => {
    it('shows a DAG that never ran', async () => {
      await workflow.server.addDag(
        'nightly',
        aSpec('name: Nightly\ndescription: all of it\nlabels: team=data\nparams: a=1\n'),
      );
      const { body } = await get('/dags');

      expect(body).toEqual({
        dags: [
          {
            fileName: 'nightly',
            filePath: workflow.server.folder.file('dags', 'nightly.yaml'),
            dag: {
              name: 'Nightly',
              description: 'all of it',
              schedule: [],
              params: ['a=1'],
              defaultParams: 'a=1',
              labels: ['team=data'],
              tags: ['team=data'],
            },
            latestDAGRun: {
              dagRunId: '',
              name: 'Nightly',
              status: 0,
              statusLabel: 'not_started',
              autoRetryCount: 0,
              autoRetryLimit: null,
              startedAt: '',
              finishedAt: '',
              artifactsAvailable: false,
              labels: ['team=data'],
              tags: ['team=data'],
            },
            suspended: false,
            errors: [],
          },
        ],
        errors: [],
        pagination: { totalRecords: 1, currentPage: 1, totalPages: 1, nextPage: 1, prevPage: 1 },
      });
    });

    it('shows the latest run of each DAG', async () => {
      await workflow.server.addDag('nightly', aSpec());
      const runs = workflow.server.application.runs;
      await runs.insert(aRun({ id: 'a', status: 'failed' }), [], { audit: unaudited, singleton: false });
      await runs.insert(aRun({ id: 'b', status: 'succeeded' }), [], { audit: unaudited, singleton: false });

      const { body } = await get('/dags');
      expect(body).toMatchObject({ dags: [{ latestDAGRun: { dagRunId: 'b', status: 4, statusLabel: 'succeeded' } }] });
    });

    it('lists the last runs of each DAG on request', async () => {
      await workflow.server.addDag('nightly', aSpec());
      const runs = workflow.server.application.runs;
      const second = (value: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, value));
      await runs.insert(aRun({ id: 'a', status: 'failed', createdAt: second(1) }), [], {
        audit: unaudited,
        singleton: false,
      });
      await runs.insert(aRun({ id: 'b', status: 'succeeded', createdAt: second(2) }), [], {
        audit: unaudited,
        singleton: false,
      });
      await runs.insert(aRun({ id: 'c', status: 'queued', createdAt: second(3) }), [], {
        audit: unaudited,
        singleton: false,
      });

      const { body } = await get('/dags?recentRuns=2');
      expect(body).toMatchObject({
        dags: [
          {
            recentRuns: [
              { dagRunId: 'c', statusLabel: 'queued' },
              { dagRunId: 'b', statusLabel: 'succeeded' },
            ],
          },
        ],
      });
    });

    it('filters by the status of the latest run, and by suspended schedules', async () => {
      for (const name of ['bad', 'good', 'idle']) await workflow.server.addDag(name, aSpec());
      const runs = workflow.server.application.runs;
      const insert = (dagName: string, status: 'failed' | 'succeeded') =>
        runs.insert(aRun({ id: `${dagName}-${status}`, dagName, status }), [], { audit: unaudited, singleton: false });
      await insert('bad', 'failed');
      await insert('good', 'failed');
      await insert('good', 'succeeded');
      await post('/dags/idle/suspend', { suspend: true });

      await expect(listNames('?status=2')).resolves.toEqual(['bad']);
      await expect(listNames('?status=4&status=0')).resolves.toEqual(['good', 'idle']);
      await expect(listNames('?suspended=true')).resolves.toEqual(['idle']);
      await expect(listNames('?suspended=false&status=2')).resolves.toEqual(['bad']);
      await expect(listNames('?suspended=false&sort=nextRun')).resolves.toHaveLength(2);
    });

    it('orders by name without regard to case, in both directions', async () => {
      for (const name of ['Beta', 'alpha', 'gamma', 'Delta']) await workflow.server.addDag(name, aSpec());

      await expect(listNames('')).resolves.toEqual(['alpha', 'Beta', 'Delta', 'gamma']);
      await expect(listNames('?order=desc')).resolves.toEqual(['gamma', 'Delta', 'Beta', 'alpha']);
      await expect(listNames('?perPage=3&page=2')).resolves.toEqual(['gamma']);
      await expect(listNames('?order=desc&perPage=3&page=2')).resolves.toEqual(['alpha']);
      await expect(listNames('?perPage=3&page=9')).resolves.toEqual([]);
    });

    it('orders by next run with DAGs that have none last in both directions', async () => {
      await workflow.server.addDag('none-b', aSpec());
      await workflow.server.addDag('none-a', aSpec());
      await workflow.server.addDag('yearly', aSpec('schedule: "0 0 1 1 *"\n'));
      await workflow.server.addDag('often', aSpec('schedule: "* * * * *"\n'));
      await workflow.server.addDag('resting', aSpec('schedule: "* * * * *"\n'));
      await post('/dags/resting/suspend', { suspend: true });

      await expect(listNames('?sort=nextRun')).resolves.toEqual(['often', 'yearly', 'none-a', 'none-b', 'resting']);
      await expect(listNames('?sort=nextRun&order=desc')).resolves.toEqual([
        'yearly',
        'often',
        'none-a',
        'none-b',
        'resting',
      ]);
      await expect(listNames('?sort=nextRun&perPage=2&page=2')).resolves.toEqual(['none-a', 'none-b']);
      await expect(listNames('?sort=nextRun&order=desc&perPage=1&page=2')).resolves.toEqual(['often']);
    });

    it('omits the next run of a suspended DAG', async () => {
      await workflow.server.addDag('often', aSpec('schedule: "* * * * *"\n'));
      await expect(get('/dags')).resolves.toMatchObject({
        body: { dags: [{ suspended: false, nextRun: expect.any(String) as string }] },
      });
      await post('/dags/often/suspend', { suspend: true });
      const { body } = await get('/dags');

      expect(body).toMatchObject({ dags: [{ suspended: true }] });
      expect((body.dags as object[])[0]).not.toHaveProperty('nextRun');
    });

    it.each([
      ['name=ALPH', ['alpha']],
      ['name=shown', ['beta']],
      ['labels=team', ['alpha', 'beta']],
      ['labels=team=data', ['alpha']],
      ['labels=TEAM%3Ddata', ['alpha']],
      ['labels=team=*a*', ['alpha']],
      ['labels=team,!draft', ['alpha']],
      ['labels=!team', ['gamma']],
      ['tags=draft', ['beta']],
      ['tags=draft&labels=', ['beta']],
      ['labels=te?m', ['alpha', 'beta']],
      ['name=a&labels=draft', ['beta']],
      ['name=nothing', []],
    ] as const)('filters by %s', async (query, expected) => {
      await workflow.server.addDag('alpha', aSpec('labels: team=data\n'));
      await workflow.server.addDag('beta', aSpec('name: Shown-as-beta\nlabels: team=ops, draft\n'));
      await workflow.server.addDag('gamma', aSpec());

      await expect(listNames(`?${query}`)).resolves.toEqual(expected);
    });

    it('shows only what the caller may see', async () => {
      await workflow.server.addDag('free', aSpec());
      await workflow.server.addDag('in-ops', aSpec('labels: workspace=ops\n'));
      await workflow.server.addDag('in-dev', aSpec('labels: workspace=dev\n'));
      const asOps = await workflow.server.createKey('viewer', { ops: 'viewer' });

      await expect(listNames('')).resolves.toEqual(['free', 'in-dev', 'in-ops']);
      await expect(listNames('', asOps)).resolves.toEqual(['free', 'in-ops']);
      await expect(listNames('?workspace=ops', asOps)).resolves.toEqual(['in-ops']);
      await expect(listNames('?workspace=default', asOps)).resolves.toEqual(['free']);
      await expect(listNames('?workspaceScope=all', asOps)).resolves.toEqual(['free', 'in-ops']);
    });

    it('lists broken files with their errors', async () => {
      await workflow.server.addDag('broken', 'steps: [\n');
      await workflow.server.addDag('huge', `# ${'x'.repeat(1_048_576)}\n`);
      await writeFile(workflow.server.folder.file('dags', 'binary.yaml'), Buffer.from([0x73, 0xff, 0xfe]));
      await workflow.server.application.files.catalog.index('binary');
      const { body } = await get('/dags');

      expect(body).toMatchObject({
        dags: [
          { fileName: 'binary', errors: ['the file is not UTF-8 text'] },
          { fileName: 'broken', errors: expect.arrayContaining([expect.stringMatching(/^\[\d+:\d+\] /)]) as unknown },
          { fileName: 'huge', errors: [expect.stringContaining('1048576 bytes')] },
        ],
      });
    });

    it('tells of files that are not listed only to those who see all workspaces', async () => {
      const server = await createTestWorkflow({ isStarted: false });
      await mkdir(server.folder.file('dags'), { recursive: true });
      await writeFile(server.folder.file('dags', 'no name.yaml'), aSpec());
      await server.application.start(['api']);
      const errorsFor = async (as: string) => (await server.api.send('GET /dags', { as })).body.errors;

      await expect(errorsFor(await server.createKey('viewer'))).resolves.toEqual([expect.stringContaining('no name')]);
      await expect(errorsFor(await server.createKey('viewer', { ops: 'manager' }))).resolves.toEqual([]);
      await server.stop();
    });

    it('follows no link out of the folder', async () => {
      await writeFile(workflow.server.folder.file('secret.yaml'), aSpec());
      await symlink(workflow.server.folder.file('secret.yaml'), workflow.server.folder.file('dags', 'link.yaml'));
      await workflow.server.application.files.catalog.index('link');

      await expect(listNames('')).resolves.toEqual([]);
      await expect(get('/dags/link')).resolves.toMatchObject(notFound);
    });
  });

  it.each([
    'page=abc',
    'sort=size',
    'order=up',
    'labels=a&tags=b',
    'workspaceScope=all&workspace=ops',
    'workspace=%20',
  ])('returns 400 for %s', async (query) => {
    await expect(get(`/dags?${query}`)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('returns 404 for a workspace that is not visible', async () => {
    const asOps = await workflow.server.createKey('viewer', { ops: 'viewer' });

    await expect(get('/dags?workspace=dev', asOps)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'workspace_not_found' },
    });
  });
});

describe('GET /dags of a process that keeps no list', () => {
  it('returns 200 once the folder was read', async () => {
    const early = await createTestWorkflow({ isStarted: false });
    await early.addDag('made', 'steps:\n  - run: "true"\n');

    await expect(early.api.send('GET /dags', { as: await early.createKey('viewer') })).resolves.toMatchObject({
      status: 200,
      body: { dags: [{ fileName: 'made' }] },
    });
    await early.stop();
  });
});

describe('a file that may belong to a workspace which cannot be read', () => {
  const step = 'steps: [{ name: keyword, run: "true" }]\n';

  it.each([
    ['with a label that is not closed', `${step}labels: [workspace=bank\n`],
    ['with a quote that is not closed before its labels', `description: "x\nlabels: workspace=bank\n${step}`],
    ['with a label that is not valid', `labels: ["workspace=ba nk"]\n${step}`],
    ['with two workspaces', `labels: [workspace=bank, workspace=shop]\n${step}`],
    ['that is too large to be read', `labels: workspace=bank\n${step}#${'x'.repeat(1024 * 1024)}\n`],
  ])('is there for those who see all workspaces alone: one %s', async (_, spec) => {
    await workflow.server.addDag('unread', spec);
    const limited = await workflow.server.createKey('developer', { shop: 'manager' });
    const listed = async (as?: string) =>
      ((await get('/dags', as)).body.dags as { fileName: string; dag: { workspace?: string } }[]).map(
        ({ fileName, dag }) => [fileName, dag.workspace !== '?'],
      );
    const found = async (as?: string) => ((await get('/search/dags?q=keyword', as)).body.results as object[]).length;

    expect(await listed(limited)).toEqual([]);
    expect(await found(limited)).toBe(0);
    for (const address of ['/dags/unread', '/dags/unread/spec'] as const) {
      await expect(get(address, limited)).resolves.toMatchObject(notFound);
    }
    const spare = { spec: `labels: workspace=shop\n${step}` };
    await expect(
      workflow.server.api.send('PUT /dags/unread/spec', { as: limited, body: spare }),
    ).resolves.toMatchObject(notFound);
    expect(await listed()).toEqual([['unread', true]]);
    expect((await get('/dags/unread')).status).toBe(200);
  });

  it('is not one that has an error and names no workspace', async () => {
    await workflow.server.addDag('broken', 'steps: 7\n');
    const limited = await workflow.server.createKey('viewer', { shop: 'manager' });

    await expect(get('/dags/broken', limited)).resolves.toMatchObject({ status: 200 });
  });
});
