import type { DagRunSummary } from '@weir/workflow-engine/model';
import { aRunStep } from '@weir/workflow-engine/testing';
import { storeKinds } from '../../../testing/test-stores';
import { useRunRepository } from '../../../testing/use-run-repository';
import type { RunCounting, RunScan } from './dag-run-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const everywhere = { unassigned: true, named: 'all' } as const;

describe.each(storeKinds)('a scan of runs on %s', (kind) => {
  const storage = useRunRepository(kind);
  const { add } = storage;
  const listIds = (found: readonly DagRunSummary[]): readonly string[] => found.map(({ id }) => id);
  const scan = async (values: Partial<RunScan> = {}): Promise<readonly string[]> =>
    listIds(await storage.runs.scan({ workspaces: everywhere, limit: 100, ...values }));

  it('finds queued, running and waiting runs of any depth with a step that waits', async () => {
    const waiting = [aRunStep(), aRunStep({ position: 1, name: 'ask', status: 'waiting' })];
    await add({ id: 'a', dagRunId: 'a', status: 'waiting' }, waiting);
    await add({ id: 'b', dagRunId: 'b', status: 'running', ownerId: 'one' }, [aRunStep()]);
    const below = { parentId: 'b', rootId: 'b', parentNode: '0', depth: 1 };
    await add({ id: 'c', dagRunId: 'c', dagName: 'child', status: 'running', ownerId: 'one', ...below }, waiting);
    await add({ id: 'd', dagRunId: 'd', status: 'aborted' }, waiting);
    await add({ id: 'e', dagRunId: 'e', status: 'queued' }, waiting);
    const found = await storage.runs.listWithWaitingSteps();

    expect(found.toSorted((left, right) => (left.id < right.id ? -1 : 1))).toEqual([
      { id: 'a', rootId: null },
      { id: 'c', rootId: 'b' },
      { id: 'e', rootId: null },
    ]);
  });

  it('finds the runs of every depth that a worker executes', async () => {
    await add({ id: 'a', dagRunId: 'a', status: 'running', ownerId: 'one', startedAt: at(2) });
    const below = { parentId: 'a', rootId: 'a', parentNode: '0', depth: 1 };
    await add({
      id: 'b',
      dagRunId: 'b',
      dagName: 'child',
      status: 'running',
      ownerId: 'one',
      startedAt: at(3),
      ...below,
    });
    await add({ id: 'c', dagRunId: 'c', status: 'running', ownerId: 'two', startedAt: at(1) });
    await add({ id: 'd', dagRunId: 'd', status: 'succeeded', ownerId: 'one', startedAt: at(1) });

    expect(listIds(await storage.runs.listOwned(['one']))).toEqual(['a', 'b']);
    await expect(storage.runs.listOwned([])).resolves.toEqual([]);
  });

  it('finds the newest root runs of several DAGs, and the state of the newest of each', async () => {
    await add({ id: 'a', dagName: 'x', status: 'failed', createdAt: at(1) });
    await add({ id: 'b', dagName: 'x', status: 'succeeded', createdAt: at(3), workspace: 'ops' });
    await add({ id: 'c', dagName: 'x', status: 'failed', createdAt: at(2) });
    await add({ id: 'd', dagName: 'y', status: 'running', createdAt: at(3) });
    const below = { parentId: 'd', rootId: 'd', parentNode: '0', depth: 1 };
    await add({ id: 'e', dagName: 'y', status: 'running', createdAt: at(4), ...below });
    const recent = await storage.runs.listRecent(['x', 'y', 'z'], 2);

    expect([...recent].map(([name, runs]) => [name, ...listIds(runs)]).toSorted()).toEqual([
      ['x', 'b', 'c'],
      ['y', 'd'],
    ]);
    await expect(storage.runs.listRecent(['x'], 0)).resolves.toEqual(new Map());
    const states = await storage.runs.listLatestStates();
    expect(states.get('x')).toEqual({ status: 'succeeded', workspace: 'ops' });
  });

  it('finds the next run of the same DAG, among those in the workspaces', async () => {
    await add({ id: 'a', dagName: 'x', createdAt: at(1) });
    await add({ id: 'b', dagName: 'x', createdAt: at(1) });
    await add({ id: 'c', dagName: 'x', createdAt: at(2), workspace: 'ops' });
    await add({ id: 'd', dagName: 'x', createdAt: at(3) });
    await add({ id: 'e', dagName: 'y', createdAt: at(2) });
    const after = async (id: string, second: number, workspaces: RunScan['workspaces'] = everywhere) =>
      (await storage.runs.findNext({ dagName: 'x', id, createdAt: at(second) }, workspaces))?.dagRunId;

    await expect(after('a', 1)).resolves.toBe('b');
    await expect(after('b', 1)).resolves.toBe('c');
    await expect(after('b', 1, { unassigned: true, named: [] })).resolves.toBe('d');
    await expect(after('d', 3)).resolves.toBeUndefined();
  });

  it('counts by DAG and status', async () => {
    await add({ id: 'a', dagName: 'x', status: 'failed', createdAt: at(1) });
    await add({ id: 'b', dagName: 'x', status: 'failed', createdAt: at(2), workspace: 'ops' });
    await add({ id: 'c', dagName: 'y', status: 'running', createdAt: at(3) });
    const count = async (values: Partial<RunCounting> = {}) =>
      (await storage.runs.countRuns({ workspaces: everywhere, ...values })).counts;

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

  it('counts by hour, in one DAG, and only the newest of a status when there are more than the limit', async () => {
    const hour = (number: number, minute = 0): Date => new Date(Date.UTC(2026, 0, 2, number, minute, 59, 999));
    await add({ id: 'a', dagName: 'x', status: 'failed', createdAt: hour(3) });
    await add({ id: 'b', dagName: 'x', status: 'failed', createdAt: hour(3, 59), workspace: 'ops' });
    await add({ id: 'c', dagName: 'x', status: 'failed', createdAt: hour(4), workspace: 'ops' });
    await add({ id: 'd', dagName: 'y', status: 'failed', createdAt: hour(5) });
    const counting = { workspaces: everywhere, dagName: 'x', byHour: true };
    const inHour = (number: number, count: number) => ({
      dagName: 'x',
      status: 'failed',
      count,
      hour: new Date(Date.UTC(2026, 0, 2, number)),
    });

    const all = await storage.runs.countRuns(counting);
    expect(all.counts).toHaveLength(2);
    expect(all).toEqual({ counts: expect.arrayContaining([inHour(3, 2), inHour(4, 1)]) as unknown, isComplete: true });
    await expect(storage.runs.countRuns({ ...counting, limit: 4 })).resolves.toMatchObject({ isComplete: true });
    await expect(storage.runs.countRuns({ ...counting, limit: 1 })).resolves.toEqual({
      counts: [inHour(4, 1)],
      isComplete: false,
    });
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
