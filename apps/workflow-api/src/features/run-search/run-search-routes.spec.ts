import type { DagRun } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));

interface Page {
  readonly results: readonly { readonly dagRunId: string }[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

const add = (id: string, values: Partial<DagRun> = {}, steps = [aRunStep()]) =>
  workflow.server.application.runs.insert(aRun({ id, dagRunId: id, ...values }), steps, {
    audit: unaudited,
    singleton: false,
  });
const search = async (query: string, as?: string) =>
  (await get(`/search/dag-runs?${query}`, as)).body as unknown as Page;
const idsOf = ({ results }: Page) => results.map(({ dagRunId }) => dagRunId);

describe('GET /search/dag-runs', () => {
  it('returns 200 with what matched', async () => {
    await add('r1', { status: 'failed', labels: ['team=data'], params: 'quarter=Q3', createdAt: at(1) }, [
      aRunStep({ name: 'load', status: 'failed', error: `${'x'.repeat(100)} connection refused\nby db3` }),
    ]);
    const { status, body } = await get('/search/dag-runs?q=Refused%20q3%20TEAM');

    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        results: [
          {
            name: 'nightly',
            dagRunId: 'r1',
            statusLabel: 'failed',
            matches: [
              { field: 'step', step: 'load', excerpt: `…${'x'.repeat(28)} connection refused by db3` },
              { field: 'label', excerpt: 'team=data' },
              { field: 'params', excerpt: 'quarter=Q3' },
            ],
          },
        ],
        hasMore: false,
      },
    });
  });

  it('returns 200 with one page after the other, newest first', async () => {
    for (const second of [1, 2, 3]) await add(`r${second}`, { createdAt: at(second) });
    const first = await search('q=nightly&limit=2');
    const second = await search(`q=nightly&limit=2&cursor=${first.nextCursor ?? ''}`);

    expect([idsOf(first), first.hasMore]).toEqual([['r3', 'r2'], true]);
    expect([idsOf(second), second.hasMore, second.nextCursor]).toEqual([['r1'], false, undefined]);
  });

  it('returns 200 with what is visible and selected only', async () => {
    await add('mine', { workspace: 'dev', createdAt: at(2) });
    await add('theirs', { workspace: 'ops', createdAt: at(1) });
    const as = await workflow.server.createKey('viewer', { dev: 'viewer' });

    expect(idsOf(await search('q=nightly', as))).toEqual(['mine']);
    expect(idsOf(await search('q=theirs', as))).toEqual([]);
    expect(idsOf(await search('q=nightly&workspace=ops'))).toEqual(['theirs']);
    await expect(get('/search/dag-runs?q=nightly&workspace=ops', as)).resolves.toMatchObject({ status: 404 });
  });

  it('returns 200 with nothing for a text without words', async () => {
    await add('r1');

    expect(await search(`q=${encodeURIComponent('-- *')}`)).toEqual({ results: [], hasMore: false });
  });

  it('returns 400 for a cursor of another search, and for an invalid cursor', async () => {
    for (const second of [1, 2]) await add(`r${second}`, { createdAt: at(second) });
    const { nextCursor = '' } = await search('q=nightly&limit=1');

    for (const query of [`q=other&cursor=${nextCursor}`, 'q=nightly&cursor=x']) {
      await expect(get(`/search/dag-runs?${query}`)).resolves.toMatchObject(badRequest('cursor_invalid'));
    }
    await expect(get('/search/dag-runs?q=%20')).resolves.toMatchObject(badRequest('request_invalid'));
  });
});
