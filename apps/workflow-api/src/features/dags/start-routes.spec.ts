import { writeFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { aSpec } from '../../testing/a-spec';
import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get, post } = workflow;
const notFound = { status: 404, body: { code: 'not_found', reason: 'dag_not_found' } };

describe('POST /dags/{fileName}/start', () => {
  beforeEach(() =>
    workflow.server.addDag(
      'nightly',
      aSpec(
        'labels: team=data\nparams: {type: object, properties: {a: {type: integer, default: 1}}, additionalProperties: true}\n',
      ),
    ),
  );

  describe('200', () => {
    it('stores a queued run with its parameters, labels and text', async () => {
      const as = await workflow.server.createKey('operator');
      const { status, body } = await post('/dags/nightly/start', { params: 'a=7 b=x', labels: ['Once', 'k=V'] }, as);
      await writeFile(workflow.server.folder.file('dags', 'nightly.yaml'), 'steps: []');

      expect(status).toBe(200);
      expect(body.dagRunId).toMatch(/^[0-9A-Za-z]{22}$/);
      const run = await workflow.server.application.runs.find('nightly', String(body.dagRunId));
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

    it('uses the given id and name', async () => {
      await expect(post('/dags/nightly/start', { dagRunId: 'mine', dagName: 'other' })).resolves.toMatchObject({
        body: { dagRunId: 'mine' },
      });
      await expect(workflow.server.application.runs.find('other', 'mine')).resolves.toMatchObject({
        fileName: 'nightly',
      });
    });
  });

  describe('400', () => {
    it.each([
      ['a step that is not there', { only: ['none'] }, 'steps_invalid'],
      ['outputs without a choice of steps', { outputs: { a: { b: 1 } } }, 'request_invalid'],
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
      await expect(workflow.server.application.runs.findLatest('nightly')).resolves.toBeUndefined();
    });

    it('refuses a DAG with errors', async () => {
      await workflow.server.addDag('broken', 'steps: [');
      await workflow.server.addDag('huge', `# ${'x'.repeat(1_048_576)}\n`);

      await expect(post('/dags/broken/start')).resolves.toMatchObject(badRequest('spec_invalid'));
      await expect(post('/dags/huge/start')).resolves.toMatchObject(badRequest('spec_invalid'));
    });

    it('refuses a call without a body', async () => {
      await expect(
        workflow.server.api.send('POST /dags/nightly/start', { as: workflow.asAdmin }),
      ).resolves.toMatchObject({ status: 400 });
    });
  });

  it('returns 403 to a viewer, also for a DAG with errors', async () => {
    await workflow.server.addDag('broken', 'steps: [');
    const as = await workflow.server.createKey('viewer');

    await expect(post('/dags/nightly/start', {}, as)).resolves.toMatchObject(roleMissing);
    await expect(post('/dags/broken/start', {}, as)).resolves.toMatchObject(roleMissing);
  });

  it('returns 404 for a missing file', async () => {
    await expect(post('/dags/nothing/start')).resolves.toMatchObject(notFound);
  });

  describe('409', () => {
    it('is for a taken run id', async () => {
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

describe('POST /dags/{fileName}/start of what the engine cannot do yet', () => {
  it('returns 501 with the parts, and stores no run', async () => {
    await workflow.server.addDag(
      'later',
      aSpec('handler_on: {failure: {name: h, run: echo, worker_selector: {gpu: yes}}}\n'),
    );

    await expect(post('/dags/later/start')).resolves.toMatchObject({
      status: 501,
      body: {
        reason: 'dag_not_runnable',
        details: { parts: ['step "h": worker_selector of a step that calls no DAG'] },
      },
    });
    await expect(workflow.server.application.runs.findLatest('later')).resolves.toBeUndefined();
    await expect(get('/dags/later')).resolves.toMatchObject({ body: { errors: [] } });
  });
});

describe('a server without a worker', () => {
  it('leaves started runs queued until a worker comes', async () => {
    await workflow.server.addDag('nightly', aSpec());
    const { body } = await post('/dags/nightly/start');
    const run = `/dag-runs/nightly/${body.dagRunId as string}` as const;
    await expect(get(run)).resolves.toMatchObject({
      body: { dagRunDetails: { statusLabel: 'queued', startedAt: '' } },
    });
    await workflow.server.application.worker.start({ claimsQueued: true });
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
    const { status, body } = await post(path, { spec: aSpec('name: own\n'), dagRunId: 'sent', labels: ['via=api'] });

    expect({ status, body }).toEqual({ status: 200, body: { dagRunId: 'sent', name: 'own' } });
    await expect(workflow.server.application.runs.find('own', 'sent')).resolves.toMatchObject({
      status: 'queued',
      labels: ['via=api'],
    });
  });

  it('uses the name of the request instead of the one in the spec', async () => {
    await expect(post(path, { spec: aSpec('name: own\n'), name: 'other' })).resolves.toMatchObject({
      body: { name: 'other' },
    });
  });

  it.each([
    ['a spec with errors', { spec: 'steps: 5', name: 'a' }],
    ['a spec without a name', { spec: aSpec() }],
  ])('returns 400 for %s', async (_, body) => {
    await expect(post(path, body)).resolves.toMatchObject(badRequest('spec_invalid'));
  });

  it('returns 403 for an operator, who may not write DAGs', async () => {
    const operator = await workflow.server.createKey('operator');
    await expect(post(path, { spec: aSpec(), name: 'a' }, operator)).resolves.toMatchObject(roleMissing);
  });

  it('returns 403 for an origin, which only commands of the machine may set', async () => {
    await expect(post(path, { spec: aSpec(), name: 'a', origin: { fileName: 'a' } })).resolves.toMatchObject({
      status: 403,
      body: { reason: 'local_only' },
    });
  });
});

describe('a dry run', () => {
  const spec = aSpec('name: nightly\nparams: {type: object, properties: {a: {type: integer, default: 1}}}\n');
  const planned = {
    dag: 'nightly',
    params: [{ name: 'a', value: '7' }],
    steps: [expect.objectContaining({ work: 'command', depends: [], skipped: false }) as unknown],
  };

  beforeEach(() => workflow.server.addDag('nightly', spec));

  it('returns what a start would execute, of a DAG to who may run it, of a spec to who may write one', async () => {
    const operator = await workflow.server.createKey('operator');
    const viewer = await workflow.server.createKey('viewer');
    const ofDag = { status: 200, body: planned };

    await expect(post('/dags/nightly/dry-run', { params: 'a=7' }, operator)).resolves.toMatchObject(ofDag);
    await expect(post('/dags/nightly/dry-run', {}, viewer)).resolves.toMatchObject(roleMissing);
    await expect(post('/dag-runs/dry-run', { spec, params: 'a=7' })).resolves.toMatchObject(ofDag);
    await expect(post('/dag-runs/dry-run', { spec, name: 'other' })).resolves.toMatchObject({ body: { dag: 'other' } });
    await expect(post('/dag-runs/dry-run', { spec }, operator)).resolves.toMatchObject(roleMissing);
    await expect(workflow.server.application.runs.findLatest('nightly')).resolves.toBeUndefined();
  });

  it.each([
    ['parameters', { spec, params: 'a=much' }, 'params_invalid'],
    ['a step that is not there', { spec, only: ['none'] }, 'steps_invalid'],
    ['outputs without a choice of steps', { spec, outputs: { a: { b: 1 } } }, 'request_invalid'],
    ['a spec with errors', { spec: 'steps: 5', name: 'x' }, 'spec_invalid'],
  ])('refuses %s as a start does', async (_, body, reason) => {
    await expect(post('/dag-runs/dry-run', body)).resolves.toMatchObject(badRequest(reason));
    await expect(post('/dag-runs', body)).resolves.toMatchObject(badRequest(reason));
  });

  it('returns 404 for a DAG that is not there', async () => {
    await expect(post('/dags/nobody/dry-run', {})).resolves.toMatchObject(notFound);
  });
});
