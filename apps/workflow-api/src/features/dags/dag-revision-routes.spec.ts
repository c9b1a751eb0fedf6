import { readFile, symlink, writeFile } from 'node:fs/promises';
import { aSpec } from '../../testing/a-spec';
import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get, post } = workflow;
const missing = { status: 404, body: { reason: 'dag_not_found' } };
const unknownRevision = { status: 404, body: { reason: 'revision_not_found' } };
const changed = { status: 412, body: { reason: 'revision_changed' } };

const fileOf = (name: string) => workflow.server.folder.file('dags', `${name}.yaml`);
const texts = { first: aSpec('description: first\n'), second: aSpec('description: second\n') };
const create = (name = 'nightly', spec = texts.first) => post('/dags', { name, spec });
const put = (spec: string, name = 'nightly') =>
  workflow.server.api.send(`PUT /dags/${name}/spec`, { as: workflow.asAdmin, body: { spec } });
const remove = () => workflow.server.api.send('DELETE /dags/nightly', { as: workflow.asAdmin });
const restore = (revision: number, { as, ifMatch }: { readonly as?: string; readonly ifMatch?: string } = {}) =>
  workflow.server.api.send(`POST /dags/nightly/revisions/${revision}/restore`, {
    as: as ?? workflow.asAdmin,
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
  });
const changesOf = async (name = 'nightly') => {
  const { body } = await get(`/dags/${name}/revisions`);
  return (body.revisions as readonly { readonly change: string; readonly author?: string }[]).map(
    ({ change, author }) => (author === undefined ? `${change} outside` : change),
  );
};

describe('GET /dags/{fileName}/revisions', () => {
  it('returns 200 with every change of the file, newest first', async () => {
    await create();
    await put(texts.second);
    await put(texts.second);
    await put('steps: 5\n');
    const { status, body } = await get('/dags/nightly/revisions');

    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        revisions: [
          { revision: 2, change: 'changed' },
          { revision: 1, change: 'created' },
        ],
      },
    });
    expect(body.revisions).toEqual([
      expect.objectContaining({
        author: expect.any(String) as string,
        hash: expect.stringMatching(/^[\da-f]{64}$/) as string,
      }),
      expect.objectContaining({ author: expect.any(String) as string }),
    ]);
    expect(body).not.toHaveProperty('nextCursor');
  });

  it('returns 200 with changes from outside of the server, without an author', async () => {
    await writeFile(fileOf('nightly'), texts.first);
    await expect(changesOf()).resolves.toEqual(['created outside']);

    await put(texts.second);
    await writeFile(fileOf('nightly'), texts.first);
    await expect(changesOf()).resolves.toEqual(['changed outside', 'changed', 'created outside']);
  });

  it('returns 200 with those of a deleted DAG', async () => {
    await create();
    await remove();

    await expect(changesOf()).resolves.toEqual(['deleted', 'created']);
  });

  it('returns 200 with those of the previous name', async () => {
    await create();
    await create('daily', texts.second);
    await workflow.server.api.send('DELETE /dags/daily', { as: workflow.asAdmin });
    await post('/dags/nightly/rename', { newFileName: 'daily' });

    await expect(changesOf('daily')).resolves.toEqual(['renamed', 'created', 'deleted', 'created']);
    await expect(get('/dags/nightly/revisions')).resolves.toMatchObject(missing);
  });

  it('returns 200 in pages', async () => {
    await create();
    await put(texts.second);
    await put(texts.first);
    const { body } = await get('/dags/nightly/revisions?limit=2');
    const next = await get(`/dags/nightly/revisions?limit=2&cursor=${String(body.nextCursor)}`);

    expect(body.revisions).toMatchObject([{ revision: 3 }, { revision: 2 }]);
    expect(next.body).toMatchObject({ revisions: [{ revision: 1 }] });
    expect(next.body).not.toHaveProperty('nextCursor');
    await create('daily');
    await expect(get(`/dags/daily/revisions?cursor=${String(body.nextCursor)}`)).resolves.toMatchObject(
      badRequest('cursor_invalid'),
    );
  });

  it('returns 200 without the texts of a workspace that the caller cannot see', async () => {
    await create('nightly', aSpec('labels: workspace=ops\n'));
    await put(texts.first);
    const as = await workflow.server.createKey('viewer', { dev: 'viewer' });

    await expect(get('/dags/nightly/revisions', as)).resolves.toMatchObject({ body: { revisions: [{ revision: 2 }] } });
    await expect(get('/dags/nightly/revisions/1', as)).resolves.toMatchObject(unknownRevision);
    await expect(get('/dags/nightly/revisions/2/diff?from=1', as)).resolves.toMatchObject(unknownRevision);
    const { body } = await get('/dags/nightly/revisions/2/diff', as);
    expect(body.diff).not.toContain('workspace=ops');
  });

  it('returns 404 for a DAG that never existed, and for one of a workspace that is not visible', async () => {
    await create('nightly', aSpec('labels: workspace=ops\n'));
    const as = await workflow.server.createKey('viewer', { dev: 'viewer' });

    await expect(get('/dags/unknown/revisions')).resolves.toMatchObject(missing);
    await expect(get('/dags/nightly/revisions', as)).resolves.toMatchObject(missing);
    await remove();
    await expect(get('/dags/nightly/revisions', as)).resolves.toMatchObject(missing);
  });
});

describe('GET /dags/{fileName}/revisions/{revision}', () => {
  it('returns 200 with the text', async () => {
    await create();
    await put(texts.second);

    await expect(get('/dags/nightly/revisions/1')).resolves.toMatchObject({
      status: 200,
      body: { revision: 1, change: 'created', spec: texts.first },
    });
  });

  it.each(['0', '3', '01', '1.0', 'latest', '99999999999999999999'])('returns 404 for %s', async (revision) => {
    await create();

    await expect(get(`/dags/nightly/revisions/${revision}`)).resolves.toMatchObject(unknownRevision);
  });
});

describe('GET /dags/{fileName}/revisions/{revision}/diff', () => {
  it('returns 200 with the difference to the previous revision, and to any other', async () => {
    await create();
    await put(texts.second);
    await put(aSpec('description: third\n'));
    const { status, body } = await get('/dags/nightly/revisions/2/diff');

    expect({ status, body }).toMatchObject({ status: 200, body: { from: { revision: 1 }, to: { revision: 2 } } });
    expect(body.minimal).toBe(true);
    expect(body.diff).toContain('-description: first\n+description: second\n');
    expect((await get('/dags/nightly/revisions/1/diff?from=3')).body.diff).toContain(
      '-description: third\n+description: first\n',
    );
    expect((await get('/dags/nightly/revisions/1/diff')).body).not.toHaveProperty('from');
  });
});

describe('POST /dags/{fileName}/revisions/{revision}/restore', () => {
  it('returns 409 where another file has the name of the deleted DAG now', async () => {
    await create();
    await remove();
    await symlink('nowhere', fileOf('nightly'));

    await expect(restore(1)).resolves.toMatchObject({ status: 409, body: { reason: 'dag_exists' } });
  });

  it('returns 200 and writes the text as a new revision', async () => {
    await create();
    await put(texts.second);
    const { headers } = await get('/dags/nightly/spec');
    const answer = await restore(1, { ifMatch: headers.get('etag') ?? '' });

    expect(answer).toMatchObject({ status: 200, body: { errors: [], findings: [] } });
    await expect(readFile(fileOf('nightly'), 'utf8')).resolves.toBe(texts.first);
    await expect(changesOf()).resolves.toEqual(['restored', 'changed', 'created']);
    expect((await get('/dags/nightly/spec')).headers.get('etag')).toBe(answer.headers.get('etag'));
  });

  it('returns 200 and creates a deleted DAG again', async () => {
    await create();
    await remove();

    await expect(restore(1)).resolves.toMatchObject({ status: 200, body: { errors: [] } });
    await expect(readFile(fileOf('nightly'), 'utf8')).resolves.toBe(texts.first);
    await expect(changesOf()).resolves.toEqual(['restored', 'deleted', 'created']);
  });

  it('returns 200 with the errors of a text that it does not store', async () => {
    await writeFile(fileOf('nightly'), 'steps: 5\n');
    await expect(changesOf()).resolves.toHaveLength(1);
    await put(texts.first);

    expect((await restore(1)).body.errors).toHaveLength(1);
    await expect(readFile(fileOf('nightly'), 'utf8')).resolves.toBe(texts.first);
  });

  it('returns 400 for a deletion, and for a text with errors of a deleted DAG', async () => {
    await writeFile(fileOf('nightly'), 'steps: 5\n');
    await remove();

    await expect(restore(2)).resolves.toMatchObject(badRequest('revision_without_text'));
    await expect(restore(1)).resolves.toMatchObject(badRequest('spec_invalid'));
  });

  it('returns 403 to an operator', async () => {
    await create();

    await expect(restore(1, { as: await workflow.server.createKey('operator') })).resolves.toMatchObject(roleMissing);
  });

  it('returns 412 for a revision that is not the present one', async () => {
    await create();
    await put(texts.second);

    await expect(restore(1, { ifMatch: '"other"' })).resolves.toMatchObject(changed);
    await remove();
    await expect(restore(1, { ifMatch: '*' })).resolves.toMatchObject(changed);
  });
});
