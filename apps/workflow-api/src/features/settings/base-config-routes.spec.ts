import { chmod, writeFile } from 'node:fs/promises';
import { aSpec } from '../../testing/a-spec';
import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';
import { withoutPrivileges } from '../../testing/without-privileges';

const workflow = useWorkflow();
const address = '/settings/base-config';
const put = (spec: string, ifMatch?: string, as = workflow.asAdmin) =>
  workflow.server.api.send(`PUT ${address}`, {
    as,
    body: { spec },
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
  });

describe('base configuration', () => {
  it('is empty before it is stored, and then applies to DAGs', async () => {
    expect((await workflow.get(address)).body).toEqual({ spec: '', errors: [], findings: [] });
    await expect(put('env:\n  - REGION: eu\n')).resolves.toMatchObject({ status: 200, body: { errors: [] } });
    await workflow.server.addDag('nightly', aSpec());

    await expect(workflow.get(address)).resolves.toMatchObject({ body: { spec: 'env:\n  - REGION: eu\n' } });
    await expect(workflow.get('/dags/nightly')).resolves.toMatchObject({ body: { dag: { env: ['REGION=eu'] } } });
  });

  it('returns 400 for a configuration with errors, and keeps the file', async () => {
    await put('env:\n  - REGION: eu\n');

    await expect(put('steps: []\nstepz: 1\n')).resolves.toMatchObject(badRequest('spec_invalid'));
    await expect(workflow.get(address)).resolves.toMatchObject({ body: { spec: 'env:\n  - REGION: eu\n' } });
  });

  it('returns 412 for an earlier revision', async () => {
    const ifMatch = (await workflow.get(address)).headers.get('etag') ?? '';

    await expect(put('env:\n  - A: b\n', ifMatch)).resolves.toMatchObject({ status: 200 });
    await expect(put('env:\n  - A: c\n', ifMatch)).resolves.toMatchObject({
      status: 412,
      body: { reason: 'revision_changed' },
    });
  });

  it('returns 403 to an operator', async () => {
    const operator = await workflow.server.createKey('operator');

    await expect(workflow.get(address, operator)).resolves.toMatchObject(roleMissing);
    await expect(put('', undefined, operator)).resolves.toMatchObject(roleMissing);
  });
});

describe('revisions of the base configuration', () => {
  const texts = ['env:\n  - A: one\n', 'env:\n  - A: two\n'] as const;
  const revisions = `${address}/revisions` as const;
  beforeEach(async () => {
    for (const text of texts) await put(text);
  });

  it('are listed with 200, newest first, in pages', async () => {
    const { body } = await workflow.get(`${revisions}?limit=1`);

    expect(body).toMatchObject({
      revisions: [{ revision: 2, change: 'changed', author: expect.any(String) as string }],
    });
    await expect(workflow.get(`${revisions}?limit=1&cursor=${body.nextCursor as string}`)).resolves.toMatchObject({
      status: 200,
      body: { revisions: [{ revision: 1 }] },
    });
  });

  it('have their text and their differences', async () => {
    await expect(workflow.get(`${revisions}/1`)).resolves.toMatchObject({ status: 200, body: { spec: texts[0] } });
    const { body } = await workflow.get(`${revisions}/2/diff`);

    expect(body).toMatchObject({ from: { revision: 1 }, to: { revision: 2 }, minimal: true });
    expect(body.diff).toContain('-  - A: one\n+  - A: two\n');
  });

  it('are restored with 200 as new revisions', async () => {
    await expect(workflow.post(`${revisions}/1/restore`)).resolves.toMatchObject({ status: 200 });

    await expect(workflow.get(address)).resolves.toMatchObject({ body: { spec: texts[0] } });
    await expect(workflow.get(revisions)).resolves.toMatchObject({
      body: { revisions: [{ revision: 3, change: 'restored' }, {}, {}] },
    });
  });

  it('include changes from outside of the server, without an author', async () => {
    await writeFile(workflow.server.folder.file('base.yaml'), 'env: []\n');
    const { body } = await workflow.get(revisions);
    const [newest] = body.revisions as [Record<string, unknown>];

    expect(newest).toMatchObject({ revision: 3, change: 'changed' });
    expect(newest).not.toHaveProperty('author');
  });

  it('are refused with 403, 404 and 412', async () => {
    const operator = await workflow.server.createKey('operator');
    const stale = { as: workflow.asAdmin, headers: { 'if-match': '"stale"' } };

    await expect(workflow.get(revisions, operator)).resolves.toMatchObject(roleMissing);
    await expect(workflow.get(`${revisions}/9`)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'revision_not_found', message: 'The base configuration has no revision "9".' },
    });
    await expect(workflow.server.api.send(`POST ${revisions}/1/restore`, stale)).resolves.toMatchObject({
      status: 412,
      body: { reason: 'revision_changed' },
    });
  });
});

describe('a read-only base configuration', () => {
  const refused = { status: 503, body: { reason: 'base_config_not_writable' } };
  beforeEach(async () => {
    await put('env:\n  - A: one\n');
    await chmod(workflow.server.folder.file('base.yaml'), 0o644);
    await chmod(workflow.server.folder.path, 0o755);
  });

  describe('PUT /settings/base-config', () => {
    it('returns 503 and leaves the file', async () => {
      await expect(withoutPrivileges(() => put('env:\n  - A: two\n'))).resolves.toMatchObject(refused);
      await expect(workflow.get(address)).resolves.toMatchObject({ body: { spec: 'env:\n  - A: one\n' } });
    });
  });

  describe('POST /settings/base-config/revisions/{revision}/restore', () => {
    it('returns 503 and leaves the file', async () => {
      await put('env:\n  - A: two\n');
      const restoring = () => workflow.post(`${address}/revisions/1/restore`);

      await expect(withoutPrivileges(restoring)).resolves.toMatchObject(refused);
      await expect(workflow.get(address)).resolves.toMatchObject({ body: { spec: 'env:\n  - A: two\n' } });
    });
  });
});
