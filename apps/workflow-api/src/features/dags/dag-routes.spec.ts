import { symlink, writeFile } from 'node:fs/promises';
import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { aSpec } from '../../testing/a-spec';
import { badRequest, roleMissing, unauthorized } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get, post } = workflow;
const notFound = { status: 404, body: { code: 'not_found', reason: 'dag_not_found' } };

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
  beforeEach(() => workflow.server.addDag('nightly', aSpec()));

  it('returns 401 without a credential', async () => {
    await expect(workflow.server.api.send(operation, { body })).resolves.toMatchObject(unauthorized);
  });

  it('returns 400 for another node', async () => {
    const answer = await workflow.server.api.send(`${operation}?remoteNode=elsewhere`, { as: workflow.asAdmin, body });

    expect(answer).toMatchObject(badRequest('remote_node_unknown'));
  });

  it.each(['local', ''])('accepts "%s" for this node', async (name) => {
    const { status } = await workflow.server.api.send(`${operation}?remoteNode=${name}`, {
      as: workflow.asAdmin,
      body,
    });

    expect(status).toBeLessThan(300);
  });
});

describe('GET /dags/{fileName}', () => {
  describe('200', () => {
    it('shows the DAG, its file, its local DAGs, and a placeholder for the first run', async () => {
      const text = `${aSpec('type: chain\nenv: {A: b}\nmax_active_steps: 2\n')}---\nname: zeta\n${aSpec()}---\nname: eta\n${aSpec()}`;
      await workflow.server.addDag('nightly', text);
      const { status, body } = await get('/dags/nightly');

      expect(status).toBe(200);
      expect(body).toMatchObject({
        filePath: workflow.server.folder.file('dags', 'nightly.yaml'),
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

    it('shows a broken file with its errors', async () => {
      await workflow.server.addDag('broken', 'steps: [');
      const { status, body } = await get('/dags/broken');

      expect(status).toBe(200);
      expect(body).toMatchObject({ dag: { name: 'broken', steps: [] }, spec: 'steps: [' });
      expect(body.errors).not.toEqual([]);
    });

    it('hides a run of a workspace that the caller cannot see', async () => {
      await workflow.server.addDag('nightly', aSpec());
      const hidden = aRun({ workspace: 'dev', status: 'failed' });
      await workflow.server.application.runs.insert(hidden, [], { audit: unaudited, singleton: false });
      const as = await workflow.server.createKey('viewer', { ops: 'viewer' });

      await expect(get('/dags/nightly')).resolves.toMatchObject({ body: { latestDAGRun: { dagRunId: 'run-1' } } });
      await expect(get('/dags/nightly', as)).resolves.toMatchObject({ body: { latestDAGRun: { dagRunId: '' } } });
    });
  });

  it('shows and lists a file that cannot be read, and does not start it', async () => {
    await symlink('circle.yaml', workflow.server.folder.file('dags', 'circle.yaml'));
    await workflow.server.application.files.catalog.index('circle');
    const errors = ['the file cannot be read (ELOOP)'];

    await expect(get('/dags')).resolves.toMatchObject({
      status: 200,
      body: { dags: [{ fileName: 'circle', errors }] },
    });
    await expect(get('/dags/circle')).resolves.toMatchObject({ status: 200, body: { errors, spec: '' } });
    await expect(post('/dags/circle/start')).resolves.toMatchObject(badRequest('spec_invalid'));
  });

  it.each(['a%20b', '%2e%2e%2fsecret', 'x'.repeat(41), '%2e%2e%2e'])('returns 400 for the name %s', async (name) => {
    await writeFile(workflow.server.folder.file('secret.yaml'), aSpec());

    await expect(get(`/dags/${name}`)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  describe('404', () => {
    it('is for a missing file', async () => {
      await expect(get('/dags/nothing')).resolves.toMatchObject(notFound);
    });

    it('is for a workspace that is not visible, on every operation of the DAG', async () => {
      await workflow.server.addDag('in-dev', aSpec('labels: workspace=dev\n'));
      const as = await workflow.server.createKey('viewer', { ops: 'developer' });

      await expect(get('/dags/in-dev', as)).resolves.toMatchObject(notFound);
      await expect(post('/dags/in-dev/start', {}, as)).resolves.toMatchObject(notFound);
      await expect(post('/dags/in-dev/suspend', { suspend: true }, as)).resolves.toMatchObject(notFound);
    });
  });
});

describe('POST /dags/{fileName}/suspend', () => {
  beforeEach(() => workflow.server.addDag('nightly', aSpec()));

  it('returns 200 with an empty body, and the same for a repeated call', async () => {
    const as = await workflow.server.createKey('operator');
    for (const suspend of [true, true, false]) {
      await expect(post('/dags/nightly/suspend', { suspend }, as)).resolves.toMatchObject({ status: 200, body: {} });
      await expect(get('/dags/nightly')).resolves.toMatchObject({ body: { suspended: suspend } });
    }
  });

  it.each([{}, { suspend: 'yes' }])('returns 400 for %j', async (body) => {
    await expect(post('/dags/nightly/suspend', body)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('returns 403 to a viewer', async () => {
    const as = await workflow.server.createKey('viewer');

    await expect(post('/dags/nightly/suspend', { suspend: true }, as)).resolves.toMatchObject(roleMissing);
  });

  it('returns 404 for a missing file', async () => {
    await expect(post('/dags/nothing/suspend', { suspend: true })).resolves.toMatchObject(notFound);
  });
});
