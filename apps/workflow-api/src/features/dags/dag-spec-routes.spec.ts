import { mkdir, readFile, readdir, stat, symlink, writeFile, chmod } from 'node:fs/promises';
import { aSpec } from '../../testing/a-spec';
import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const before = aSpec('# before\n');
const after = aSpec('# after\n');
const changed = { status: 412, body: { code: 'conflict', reason: 'revision_changed' } };
const missing = { status: 404, body: { reason: 'dag_not_found' } };

const fileOf = (name: string) => workflow.server.folder.file('dags', name);
const put = (spec: unknown, options: { readonly as?: string; readonly ifMatch?: string } = {}) =>
  workflow.server.api.send('PUT /dags/nightly/spec', {
    as: options.as ?? workflow.asAdmin,
    body: { spec },
    ...(options.ifMatch === undefined ? {} : { headers: { 'if-match': options.ifMatch } }),
  });

beforeEach(() => workflow.server.addDag('nightly', before));

describe('GET /dags/{fileName}/spec', () => {
  it('returns 200 with the text, the DAG and its entity tag', async () => {
    const { status, body, headers } = await get('/dags/nightly/spec?remoteNode=local');

    expect({ status, body }).toMatchObject({
      status: 200,
      body: { spec: before, errors: [], findings: [], dag: { name: 'nightly' } },
    });
    expect(headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
    expect((await get('/dags/nightly/spec')).headers.get('etag')).toBe(headers.get('etag'));
  });

  it('returns 200 with every finding of a file with errors', async () => {
    await workflow.server.addDag('nightly', 'stepz: 1\nsteps:\n  - run: a\n');
    const { body } = await get('/dags/nightly/spec');

    expect(body).toMatchObject({ errors: [expect.stringContaining('[1:1]')], findings: [{ code: 'unknown_key' }] });
  });

  it('returns 200 and explains why a file cannot be read', async () => {
    await writeFile(fileOf('broken.yaml'), Buffer.from([0xff, 0xfe, 0xfd]));

    await expect(get('/dags/broken/spec')).resolves.toMatchObject({
      status: 200,
      body: { spec: '', errors: ['the file is not UTF-8 text'], findings: [] },
    });
  });

  it('returns 404 for an unknown DAG, and for one of a workspace that is not visible', async () => {
    await workflow.server.addDag('secret', aSpec('labels: workspace=ops\n'));
    const as = await workflow.server.createKey('viewer', { dev: 'developer' });

    await expect(get('/dags/unknown/spec')).resolves.toMatchObject(missing);
    await expect(get('/dags/secret/spec', as)).resolves.toMatchObject(missing);
  });

  it('returns 400 for another node', async () => {
    await expect(get('/dags/nightly/spec?remoteNode=x')).resolves.toMatchObject(badRequest('remote_node_unknown'));
  });
});

describe('PUT /dags/{fileName}/spec', () => {
  it('returns 200, replaces the file whole and lists it at once', async () => {
    const { status, body, headers } = await put(aSpec('description: new\n'));

    expect({ status, body }).toEqual({ status: 200, body: { errors: [], findings: [] } });
    await expect(get('/dags')).resolves.toMatchObject({ body: { dags: [{ dag: { description: 'new' } }] } });
    expect((await get('/dags/nightly/spec')).headers.get('etag')).toBe(headers.get('etag'));
    await expect(readdir(fileOf('.'))).resolves.toEqual(['nightly.yaml']);
  });

  it('returns 200 and keeps the file when the spec has errors', async () => {
    const { headers } = await get('/dags/nightly/spec');
    const answer = await put('steps:\n  - run: a\n    depends: b\n');

    expect(answer).toMatchObject({ status: 200, body: { findings: [{ severity: 'error', line: 3 }] } });
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.headers.get('etag')).toBe(headers.get('etag'));
    await expect(readFile(fileOf('nightly.yaml'), 'utf8')).resolves.toBe(before);
  });

  it('keeps the permissions of the file, and a link to it', async () => {
    await writeFile(fileOf('real.yml'), before);
    await chmod(fileOf('real.yml'), 0o640);
    await symlink('real.yml', fileOf('linked.yaml'));
    const answer = await workflow.server.api.send('PUT /dags/linked/spec', {
      as: workflow.asAdmin,
      body: { spec: after },
    });

    expect(answer.status).toBe(200);
    await expect(readFile(fileOf('real.yml'), 'utf8')).resolves.toBe(after);
    expect((await stat(fileOf('real.yml'))).mode & 0o777).toBe(0o640);
  });

  it('returns 200 for the current revision and 412 for an earlier one', async () => {
    const ifMatch = (await get('/dags/nightly/spec')).headers.get('etag') ?? '';

    await expect(put(after, { ifMatch })).resolves.toMatchObject({ status: 200 });
    await expect(put(before, { ifMatch })).resolves.toMatchObject(changed);
    await expect(readFile(fileOf('nightly.yaml'), 'utf8')).resolves.toBe(after);
  });

  it('lets one of several concurrent changes of one revision pass', async () => {
    const ifMatch = (await get('/dags/nightly/spec')).headers.get('etag') ?? '';
    const specs = Array.from({ length: 8 }, (_, index) => aSpec(`# ${index}\n`));
    const statuses = (await Promise.all(specs.map((spec) => put(spec, { ifMatch })))).map(({ status }) => status);

    expect(statuses.toSorted()).toEqual([200, ...Array<number>(7).fill(412)]);
  });

  it('returns 403 to callers who may not write the DAG in its old or new form', async () => {
    const ops = await workflow.server.createKey('viewer', { ops: 'developer' });
    const intoOps = aSpec('labels: workspace=ops\n');

    await expect(put(after, { as: await workflow.server.createKey('operator') })).resolves.toMatchObject(roleMissing);
    await expect(put(intoOps, { as: ops })).resolves.toMatchObject(roleMissing);
    await put(intoOps);
    await expect(put(after, { as: ops })).resolves.toMatchObject(roleMissing);
    await expect(put(intoOps, { as: ops })).resolves.toMatchObject({ status: 200 });
  });

  it('shows the managers of both workspaces in the audit log that a DAG was moved', async () => {
    await workflow.server.addDag('nightly', aSpec('labels: workspace=ops\n'));
    await put(aSpec('labels: workspace=dev\n'));

    for (const name of ['ops', 'dev']) {
      const as = await workflow.server.createKey('viewer', { [name]: 'manager' });
      await expect(get('/audit', as)).resolves.toMatchObject({
        body: { total: 1, entries: [{ action: 'dag_update', resourceId: 'nightly', workspace: name }] },
      });
    }
  });

  it('returns 404 for an unknown DAG', async () => {
    const answer = await workflow.server.api.send('PUT /dags/unknown/spec', {
      as: workflow.asAdmin,
      body: { spec: after },
    });

    expect(answer).toMatchObject(missing);
  });

  it('returns 400 without a spec', async () => {
    await expect(put(undefined)).resolves.toMatchObject(badRequest('request_invalid'));
  });
});

describe('DELETE /dags/{fileName}', () => {
  const remove = (as = workflow.asAdmin, headers: Record<string, string> = {}) =>
    workflow.server.api.send('DELETE /dags/nightly', { as, headers });

  it('returns 204, and removes the DAG and its suspension', async () => {
    await workflow.post('/dags/nightly/suspend', { suspend: true });

    await expect(remove()).resolves.toMatchObject({ status: 204 });
    await expect(get('/dags/nightly')).resolves.toMatchObject(missing);
    await expect(get('/dags')).resolves.toMatchObject({ body: { dags: [] } });
    await workflow.post('/dags', { name: 'nightly' });
    await expect(get('/dags/nightly')).resolves.toMatchObject({ body: { suspended: false } });
  });

  it('returns 404 for an unknown DAG', async () => {
    await remove();

    await expect(remove()).resolves.toMatchObject(missing);
  });

  it('returns 403 to an operator', async () => {
    await expect(remove(await workflow.server.createKey('operator'))).resolves.toMatchObject(roleMissing);
  });

  it('returns 412 for another revision', async () => {
    await expect(remove(workflow.asAdmin, { 'if-match': '"other"' })).resolves.toMatchObject(changed);
    await expect(get('/dags/nightly')).resolves.toMatchObject({ status: 200 });
  });
});

describe('POST /dags/{fileName}/rename', () => {
  const rename = (newFileName: string, as?: string) => workflow.post('/dags/nightly/rename', { newFileName }, as);

  it('returns 200, and file and suspension have the new name', async () => {
    await workflow.post('/dags/nightly/suspend', { suspend: true });

    await expect(rename('daily')).resolves.toMatchObject({ status: 200 });
    await expect(get('/dags/nightly')).resolves.toMatchObject(missing);
    await expect(get('/dags/daily')).resolves.toMatchObject({ body: { suspended: true, spec: before } });
    await expect(get('/dags')).resolves.toMatchObject({ body: { dags: [{ fileName: 'daily' }] } });
    await expect(readdir(fileOf('.'))).resolves.toEqual(['daily.yaml']);
  });

  it('returns 400 while a run of the DAG is active', async () => {
    await workflow.post('/dags/nightly/enqueue');

    await expect(rename('daily')).resolves.toMatchObject(badRequest('dag_running'));
  });

  it.each(['', '../up', '..', 'a b'])('returns 400 for the name %j', async (name) => {
    await expect(rename(name)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('returns 403 to an operator and 404 for an unknown DAG', async () => {
    await expect(rename('daily', await workflow.server.createKey('operator'))).resolves.toMatchObject(roleMissing);
    await rename('daily');
    await expect(rename('other')).resolves.toMatchObject(missing);
  });

  it('returns 409 when the name is taken by anything', async () => {
    const exists = { status: 409, body: { reason: 'dag_exists' } };
    await workflow.server.addDag('daily', after);
    await mkdir(fileOf('folder.yml'));

    await expect(rename('daily')).resolves.toMatchObject(exists);
    await expect(rename('folder')).resolves.toMatchObject(exists);
    await expect(rename('nightly')).resolves.toMatchObject(exists);
    await expect(readFile(fileOf('daily.yaml'), 'utf8')).resolves.toBe(after);
  });

  it('leaves both DAGs suspended when the name is taken', async () => {
    await workflow.server.addDag('daily', after);
    for (const name of ['nightly', 'daily'] as const) await workflow.post(`/dags/${name}/suspend`, { suspend: true });
    await rename('daily');
    await rename('nightly');

    for (const name of ['nightly', 'daily'] as const) {
      await expect(get(`/dags/${name}`)).resolves.toMatchObject({ body: { suspended: true } });
    }
  });
});

describe.each([
  ['labels', '/dags/labels'],
  ['tags', '/dags/tags'],
] as const)('GET of all %s', (field, path) => {
  beforeEach(async () => {
    await workflow.server.addDag('a', aSpec('labels: [team=data, Hourly, workspace=ops]\n'));
    await workflow.server.addDag('b', aSpec('labels: [team=web]\n'));
  });

  it('returns 200 with the labels and their keys', async () => {
    const { status, body } = await get(path);

    expect({ status, body }).toMatchObject({
      status: 200,
      body: { [field]: ['hourly', 'team', 'team=data', 'team=web', 'workspace', 'workspace=ops'], errors: [] },
    });
  });

  it('returns 200 with the whole labels of a workspace', async () => {
    expect((await get(`${path}?workspace=ops`)).body).toMatchObject({
      [field]: ['hourly', 'team=data', 'workspace=ops'],
      errors: [],
    });
  });

  it('returns 200 with what is visible only', async () => {
    const as = await workflow.server.createKey('viewer', { dev: 'viewer' });

    expect((await get(path, as)).body).toMatchObject({ [field]: ['team', 'team=web'], errors: [] });
    await expect(get(`${path}?workspace=ops`, as)).resolves.toMatchObject({ status: 404 });
  });

  it('returns 400 for a scope without its workspace', async () => {
    await expect(get(`${path}?workspaceScope=workspace`)).resolves.toMatchObject(badRequest('request_invalid'));
  });
});

it('GET of all labels returns 200 with the number of DAGs that have each', async () => {
  await workflow.server.addDag('a', aSpec('labels: [team=data, team=web]\n'));
  await workflow.server.addDag('b', aSpec('labels: [team=web]\n'));

  expect((await get('/dags/labels')).body.counts).toEqual([
    { label: 'team', count: 2 },
    { label: 'team=data', count: 1 },
    { label: 'team=web', count: 2 },
  ]);
});
