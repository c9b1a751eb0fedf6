import { utimes } from 'node:fs/promises';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();

async function addDocs(contents: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, content] of Object.entries(contents)) {
    const { status } = await workflow.post('/docs', { id, content });
    expect(status).toBe(201);
  }
}

describe('GET /docs', () => {
  it('returns 200 with directories first, then by name, and what they contain', async () => {
    await addDocs({ alpha: '', Beta: '---\ntitle: Second\n---\n', 'zoo/ape': '', 'zoo/old/bear': '' });

    const { status, body } = await workflow.get('/docs');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      tree: [
        {
          id: 'zoo',
          name: 'zoo',
          type: 'directory',
          children: [
            { id: 'zoo/old', type: 'directory', children: [{ id: 'zoo/old/bear' }] },
            { id: 'zoo/ape', type: 'file' },
          ],
        },
        { id: 'alpha', type: 'file' },
        { id: 'Beta', type: 'file', title: 'Second' },
      ],
      pagination: { totalRecords: 3, totalPages: 1 },
    });
    expect(body).not.toHaveProperty('items');
  });

  it('returns 200 with pages of a flat list in the requested order', async () => {
    await addDocs({ a: '', 'b/c': '', d: '' });
    const times = { a: 2000, 'b/c': 3000, d: 1000 };
    for (const [id, seconds] of Object.entries(times))
      await utimes(workflow.server.folder.file('dags', 'docs', `${id}.md`), seconds, seconds);
    const list = async (query: string) =>
      ((await workflow.get(`/docs?flat=true${query}`)).body.items as { id: string }[]).map(({ id }) => id);

    expect(await list('&sort=name')).toEqual(['a', 'b/c', 'd']);
    expect(await list('&sort=mtime&order=desc')).toEqual(['b/c', 'a', 'd']);
    expect(await list('&perPage=2&page=2')).toEqual(['d']);
  });

  it('returns 200 without documents', async () => {
    await expect(workflow.get('/docs')).resolves.toMatchObject({
      status: 200,
      body: { tree: [], pagination: { totalRecords: 0 } },
    });
  });

  it('returns 404 for a workspace that does not exist', async () => {
    await expect(workflow.get('/docs?workspace=nobody')).resolves.toMatchObject({
      status: 404,
      body: { reason: 'workspace_not_found' },
    });
  });
});

describe('GET /docs/search', () => {
  it('returns 200 with the documents and all matches, by path', async () => {
    await addDocs({ two: 'Needle\nhay\nneedle\n', 'in/one': '---\ntitle: One\n---\nneedle', none: 'hay' });

    await expect(workflow.get('/docs/search?q=NEEDLE')).resolves.toMatchObject({
      status: 200,
      body: {
        results: [
          { id: 'in/one', title: 'One', matches: [{ lineNumber: 4 }] },
          { id: 'two', title: 'two', matches: [{ lineNumber: 1 }, { lineNumber: 3 }] },
        ],
      },
    });
  });

  it('returns 400 for a blank text', async () => {
    await expect(workflow.get('/docs/search?q=%20')).resolves.toMatchObject(badRequest('request_invalid'));
  });
});

describe('GET /search/docs', () => {
  it('returns 200 with one page after the other', async () => {
    await addDocs({ a: 'needle', b: 'needle\nneedle', c: 'needle' });
    const first = await workflow.get('/search/docs?q=needle&limit=2');
    const cursor = encodeURIComponent(String(first.body.nextCursor));

    expect(first).toMatchObject({
      status: 200,
      body: {
        results: [
          { id: 'a', hasMoreMatches: false },
          { id: 'b', hasMoreMatches: true },
        ],
        hasMore: true,
      },
    });
    const next = await workflow.get(`/search/docs?q=needle&limit=2&cursor=${cursor}`);
    expect(next.body).toMatchObject({ results: [{ id: 'c' }], hasMore: false });
    expect(next.body).not.toHaveProperty('nextCursor');
  });

  it('returns 400 for a cursor of another search', async () => {
    await addDocs({ a: 'needle', b: 'needle' });
    const { body } = await workflow.get('/search/docs?q=needle&limit=1');
    const cursor = encodeURIComponent(String(body.nextCursor));

    await expect(workflow.get(`/search/docs?q=other&cursor=${cursor}`)).resolves.toMatchObject(
      badRequest('cursor_invalid'),
    );
  });
});

describe('GET /search/docs/matches', () => {
  it('returns 200 with the matches after those of the list', async () => {
    await addDocs({ a: 'needle\nneedle\nneedle' });
    const { body } = await workflow.get('/search/docs?q=needle');
    const [found] = body.results as { nextMatchesCursor: string }[];
    const cursor = encodeURIComponent(found?.nextMatchesCursor ?? '');

    await expect(workflow.get(`/search/docs/matches?path=a&q=needle&limit=1&cursor=${cursor}`)).resolves.toMatchObject({
      status: 200,
      body: { matches: [{ lineNumber: 2 }], hasMore: true },
    });
  });

  it('returns 404 for a document that does not exist', async () => {
    await expect(workflow.get('/search/docs/matches?path=a&q=x')).resolves.toMatchObject({
      status: 404,
      body: { reason: 'doc_not_found' },
    });
  });
});
