import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { RequestOptions, Weir } from '../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    viewer = (await aUser(weir, admin, 'viewer')).token;
  }, 60_000);

  afterAll(() => weir.dispose());

  const send = (operation: string, options: RequestOptions = {}) => {
    const [method = '', address = ''] = operation.split(' ');
    return weir.request(method, address, { token: admin, ...options });
  };
  const create = (id: string, content: string, query = '') => send(`POST /docs${query}`, { body: { id, content } });
  const readFileOf = (id: string) => readFile(path.join(weir.home.path, 'weir', 'dags', 'docs', `${id}.md`), 'utf8');

  describe('POST /docs', () => {
    it('returns 201, and the file beside the DAGs contains the text', async () => {
      expect((await create('created/first', '# First')).status).toBe(201);
      expect(await readFileOf('created/first')).toBe('# First\n');
    });

    it('returns 400 for a path that leaves the folder, 403 for a viewer and 409 for a taken path', async () => {
      await create('created/taken', '');

      expect((await create('../out', '')).status).toBe(400);
      expect((await send('POST /docs', { token: viewer, body: { id: 'x', content: '' } })).status).toBe(403);
      expect((await create('created/taken', '')).status).toBe(409);
    });
  });

  describe('GET /docs', () => {
    it('returns 200 with the documents of a workspace, as a tree and flat', async () => {
      await send('POST /workspaces', { body: { name: 'listed' } });
      await create('a/b', '---\ntitle: Title\n---\n', '?workspace=listed');

      expect((await send('GET /docs?workspace=listed', { token: viewer })).body).toMatchObject({
        tree: [{ id: 'a', type: 'directory', children: [{ id: 'a/b', type: 'file', title: 'Title' }] }],
        pagination: { totalRecords: 1 },
      });
      expect((await send('GET /docs?workspace=listed&flat=true')).body).toMatchObject({
        items: [{ id: 'a/b', title: 'Title', workspace: 'listed' }],
      });
      expect((await send('GET /docs?workspace=nobody')).status).toBe(404);
    });
  });

  describe('GET /docs/doc', () => {
    it('returns 200 with the document and its entity tag, and 404 for a missing one', async () => {
      await create('read', 'Text');
      const { status, body, headers } = await send('GET /docs/doc?path=read', { token: viewer });

      expect(status).toBe(200);
      expect(body).toMatchObject({ id: 'read', title: 'read', content: 'Text' });
      expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
      expect((await send('GET /docs/doc?path=nobody')).status).toBe(404);
    });
  });

  describe('PATCH /docs/doc', () => {
    it('returns 200, then 412 for the revision before, and 403 for a viewer', async () => {
      await create('changed', 'before');
      const etag = (await send('GET /docs/doc?path=changed')).headers.get('etag') ?? '';
      const update = (content: string, token = admin) =>
        send('PATCH /docs/doc?path=changed', { token, body: { content }, headers: { 'if-match': etag } });

      expect((await update('denied', viewer)).status).toBe(403);
      expect((await update('after')).status).toBe(200);
      expect((await update('lost')).status).toBe(412);
      expect(await readFileOf('changed')).toBe('after\n');
    });
  });

  describe('DELETE /docs/doc', () => {
    it('returns 204, then 404', async () => {
      await create('gone', '');

      expect((await send('DELETE /docs/doc?path=gone')).status).toBe(204);
      expect((await send('DELETE /docs/doc?path=gone')).status).toBe(404);
    });
  });

  describe('POST /docs/doc/rename', () => {
    it('returns 200 for a directory, and 409 for a taken path', async () => {
      await create('before/x', 'Text');
      await create('other', '');

      expect((await send('POST /docs/doc/rename?path=before', { body: { newPath: 'other' } })).status).toBe(409);
      expect((await send('POST /docs/doc/rename?path=before', { body: { newPath: 'after' } })).status).toBe(200);
      expect((await send('GET /docs/doc?path=after/x')).body).toMatchObject({ content: 'Text' });
    });
  });

  describe('POST /docs/delete-batch', () => {
    it('returns 200 with the deleted documents', async () => {
      await create('batch/a', '');

      expect((await send('POST /docs/delete-batch', { body: { paths: ['batch', 'nobody'] } })).body).toMatchObject({
        deleted: ['batch', 'nobody'],
        failed: [],
      });
    });
  });

  describe('GET /docs/search', () => {
    it('returns 200 with the documents and their matches', async () => {
      await create('found', 'hay\nNeedle one\nneedle two');

      expect((await send('GET /docs/search?q=needle', { token: viewer })).body).toMatchObject({
        results: [{ id: 'found', matches: [{ lineNumber: 2 }, { lineNumber: 3 }] }],
      });
    });
  });

  describe('GET /search/docs', () => {
    it('returns 200 with a page of documents', async () => {
      await create('pages/a', 'pin');
      await create('pages/b', 'pin');
      const { status, body } = await send('GET /search/docs?q=pin&limit=1');

      expect(status).toBe(200);
      expect(body).toMatchObject({ results: [{ id: 'pages/a' }], hasMore: true });
    });
  });

  describe('GET /search/docs/matches', () => {
    it('returns 200 with a page of matches', async () => {
      await create('matched', 'bolt\nbolt');

      expect(await send('GET /search/docs/matches?path=matched&q=bolt&limit=1')).toMatchObject({
        status: 200,
        body: { matches: [{ lineNumber: 1 }], hasMore: true },
      });
    });
  });
});
