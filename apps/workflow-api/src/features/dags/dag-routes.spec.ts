import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';
import { aRun } from '@weir/workflow-engine/testing';

let test: TestWorkflow;
let asAdmin: string;

beforeEach(async () => {
  test = await createTestWorkflow();
  asAdmin = await test.createKey('admin');
});
afterEach(() => test.stop());

const spec = (rest = ''): string => `${rest}steps:\n  - name: extract\n    run: echo hello\n`;
const unauthorized = { status: 401, body: { code: 'unauthorized', reason: 'credential_invalid' } };
const roleMissing = { status: 403, body: { code: 'forbidden', reason: 'role_missing' } };
const notFound = { status: 404, body: { code: 'not_found', reason: 'dag_not_found' } };
const badRequest = (reason: string) => ({ status: 400, body: { code: 'bad_request', reason } });

const get = (path: `/${string}`, as = asAdmin) => test.api.send(`GET ${path}`, { as });
const post = (path: `/${string}`, body: unknown = {}, as = asAdmin) => test.api.send(`POST ${path}`, { as, body });

const operations = [
  ['GET /dags', undefined],
  ['POST /dags', { name: 'made' }],
  ['POST /dags/validate', { spec: '' }],
  ['GET /dags/nightly', undefined],
  ['POST /dags/nightly/start', {}],
  ['POST /dags/nightly/suspend', { suspend: true }],
  ['POST /dag-runs', { spec: 'steps:\n  - run: "true"\n', name: 'a' }],
  ['POST /dag-runs/enqueue', { spec: 'steps:\n  - run: "true"\n', name: 'a' }],
] as const;

describe.each(operations)('%s', (operation, body) => {
  beforeEach(() => test.addDag('nightly', spec()));

  it('returns 401 without a credential', async () => {
    await expect(test.api.send(operation, { body })).resolves.toMatchObject(unauthorized);
  });

  it('returns 400 for another node', async () => {
    const answer = await test.api.send(`${operation}?remoteNode=elsewhere`, { as: asAdmin, body });

    expect(answer).toMatchObject(badRequest('remote_node_unknown'));
  });

  it.each(['local', ''])('takes "%s" for this node', async (name) => {
    const { status } = await test.api.send(`${operation}?remoteNode=${name}`, { as: asAdmin, body });

    expect(status).toBeLessThan(300);
  });
});

describe('GET /dags', () => {
  const listNames = async (query: string, as = asAdmin): Promise<readonly string[]> => {
    const { status, body } = await get(`/dags${query}`, as);
    expect(status).toBe(200);
    return (body.dags as { fileName: string }[]).map(({ fileName }) => fileName);
  };

  describe('200', () => {
    it('shows a DAG that never ran', async () => {
      await test.addDag('nightly', spec('name: Nightly\ndescription: all of it\nlabels: team=data\nparams: a=1\n'));
      const { body } = await get('/dags');

      expect(body).toEqual({
        dags: [
          {
            fileName: 'nightly',
            filePath: test.folder.file('dags', 'nightly.yaml'),
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
      await test.addDag('nightly', spec());
      const runs = test.application.runs;
      await runs.insert(aRun({ id: 'a', status: 'failed' }), [], { singleton: false });
      await runs.insert(aRun({ id: 'b', status: 'succeeded' }), [], { singleton: false });

      const { body } = await get('/dags');
      expect(body).toMatchObject({ dags: [{ latestDAGRun: { dagRunId: 'b', status: 4, statusLabel: 'succeeded' } }] });
    });

    it('orders by name without regard to case, in both directions', async () => {
      for (const name of ['Beta', 'alpha', 'gamma', 'Delta']) await test.addDag(name, spec());

      await expect(listNames('')).resolves.toEqual(['alpha', 'Beta', 'Delta', 'gamma']);
      await expect(listNames('?order=desc')).resolves.toEqual(['gamma', 'Delta', 'Beta', 'alpha']);
      await expect(listNames('?perPage=3&page=2')).resolves.toEqual(['gamma']);
      await expect(listNames('?order=desc&perPage=3&page=2')).resolves.toEqual(['alpha']);
      await expect(listNames('?perPage=3&page=9')).resolves.toEqual([]);
    });

    it('orders by next run with DAGs that have none last in both directions', async () => {
      await test.addDag('none-b', spec());
      await test.addDag('none-a', spec());
      await test.addDag('yearly', spec('schedule: "0 0 1 1 *"\n'));
      await test.addDag('often', spec('schedule: "* * * * *"\n'));
      await test.addDag('resting', spec('schedule: "* * * * *"\n'));
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

    it('leaves the next run of a suspended DAG out', async () => {
      await test.addDag('often', spec('schedule: "* * * * *"\n'));
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
      await test.addDag('alpha', spec('labels: team=data\n'));
      await test.addDag('beta', spec('name: Shown-as-beta\nlabels: team=ops, draft\n'));
      await test.addDag('gamma', spec());

      await expect(listNames(`?${query}`)).resolves.toEqual(expected);
    });

    it('shows only what the caller may see', async () => {
      await test.addDag('free', spec());
      await test.addDag('in-ops', spec('labels: workspace=ops\n'));
      await test.addDag('in-dev', spec('labels: workspace=dev\n'));
      const asOps = await test.createKey('viewer', { ops: 'viewer' });

      await expect(listNames('')).resolves.toEqual(['free', 'in-dev', 'in-ops']);
      await expect(listNames('', asOps)).resolves.toEqual(['free', 'in-ops']);
      await expect(listNames('?workspace=ops', asOps)).resolves.toEqual(['in-ops']);
      await expect(listNames('?workspace=default', asOps)).resolves.toEqual(['free']);
      await expect(listNames('?workspaceScope=all', asOps)).resolves.toEqual(['free', 'in-ops']);
    });

    it('lists broken files with what is wrong with them', async () => {
      await test.addDag('broken', 'steps: [\n');
      await test.addDag('huge', `# ${'x'.repeat(1_048_576)}\n`);
      await writeFile(test.folder.file('dags', 'binary.yaml'), Buffer.from([0x73, 0xff, 0xfe]));
      await test.application.files.catalog.index('binary');
      const { body } = await get('/dags');

      expect(body).toMatchObject({
        dags: [
          { fileName: 'binary', errors: ['the file is not UTF-8 text'] },
          { fileName: 'broken', errors: expect.arrayContaining([expect.stringMatching(/^\[\d+:\d+\] /)]) as unknown },
          { fileName: 'huge', errors: [expect.stringContaining('1048576 bytes')] },
        ],
      });
    });

    it('follows no link out of the folder', async () => {
      await writeFile(test.folder.file('secret.yaml'), spec());
      await symlink(test.folder.file('secret.yaml'), test.folder.file('dags', 'link.yaml'));
      await test.application.files.catalog.index('link');

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
    const asOps = await test.createKey('viewer', { ops: 'viewer' });

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

describe('POST /dags', () => {
  describe('201', () => {
    it('stores the text as it was sent, and lists it at once', async () => {
      const text = spec('# a comment\n');
      const { status, body } = await post('/dags', { name: 'made', spec: text });

      expect({ status, body }).toEqual({ status: 201, body: { name: 'made' } });
      await expect(readFile(test.folder.file('dags', 'made.yaml'), 'utf8')).resolves.toBe(text);
      await expect(get('/dags')).resolves.toMatchObject({ body: { dags: [{ fileName: 'made' }] } });
      await expect(readdir(test.folder.file('dags'))).resolves.toEqual(['made.yaml']);
    });

    it.each([undefined, '', ' \n'])('makes a DAG that runs from the spec %j', async (text) => {
      await post('/dags', { name: 'made', spec: text });

      await expect(get('/dags/made')).resolves.toMatchObject({
        body: { errors: [], dag: { steps: [{ name: 'hello' }] } },
      });
    });

    it('lets a developer of the workspace write into it', async () => {
      const as = await test.createKey('viewer', { ops: 'developer' });
      const text = spec('labels: workspace=ops\n');

      await expect(post('/dags', { name: 'made', spec: text }, as)).resolves.toMatchObject({ status: 201 });
    });
  });

  describe('400', () => {
    it('names every error of the spec, and stores nothing', async () => {
      const answer = await post('/dags', { name: 'made', spec: 'stepz: []\nsteps:\n  - run: a\n    depends: b\n' });

      expect(answer).toMatchObject(badRequest('spec_invalid'));
      expect(answer.body.message).toMatch(/^\[1:1\] .*; \[4:14\] /);
      expect((answer.body.details as { findings: unknown[] }).findings).toHaveLength(2);
      await expect(readdir(test.folder.file('dags'))).resolves.toEqual([]);
    });

    it.each(['', '..', '.', '...', '../up', 'a/b', 'a\\b', 'a b', 'x'.repeat(41), 'nul\u0000'])(
      'refuses the name %j',
      async (name) => {
        const { status } = await post('/dags', { name, spec: spec() });

        expect(status).toBe(400);
        await expect(readdir(test.folder.file('dags'))).resolves.toEqual([]);
      },
    );
  });

  describe('403', () => {
    it.each(['operator', 'viewer'] as const)('refuses a %s', async (role) => {
      await expect(post('/dags', { name: 'made' }, await test.createKey(role))).resolves.toMatchObject(roleMissing);
    });

    it('refuses a developer of another workspace', async () => {
      const as = await test.createKey('viewer', { dev: 'developer' });
      const text = spec('labels: workspace=ops\n');

      await expect(post('/dags', { name: 'made', spec: text }, as)).resolves.toMatchObject(roleMissing);
      await expect(post('/dags', { name: 'made', spec: spec() }, as)).resolves.toMatchObject(roleMissing);
    });
  });

  describe('409', () => {
    const exists = { status: 409, body: { code: 'already_exists', reason: 'dag_exists' } };

    it('keeps the file that is there', async () => {
      await test.addDag('nightly', spec('# first\n'));

      await expect(post('/dags', { name: 'nightly' })).resolves.toMatchObject(exists);
      await expect(readFile(test.folder.file('dags', 'nightly.yaml'), 'utf8')).resolves.toContain('# first');
    });

    it('counts a .yml, a folder and a broken link of that name', async () => {
      await writeFile(test.folder.file('dags', 'short.yml'), spec());
      await mkdir(test.folder.file('dags', 'folder.yaml'));
      await symlink('nowhere', test.folder.file('dags', 'link.yaml'));

      for (const name of ['short', 'folder', 'link']) {
        await expect(post('/dags', { name })).resolves.toMatchObject(exists);
      }
    });

    it('lets one of ten calls at the same time win', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => post('/dags', { name: 'made', spec: spec(`# ${index}\n`) })),
      );

      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
      await expect(readdir(test.folder.file('dags'))).resolves.toEqual(['made.yaml']);
    });
  });
});

describe('POST /dags into what cannot be written to', () => {
  it('returns 503 and names the folder', async () => {
    const dags = test.folder.file('dags');
    await rm(dags, { recursive: true });
    await writeFile(dags, '');
    const { status, body } = await post('/dags', { name: 'made' });

    expect({ status, body }).toMatchObject({ status: 503, body: { reason: 'dags_folder_not_writable' } });
    expect(body.message).toBe(`The DAGs folder ${dags} cannot be written to (ENOTDIR).`);
  });
});

describe('POST /dags/{fileName}/start of what the engine cannot do yet', () => {
  it('returns 501 with the parts, and stores no run', async () => {
    await test.addDag('later', spec('otel: {enabled: true}\n'));

    await expect(post('/dags/later/start')).resolves.toMatchObject({
      status: 501,
      body: { reason: 'dag_not_runnable', details: { parts: ['DAG: otel'] } },
    });
    await expect(test.application.runs.findLatest('later')).resolves.toBeUndefined();
    await expect(get('/dags/later')).resolves.toMatchObject({ body: { errors: [] } });
  });
});

describe('POST /dags/validate', () => {
  describe('200', () => {
    it('says that a spec is good, and stores nothing', async () => {
      const { status, body } = await post('/dags/validate', { spec: spec() }, await test.createKey('viewer'));

      expect(status).toBe(200);
      expect(body).toMatchObject({ valid: true, errors: [], findings: [], dag: { name: 'validated-dag' } });
      await expect(readdir(test.folder.file('dags'))).resolves.toEqual([]);
    });

    it('takes the name where the spec has none', async () => {
      await expect(post('/dags/validate', { spec: spec(), name: 'given' })).resolves.toMatchObject({
        body: { dag: { name: 'given' } },
      });
      await expect(post('/dags/validate', { spec: spec('name: own\n'), name: 'given' })).resolves.toMatchObject({
        body: { dag: { name: 'own' } },
      });
    });

    it('returns all findings and what could be read', async () => {
      const { body } = await post('/dags/validate', {
        spec: 'stepz: 1\nsteps:\n  - run: a\n  - run: b\n    depends: c\n',
      });

      expect(body).toMatchObject({ valid: false, dag: { steps: [{ name: 'step_1' }, { name: 'step_2' }] } });
      expect(body.errors).toHaveLength(2);
      expect(body.findings).toMatchObject([
        { code: 'unknown_key', severity: 'error', line: 1, column: 1 },
        { severity: 'error', line: 5 },
      ]);
    });

    it.each(['', '{', '- a', 'a: &x [*x]', '\u0001'])('survives %j', async (text) => {
      await expect(post('/dags/validate', { spec: text })).resolves.toMatchObject({
        status: 200,
        body: { valid: false },
      });
    });
  });

  it('returns 400 for a spec that is no text', async () => {
    await expect(post('/dags/validate', { spec: 1 })).resolves.toMatchObject(badRequest('request_invalid'));
    await expect(post('/dags/validate', {})).resolves.toMatchObject(badRequest('request_invalid'));
  });
});

describe('GET /dags/{fileName}', () => {
  describe('200', () => {
    it('shows the DAG, its file, its local DAGs, and a run that never was', async () => {
      const text = `${spec('type: chain\nenv: {A: b}\nmax_active_steps: 2\n')}---\nname: zeta\n${spec()}---\nname: eta\n${spec()}`;
      await test.addDag('nightly', text);
      const { status, body } = await get('/dags/nightly');

      expect(status).toBe(200);
      expect(body).toMatchObject({
        filePath: test.folder.file('dags', 'nightly.yaml'),
        dag: {
          name: 'nightly',
          type: 'chain',
          env: ['A=b'],
          maxActiveSteps: 2,
          steps: [{ name: 'extract', commands: [{ command: 'echo hello' }], preconditions: [] }],
          schedule: [],
          preconditions: [],
          paramDefs: [],
        },
        localDags: [
          { name: 'eta', errors: [] },
          { name: 'zeta', errors: [] },
        ],
        latestDAGRun: {
          dagRunId: '',
          status: 0,
          rootDAGRunId: '',
          log: '',
          nodes: [{ step: { name: 'extract' }, status: 0, statusLabel: 'not_started', stdout: '' }],
        },
        suspended: false,
        errors: [],
        spec: text,
      });
      expect(body.editorHints).toMatchObject({
        inheritedCustomStepTypes: [],
        rootKeys: expect.arrayContaining([expect.objectContaining({ name: 'steps' })]) as unknown,
        stepKeys: expect.arrayContaining([expect.objectContaining({ name: 'depends' })]) as unknown,
      });
    });

    it('shows a file that is broken with what is wrong', async () => {
      await test.addDag('broken', 'steps: [');
      const { status, body } = await get('/dags/broken');

      expect(status).toBe(200);
      expect(body).toMatchObject({ dag: { name: 'broken', steps: [] }, spec: 'steps: [' });
      expect(body.errors).not.toEqual([]);
    });

    it('shows a run of a workspace the caller cannot see as none', async () => {
      await test.addDag('nightly', spec());
      const hidden = aRun({ workspace: 'dev', status: 'failed' });
      await test.application.runs.insert(hidden, [], { singleton: false });
      const as = await test.createKey('viewer', { ops: 'viewer' });

      await expect(get('/dags/nightly')).resolves.toMatchObject({ body: { latestDAGRun: { dagRunId: 'run-1' } } });
      await expect(get('/dags/nightly', as)).resolves.toMatchObject({ body: { latestDAGRun: { dagRunId: '' } } });
    });
  });

  it('shows and lists a file that cannot be read, and does not start it', async () => {
    await symlink('circle.yaml', test.folder.file('dags', 'circle.yaml'));
    await test.application.files.catalog.index('circle');
    const errors = ['the file cannot be read (ELOOP)'];

    await expect(get('/dags')).resolves.toMatchObject({
      status: 200,
      body: { dags: [{ fileName: 'circle', errors }] },
    });
    await expect(get('/dags/circle')).resolves.toMatchObject({ status: 200, body: { errors, spec: '' } });
    await expect(post('/dags/circle/start')).resolves.toMatchObject(badRequest('spec_invalid'));
  });

  it.each(['a%20b', '%2e%2e%2fsecret', 'x'.repeat(41), '%2e%2e%2e'])('returns 400 for the name %s', async (name) => {
    await writeFile(test.folder.file('secret.yaml'), spec());

    await expect(get(`/dags/${name}`)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  describe('404', () => {
    it('is for a file that is not there', async () => {
      await expect(get('/dags/nothing')).resolves.toMatchObject(notFound);
    });

    it('is for a workspace that is not visible, on every operation of the DAG', async () => {
      await test.addDag('in-dev', spec('labels: workspace=dev\n'));
      const as = await test.createKey('viewer', { ops: 'developer' });

      await expect(get('/dags/in-dev', as)).resolves.toMatchObject(notFound);
      await expect(post('/dags/in-dev/start', {}, as)).resolves.toMatchObject(notFound);
      await expect(post('/dags/in-dev/suspend', { suspend: true }, as)).resolves.toMatchObject(notFound);
    });
  });
});

describe('POST /dags/{fileName}/start', () => {
  beforeEach(() =>
    test.addDag('nightly', spec('labels: team=data\nparams:\n  - name: a\n    type: integer\n    default: 1\n')),
  );

  describe('200', () => {
    it('stores a queued run with its parameters, labels and text', async () => {
      const as = await test.createKey('operator');
      const { status, body } = await post('/dags/nightly/start', { params: 'a=7 b=x', labels: ['Once', 'k=V'] }, as);
      await writeFile(test.folder.file('dags', 'nightly.yaml'), 'steps: []');

      expect(status).toBe(200);
      expect(body.dagRunId).toMatch(/^[0-9A-Za-z]{22}$/);
      const run = await test.application.runs.find('nightly', String(body.dagRunId));
      expect(run).toMatchObject({
        status: 'queued',
        params: 'a=7 b=x',
        resolvedParams: [
          { name: 'a', value: '7' },
          { name: 'b', value: 'x' },
        ],
        labels: ['k=v', 'once', 'team=data'],
        triggerType: 'manual',
        fileName: 'nightly',
        specText: expect.stringContaining('echo hello') as string,
        specHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      });
      await expect(get('/dags/nightly')).resolves.toMatchObject({
        body: { latestDAGRun: { dagRunId: body.dagRunId, statusLabel: 'queued' } },
      });
    });

    it('takes the id and the name it is given', async () => {
      await expect(post('/dags/nightly/start', { dagRunId: 'mine', dagName: 'other' })).resolves.toMatchObject({
        body: { dagRunId: 'mine' },
      });
      await expect(test.application.runs.find('other', 'mine')).resolves.toMatchObject({ fileName: 'nightly' });
    });
  });

  describe('400', () => {
    it.each([
      ['params', { params: 'a=much' }, 'params_invalid'],
      ['params', { params: '{"a":' }, 'params_invalid'],
      ['params', { params: 'a=1 "b' }, 'params_invalid'],
      ['labels', { labels: ['-x'] }, 'labels_invalid'],
      ['labels', { labels: ['workspace=ops'] }, 'labels_invalid'],
      ['labels', { labels: ['a'], tags: ['b'] }, 'request_invalid'],
      ['run id', { dagRunId: 'a b' }, 'request_invalid'],
      ['run id', { dagRunId: 'latest' }, 'request_invalid'],
      ['name', { dagName: '../x' }, 'request_invalid'],
    ])('refuses %s %j', async (_, body, reason) => {
      await expect(post('/dags/nightly/start', body)).resolves.toMatchObject(badRequest(reason));
      await expect(test.application.runs.findLatest('nightly')).resolves.toBeUndefined();
    });

    it('refuses a DAG with errors', async () => {
      await test.addDag('broken', 'steps: [');
      await test.addDag('huge', `# ${'x'.repeat(1_048_576)}\n`);

      await expect(post('/dags/broken/start')).resolves.toMatchObject(badRequest('spec_invalid'));
      await expect(post('/dags/huge/start')).resolves.toMatchObject(badRequest('spec_invalid'));
    });

    it('refuses a call without a body', async () => {
      await expect(test.api.send('POST /dags/nightly/start', { as: asAdmin })).resolves.toMatchObject({ status: 400 });
    });
  });

  it('returns 403 to a viewer, also for a DAG with errors', async () => {
    await test.addDag('broken', 'steps: [');
    const as = await test.createKey('viewer');

    await expect(post('/dags/nightly/start', {}, as)).resolves.toMatchObject(roleMissing);
    await expect(post('/dags/broken/start', {}, as)).resolves.toMatchObject(roleMissing);
  });

  it('returns 404 for a file that is not there', async () => {
    await expect(post('/dags/nothing/start')).resolves.toMatchObject(notFound);
  });

  describe('409', () => {
    it('is for a run id that is taken', async () => {
      await post('/dags/nightly/start', { dagRunId: 'mine' });

      await expect(post('/dags/nightly/start', { dagRunId: 'mine', labels: ['-x'] })).resolves.toMatchObject({
        status: 409,
        body: { reason: 'dag_run_exists' },
      });
    });

    it('is for a singleton while a run is active', async () => {
      await post('/dags/nightly/start', { dagRunId: 'mine' });

      await expect(post('/dags/nightly/start', { dagRunId: 'mine', singleton: true })).resolves.toMatchObject({
        status: 409,
        body: { reason: 'dag_run_active' },
      });
    });
  });
});

describe('POST /dags/{fileName}/suspend', () => {
  beforeEach(() => test.addDag('nightly', spec()));

  it('returns 200 with nothing, and the same for the same state again', async () => {
    const as = await test.createKey('operator');
    for (const suspend of [true, true, false]) {
      await expect(post('/dags/nightly/suspend', { suspend }, as)).resolves.toMatchObject({ status: 200, body: {} });
      await expect(get('/dags/nightly')).resolves.toMatchObject({ body: { suspended: suspend } });
    }
  });

  it.each([{}, { suspend: 'yes' }])('returns 400 for %j', async (body) => {
    await expect(post('/dags/nightly/suspend', body)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('returns 403 to a viewer', async () => {
    const as = await test.createKey('viewer');

    await expect(post('/dags/nightly/suspend', { suspend: true }, as)).resolves.toMatchObject(roleMissing);
  });

  it('returns 404 for a file that is not there', async () => {
    await expect(post('/dags/nothing/suspend', { suspend: true })).resolves.toMatchObject(notFound);
  });
});

describe('a server without a worker', () => {
  it('leaves what was started queued until a worker comes', async () => {
    await test.addDag('nightly', spec());
    const { body } = await post('/dags/nightly/start');
    const run = `/dag-runs/nightly/${body.dagRunId as string}` as const;
    await expect(get(run)).resolves.toMatchObject({
      body: { dagRunDetails: { statusLabel: 'queued', startedAt: '' } },
    });
    await test.application.worker.start({ claimsQueued: true });
    const ended = await waitFor(
      async () => {
        const { dagRunDetails } = (await get(run)).body as { dagRunDetails: { finishedAt: string } };
        return dagRunDetails.finishedAt === '' ? undefined : dagRunDetails;
      },
      { what: 'the run to end' },
    );

    expect(ended).toMatchObject({ statusLabel: 'succeeded', nodes: [{ statusLabel: 'succeeded' }] });
    await expect(get(`${run}/steps/extract/log`)).resolves.toMatchObject({ body: { content: 'hello' } });
    await expect(get(`${run}/log`)).resolves.toMatchObject({
      body: { content: expect.stringContaining('run ended status="succeeded"') as string },
    });
  });
});

describe.each(['/dag-runs', '/dag-runs/enqueue'] as const)('POST %s', (path) => {
  it('returns 200 and stores a run of the spec', async () => {
    const { status, body } = await post(path, { spec: spec('name: own\n'), dagRunId: 'sent', labels: ['via=api'] });

    expect({ status, body }).toEqual({ status: 200, body: { dagRunId: 'sent', name: 'own' } });
    await expect(test.application.runs.find('own', 'sent')).resolves.toMatchObject({
      status: 'queued',
      labels: ['via=api'],
    });
  });

  it('takes the name of the request in place of that of the spec', async () => {
    await expect(post(path, { spec: spec('name: own\n'), name: 'other' })).resolves.toMatchObject({
      body: { name: 'other' },
    });
  });

  it.each([
    ['a spec with errors', { spec: 'steps: 5', name: 'a' }],
    ['a spec without a name', { spec: spec() }],
  ])('returns 400 for %s', async (_, body) => {
    await expect(post(path, body)).resolves.toMatchObject(badRequest('spec_invalid'));
  });

  it('returns 403 for an operator, who may not write DAGs', async () => {
    const operator = await test.createKey('operator');
    await expect(post(path, { spec: spec(), name: 'a' }, operator)).resolves.toMatchObject(roleMissing);
  });

  it('returns 403 for an origin, which only commands of the machine may say', async () => {
    await expect(post(path, { spec: spec(), name: 'a', origin: { fileName: 'a' } })).resolves.toMatchObject({
      status: 403,
      body: { reason: 'local_only' },
    });
  });
});
