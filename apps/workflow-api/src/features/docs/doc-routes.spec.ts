import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { badRequest, roleMissing } from '../../testing/answers';
import type { SendOptions } from '../../testing/send';
import { useWorkflow } from '../../testing/use-workflow';
import { withoutPrivileges } from '../../testing/without-privileges';

const workflow = useWorkflow();
const send = (operation: `${string} /${string}`, options: SendOptions = {}) =>
  workflow.server.api.send(operation, { as: workflow.asAdmin, ...options });
const create = (id: string, content = '# Text\n', query = '') => send(`POST /docs${query}`, { body: { id, content } });
const fileOf = (id: string) => workflow.server.folder.file('dags', 'docs', `${id}.md`);
const addWorkspace = (name: string) => send('POST /workspaces', { body: { name } });
const notFound = { status: 404, body: { reason: 'doc_not_found' } };

describe('POST /docs', () => {
  it('returns 201 and stores the text with a final newline, for its owner only', async () => {
    await expect(create('on call/first steps', 'Ask Ada.')).resolves.toMatchObject({ status: 201 });

    await expect(readFile(fileOf('on call/first steps'), 'utf8')).resolves.toBe('Ask Ada.\n');
  });

  it.each(['../out', '/root', 'a//b', '.hidden', 'a/../b', 'a\\b', '', 'x'.repeat(257)])(
    'returns 400 for the path %j',
    async (id) => {
      await expect(create(id)).resolves.toMatchObject(badRequest('request_invalid'));
    },
  );

  it('returns 400 for more bytes than a file may have', async () => {
    await expect(create('large', 'é'.repeat(600_000))).resolves.toMatchObject(badRequest('doc_too_large'));
  });

  it('returns 403 to an operator', async () => {
    const as = await workflow.server.createKey('operator');
    await expect(send('POST /docs', { as, body: { id: 'x', content: '' } })).resolves.toMatchObject(roleMissing);
  });

  it('returns 409 for a path that a document, a directory or a link has', async () => {
    await create('a/b');
    await symlink('/etc/passwd', fileOf('linked'));

    for (const id of ['a/b', 'a', 'linked'])
      await expect(create(id)).resolves.toMatchObject({ status: 409, body: { reason: 'doc_exists' } });
  });

  it('returns 503 where a link leads out of the folder', async () => {
    await create('first');
    await mkdir(workflow.server.folder.file('outside'));
    await symlink(workflow.server.folder.file('outside'), path.join(path.dirname(fileOf('first')), 'out'));

    await expect(create('out/x')).resolves.toMatchObject({ status: 503, body: { reason: 'docs_folder_not_writable' } });
  });
});

describe('GET /docs/doc', () => {
  it('returns 200 with title, description, content and entity tag', async () => {
    await create('ops', '---\ntitle: Operations\ndescription: How to\n---\r\nText\n\n');

    const { status, body, headers } = await workflow.get('/docs/doc?path=ops');

    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 'ops', title: 'Operations', description: 'How to', filePath: fileOf('ops') });
    expect(body.content).toBe('---\ntitle: Operations\ndescription: How to\n---\nText');
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
  });

  it('returns 404 for a missing path, a directory, a link and a file that is no text', async () => {
    await create('a/b');
    await symlink('/etc/passwd', fileOf('linked'));
    await writeFile(fileOf('binary'), Buffer.from([0xff, 0xfe]));

    for (const name of ['missing', 'a', 'linked', 'binary'])
      await expect(workflow.get(`/docs/doc?path=${name}`)).resolves.toMatchObject(notFound);
  });
});

describe('PATCH /docs/doc', () => {
  const update = (content: string, headers = {}) => send('PATCH /docs/doc?path=ops', { body: { content }, headers });

  it('returns 200 with the new entity tag, and 412 for the earlier one', async () => {
    await create('ops');
    const etag = (await workflow.get('/docs/doc?path=ops')).headers.get('etag') ?? '';
    const changed = await update('new', { 'if-match': etag });

    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).toBe((await workflow.get('/docs/doc?path=ops')).headers.get('etag'));
    await expect(update('newer', { 'if-match': etag })).resolves.toMatchObject({ status: 412 });
    await expect(readFile(fileOf('ops'), 'utf8')).resolves.toBe('new\n');
  });

  it('returns 403 to an operator and 404 for a document that does not exist', async () => {
    await expect(update('new')).resolves.toMatchObject(notFound);
    await create('ops');
    const as = await workflow.server.createKey('operator');
    await expect(send('PATCH /docs/doc?path=ops', { as, body: { content: '' } })).resolves.toMatchObject(roleMissing);
  });
});

describe('DELETE /docs/doc', () => {
  it('returns 204, and empty directories are gone', async () => {
    await create('a/b/c');

    await expect(send('DELETE /docs/doc?path=a/b/c')).resolves.toMatchObject({ status: 204 });
    await expect(workflow.get('/docs')).resolves.toMatchObject({ body: { tree: [] } });
    await expect(create('a')).resolves.toMatchObject({ status: 201 });
  });

  it('returns 204 for a document before the directory of the same path, then for the directory', async () => {
    await create('a/b');
    await writeFile(fileOf('a'), 'beside');

    await send('DELETE /docs/doc?path=a');
    await expect(workflow.get('/docs/doc?path=a/b')).resolves.toMatchObject({ status: 200 });
    await send('DELETE /docs/doc?path=a');
    await expect(workflow.get('/docs/doc?path=a/b')).resolves.toMatchObject(notFound);
  });

  it('returns 403 to an operator, 404 for a missing path and 412 for an earlier revision', async () => {
    await create('a');
    const as = await workflow.server.createKey('operator');

    await expect(send('DELETE /docs/doc?path=a', { as })).resolves.toMatchObject(roleMissing);
    await expect(send('DELETE /docs/doc?path=b')).resolves.toMatchObject(notFound);
    await expect(send('DELETE /docs/doc?path=a', { headers: { 'if-match': '"x"' } })).resolves.toMatchObject({
      status: 412,
    });
  });
});

describe('POST /docs/doc/rename', () => {
  const rename = (from: string, newPath: string) => send(`POST /docs/doc/rename?path=${from}`, { body: { newPath } });

  it('returns 200 for a document and for a directory', async () => {
    await create('a/b', 'Text');

    await expect(rename('a/b', 'c/d')).resolves.toMatchObject({ status: 200 });
    await expect(rename('c', 'e')).resolves.toMatchObject({ status: 200 });
    await expect(workflow.get('/docs/doc?path=e/d')).resolves.toMatchObject({ body: { content: 'Text' } });
    await expect(workflow.get('/docs')).resolves.toMatchObject({ body: { tree: [{ id: 'e' }] } });
  });

  it('returns 400 for a directory into itself, 404 for a missing path and 409 for a taken path', async () => {
    await create('a/b');
    await create('c');

    await expect(rename('a', 'a/b/c')).resolves.toMatchObject(badRequest('doc_inside_itself'));
    await expect(rename('missing', 'd')).resolves.toMatchObject(notFound);
    await expect(rename('a/b', 'c')).resolves.toMatchObject({ status: 409, body: { reason: 'doc_exists' } });
  });
});

describe('POST /docs/delete-batch', () => {
  const remove = (paths: readonly string[], as = workflow.asAdmin) =>
    send('POST /docs/delete-batch', { as, body: { paths } });

  it('returns 200 and counts missing documents as deleted', async () => {
    await create('a');
    await create('b/c');

    await expect(remove(['a', 'b', 'missing'])).resolves.toMatchObject({
      status: 200,
      body: { deleted: ['a', 'b', 'missing'], failed: [] },
    });
    await expect(workflow.get('/docs')).resolves.toMatchObject({ body: { tree: [] } });
  });

  it('returns 400 for a path that is given twice and 403 to an operator', async () => {
    await expect(remove(['a', 'a'])).resolves.toMatchObject(badRequest('request_invalid'));
    await expect(remove(['a'], await workflow.server.createKey('operator'))).resolves.toMatchObject(roleMissing);
  });
});

describe('documents of workspaces', () => {
  it('belong to the workspace of their first directory, and only its members see them', async () => {
    await addWorkspace('ops');
    await create('inside', 'Ours', '?workspace=ops');
    await create('outside', 'Everyone');
    const member = await workflow.server.createKey('viewer', { ops: 'developer' });
    const stranger = await workflow.server.createKey('viewer', { other: 'viewer' });

    await expect(workflow.get('/docs/doc?path=inside&workspace=ops', member)).resolves.toMatchObject({
      body: { id: 'inside', workspace: 'ops' },
    });
    await expect(workflow.get('/docs?flat=true', member)).resolves.toMatchObject({
      body: { items: [{ id: 'ops/inside', workspace: 'ops' }, { id: 'outside' }] },
    });
    await expect(workflow.get('/docs/doc?path=ops/inside', stranger)).resolves.toMatchObject(notFound);
    await expect(workflow.get('/docs?workspace=ops', stranger)).resolves.toMatchObject({ status: 404 });
    await expect(workflow.get('/docs?flat=true', stranger)).resolves.toMatchObject({
      body: { items: [{ id: 'outside' }], pagination: { totalRecords: 1 } },
    });
    await expect(workflow.get('/docs?workspaceScope=default&flat=true')).resolves.toMatchObject({
      body: { items: [{ id: 'outside' }] },
    });
  });

  it('are neither created nor renamed into a workspace by a path', async () => {
    await addWorkspace('ops');
    await create('outside');

    for (const answer of [
      await create('ops/x'),
      await create('OPS/x'),
      await send('POST /docs/doc/rename?path=outside', { body: { newPath: 'ops/outside' } }),
    ])
      expect(answer).toMatchObject(badRequest('doc_path_of_workspace'));
  });

  it('are not moved to another workspace by changes of workspaces', async () => {
    const { body } = await addWorkspace('ops');
    await create('inside', '', '?workspace=ops');
    await create('later/x');
    const refused = { status: 409, body: { reason: 'workspace_has_documents' } };

    await expect(addWorkspace('later')).resolves.toMatchObject(refused);
    await expect(send(`DELETE /workspaces/${String(body.id)}`)).resolves.toMatchObject(refused);
    await expect(send(`PATCH /workspaces/${String(body.id)}`, { body: { name: 'renamed' } })).resolves.toMatchObject(
      refused,
    );
  });
});

describe('read-only documents', () => {
  const refused = { status: 503, body: { reason: 'docs_folder_not_writable' } };
  beforeEach(async () => {
    await create('ops');
    await chmod(fileOf('ops'), 0o644);
    for (let folder = path.dirname(fileOf('ops')); folder.startsWith(workflow.server.folder.path);) {
      await chmod(folder, 0o755);
      folder = path.dirname(folder);
    }
  });
  const asNobody = (operation: `${string} /${string}`, options?: SendOptions) =>
    withoutPrivileges(() => send(operation, options));

  describe('PATCH /docs/doc', () => {
    it('returns 503 and leaves the document', async () => {
      await expect(asNobody('PATCH /docs/doc?path=ops', { body: { content: 'new' } })).resolves.toMatchObject(refused);
      await expect(readFile(fileOf('ops'), 'utf8')).resolves.toBe('# Text\n');
    });
  });

  describe('POST /docs/doc/rename', () => {
    it('returns 503 and leaves the document', async () => {
      const body = { newPath: 'moved' };
      await expect(asNobody('POST /docs/doc/rename?path=ops', { body })).resolves.toMatchObject(refused);
      await expect(workflow.get('/docs/doc?path=ops')).resolves.toMatchObject({ status: 200 });
    });
  });

  describe('DELETE /docs/doc', () => {
    it('returns 503 and leaves the document', async () => {
      await expect(asNobody('DELETE /docs/doc?path=ops')).resolves.toMatchObject(refused);
      await expect(workflow.get('/docs/doc?path=ops')).resolves.toMatchObject({ status: 200 });
    });
  });
});
