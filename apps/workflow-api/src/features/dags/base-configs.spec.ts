import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';

let test: TestWorkflow;
let asAdmin: string;

beforeEach(async () => {
  test = await createTestWorkflow();
  asAdmin = await test.createKey('admin');
});
afterEach(() => test.stop());

const spec = (head = '') => `${head}steps:\n  - {name: extract, run: echo}\n`;
const post = (path: `/${string}`, body: unknown = {}) => test.api.send(`POST ${path}`, { as: asAdmin, body });
const get = (path: `/${string}`) => test.api.send(`GET ${path}`, { as: asAdmin });
const badRequest = (reason: string) => ({ status: 400, body: { code: 'bad_request', reason } });

describe('the base configuration', () => {
  const baseFile = () => test.folder.file('base.yaml');

  it('gives DAGs what they leave out, and a run keeps it as it was', async () => {
    await writeFile(baseFile(), 'env:\n  - SHARED: first\nqueue: everything\n');
    const { body } = await post('/dags/validate', { spec: spec() });
    expect(body).toMatchObject({ valid: true, dag: { env: ['SHARED=first'], queue: 'everything' } });
    await test.addDag('inheriting', spec());
    const started = await post('/dags/inheriting/start');
    await writeFile(baseFile(), 'env:\n  - SHARED: second\n');

    const run = await test.application.runs.find('inheriting', String(started.body.dagRunId));
    expect(run?.baseTexts).toEqual(['env:\n  - SHARED: first\nqueue: everything\n']);
    await expect(get('/dags/inheriting')).resolves.toMatchObject({ body: { dag: { env: ['SHARED=second'] } } });
  });

  it('tells an editor which step types it gives, those of the workspace before those of all', async () => {
    const custom = (about: string) =>
      `actions:\n  notify:\n    description: ${about}\n    template: {action: log.write, with: {message: hello}}\n`;
    await writeFile(baseFile(), custom('Notifies the team'));
    await mkdir(test.folder.file('dags', 'workspaces', 'sales'), { recursive: true });
    await writeFile(test.folder.file('dags', 'workspaces', 'sales', 'base.yaml'), custom('Tells the sellers'));
    await test.addDag('inheriting', spec());
    await test.addDag('selling', spec('labels: workspace=sales\n'));
    const readTypes = async (name: string) =>
      ((await get(`/dags/${name}`)).body.editorHints as Record<string, unknown>).inheritedCustomStepTypes;

    await expect(readTypes('inheriting')).resolves.toEqual([
      { name: 'notify', targetType: 'log.write', description: 'Notifies the team', inputSchema: {} },
    ]);
    await expect(readTypes('selling')).resolves.toMatchObject([{ description: 'Tells the sellers' }]);
  });

  it('is named with its first error by everything that reads a DAG', async () => {
    await test.addDag('inheriting', spec());
    await writeFile(baseFile(), 'groop: x\n');
    const error = expect.stringMatching(
      /^\[1:1\] the base configuration .*base\.yaml cannot be used: \[1:1\] .*groop/,
    ) as string;

    await expect(post('/dags/validate', { spec: spec() })).resolves.toMatchObject({
      body: { valid: false, errors: [error], findings: [{ code: 'invalid_base_config' }] },
    });
    await expect(get('/dags/inheriting')).resolves.toMatchObject({ status: 200, body: { errors: [error] } });
    await expect(post('/dags/inheriting/start')).resolves.toMatchObject(badRequest('spec_invalid'));
    await rm(baseFile());
    await expect(post('/dags/inheriting/start')).resolves.toMatchObject({ status: 200 });
  });
});
