import { aSpec } from '../../testing/a-spec';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;

beforeEach(async () => {
  for (const name of ['c', 'a', 'B']) await workflow.server.addDag(name, aSpec(`# NEEDLE ${name}\n# and a needle\n`));
  await workflow.server.addDag('other', aSpec());
  await workflow.server.addDag('secret', aSpec('# needle\nlabels: [workspace=ops, big]\n'));
});

interface Page {
  readonly results: readonly { readonly fileName: string; readonly nextMatchesCursor?: string }[];
  readonly nextCursor?: string;
}

const feed = async (query: string, as?: string) =>
  (await get(`/search/dags?q=needle${query}`, as)).body as unknown as Page;
const names = (page: Page) => page.results.map(({ fileName }) => fileName);

describe('GET /dags/search', () => {
  it('returns 200 with the DAGs and all matches', async () => {
    const { status, body } = await get('/dags/search?q=Needle');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      results: [{ name: 'a', dag: { name: 'a' }, matches: [{ lineNumber: 1 }, { lineNumber: 2 }] }, {}, {}, {}],
      errors: [],
    });
  });

  it('returns 400 for a blank text', async () => {
    await expect(get('/dags/search?q=%20')).resolves.toMatchObject(badRequest('request_invalid'));
    await expect(get('/dags/search')).resolves.toMatchObject(badRequest('request_invalid'));
  });
});

describe('GET /search/dags', () => {
  it('returns 200 with one page after the other, by name', async () => {
    const first = await feed('&limit=3');
    const second = await feed(`&limit=3&cursor=${first.nextCursor ?? ''}`);

    expect(first).toMatchObject({
      hasMore: true,
      results: [{ hasMoreMatches: true, matches: [{ lineNumber: 1 }] }, {}, {}],
    });
    expect([names(first), names(second)]).toEqual([['a', 'B', 'c'], ['secret']]);
    expect(second).toMatchObject({ hasMore: false });
    expect(second.nextCursor).toBeUndefined();
  });

  it('returns 200 with what is visible and selected only', async () => {
    const as = await workflow.server.createKey('viewer', { dev: 'viewer' });

    expect(names(await feed('', as))).toEqual(['a', 'B', 'c']);
    expect(names(await feed('&workspace=ops'))).toEqual(['secret']);
    expect(names(await feed('&labels=big'))).toEqual(['secret']);
    await expect(get('/search/dags?q=needle&workspace=ops', as)).resolves.toMatchObject({ status: 404 });
  });

  it('returns 400 for a cursor of another search, and for an invalid cursor', async () => {
    const { nextCursor } = await feed('&limit=1');

    await expect(get(`/search/dags?q=other&cursor=${nextCursor ?? ''}`)).resolves.toMatchObject(
      badRequest('cursor_invalid'),
    );
    await expect(get('/search/dags?q=needle&cursor=x')).resolves.toMatchObject(badRequest('cursor_invalid'));
    await expect(get('/search/dags?q=needle&limit=51')).resolves.toMatchObject(badRequest('request_invalid'));
  });
});

describe('GET /search/dags/{fileName}/matches', () => {
  it('returns 200 with the matches after those of the list', async () => {
    const cursor = (await feed('&limit=1')).results[0]?.nextMatchesCursor ?? '';
    const { status, body } = await get(`/search/dags/a/matches?q=needle&cursor=${cursor}`);

    expect({ status, body }).toMatchObject({ status: 200, body: { matches: [{ lineNumber: 2 }], hasMore: false } });
  });

  it('returns 404 for an unknown DAG, and for one that is not visible', async () => {
    const as = await workflow.server.createKey('viewer', { dev: 'viewer' });
    const missing = { status: 404, body: { reason: 'dag_not_found' } };

    await expect(get('/search/dags/unknown/matches?q=needle')).resolves.toMatchObject(missing);
    await expect(get('/search/dags/secret/matches?q=needle', as)).resolves.toMatchObject(missing);
  });
});
