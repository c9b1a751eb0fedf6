import type { DagRunSummary } from '@weir/workflow-engine';
import { storeKinds } from '../../../testing/test-stores';
import { useRunRepository } from '../../../testing/use-run-repository';
import type { RunScan } from './dag-run-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const everywhere = { unassigned: true, named: 'all' } as const;

describe.each(storeKinds)('a scan of runs on %s', (kind) => {
  const storage = useRunRepository(kind);
  const { add } = storage;
  const listIds = (found: readonly DagRunSummary[]): readonly string[] => found.map(({ id }) => id);
  const scan = async (values: Partial<RunScan> = {}): Promise<readonly string[]> =>
    listIds(await storage.runs.scan({ workspaces: everywhere, limit: 100, ...values }));

  it('counts by DAG and status', async () => {
    await add({ id: 'a', dagName: 'x', status: 'failed', createdAt: at(1) });
    await add({ id: 'b', dagName: 'x', status: 'failed', createdAt: at(2), workspace: 'ops' });
    await add({ id: 'c', dagName: 'y', status: 'running', createdAt: at(3) });
    const count = (values: Partial<RunScan> = {}) => storage.runs.countRuns({ workspaces: everywhere, ...values });

    expect(await count()).toHaveLength(2);
    expect(await count()).toEqual(
      expect.arrayContaining([
        { dagName: 'x', status: 'failed', count: 2 },
        { dagName: 'y', status: 'running', count: 1 },
      ]),
    );
    await expect(count({ from: at(2), to: at(3) })).resolves.toEqual([{ dagName: 'x', status: 'failed', count: 1 }]);
    await expect(count({ statuses: ['running', 'queued'] })).resolves.toMatchObject([{ dagName: 'y' }]);
    const both = { unassigned: true, named: ['ops'] };
    await expect(count({ workspaces: both, statuses: ['failed'] })).resolves.toMatchObject([{ count: 2 }]);
  });

  describe('scan', () => {
    it('sorts from the newest to the oldest, and by key for equal times', async () => {
      await add({ id: 'b', createdAt: at(1) });
      await add({ id: 'a', createdAt: at(1) });
      await add({ id: 'c', createdAt: at(2) });

      await expect(scan()).resolves.toEqual(['c', 'b', 'a']);
    });

    it('continues after a position without missing or repeating a run', async () => {
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      for (const [index, id] of ids.entries()) {
        await add({ id, createdAt: at(Math.floor(index / 3)), dagName: index % 2 === 0 ? 'even' : 'odd' });
      }
      const all = await storage.runs.scan({ workspaces: everywhere, limit: 100 });
      const seen: string[] = [];
      for (let after: DagRunSummary | undefined; ;) {
        const [next] = await storage.runs.scan({ workspaces: everywhere, limit: 1, after });
        if (next === undefined) break;
        seen.push(next.id);
        after = next;
      }

      expect(seen).toEqual(listIds(all));
      expect(seen.toSorted()).toEqual(ids);
    });

    it('includes the first time and excludes the last one', async () => {
      for (const second of [1, 2, 3]) await add({ id: `run-${second}`, createdAt: at(second) });

      await expect(scan({ from: at(2) })).resolves.toEqual(['run-3', 'run-2']);
      await expect(scan({ to: at(2) })).resolves.toEqual(['run-1']);
      await expect(scan({ from: at(2), to: at(3) })).resolves.toEqual(['run-2']);
    });

    it('finds only the requested statuses', async () => {
      await add({ id: 'a', status: 'failed' });
      await add({ id: 'b', status: 'running' });
      await add({ id: 'c', status: 'succeeded' });

      await expect(scan({ statuses: ['failed', 'succeeded'] })).resolves.toEqual(['c', 'a']);
      await expect(scan({ statuses: [] })).resolves.toEqual([]);
    });

    it('merges several statuses and workspaces into one order, page by page', async () => {
      const statuses = ['failed', 'succeeded', 'queued'] as const;
      const names = [null, 'ops', 'dev', 'sales'];
      for (let index = 0; index < 48; index += 1) {
        const workspace = names[index % 4] ?? null;
        // Three and three at the same time, and in the order of neither key nor name.
        await add({
          id: `run-${(index * 7) % 48}`,
          dagName: `dag-${(index * 5) % 3}`,
          status: statuses[index % 3] ?? 'failed',
          workspace,
          createdAt: at(Math.floor(index / 3)),
        });
      }
      const filter = {
        statuses: ['failed', 'queued', 'failed'],
        workspaces: { unassigned: true, named: ['ops', 'dev', 'ops'] },
      } as const;
      const all = await storage.runs.scan({ workspaces: everywhere, limit: 100 });
      const expected = listIds(all.filter(({ status, workspace }) => status !== 'succeeded' && workspace !== 'sales'));
      const seen: string[] = [];
      for (let after: DagRunSummary | undefined; ;) {
        const page = await storage.runs.scan({ ...filter, limit: 5, after });
        seen.push(...listIds(page));
        after = page.at(-1);
        if (page.length < 5) break;
      }

      expect(expected).toHaveLength(24);
      expect(seen).toEqual(expected);
    });

    it.each([
      ['everything', { unassigned: true, named: 'all' }, ['c', 'b', 'a']],
      ['what is in no workspace', { unassigned: true, named: [] }, ['a']],
      ['one workspace', { unassigned: false, named: ['ops'] }, ['b']],
      ['one workspace and what is in none', { unassigned: true, named: ['dev'] }, ['c', 'a']],
      ['every workspace', { unassigned: false, named: 'all' }, ['c', 'b']],
      ['nothing', { unassigned: false, named: [] }, []],
    ] as const)('shows %s', async (_, workspaces, expected) => {
      await add({ id: 'a' });
      await add({ id: 'b', workspace: 'ops' });
      await add({ id: 'c', workspace: 'dev' });

      await expect(scan({ workspaces })).resolves.toEqual(expected);
    });
  });
});
