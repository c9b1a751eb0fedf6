import { createTestStores, storeKinds, type TestStoreSource } from '../../../testing/test-stores';
import { createInMemoryDagRunRepository } from './in-memory-dag-run-repository';
import { createPrismaDagRunRepository } from './prisma-dag-run-repository';
import type { StepOutputs, DagRunSummary } from '@weir/workflow-engine';
import type { JsonValue } from '@weir/workflow-spec';
import { toSummary } from './run-summary';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import type { DagRunRepository, RunScan } from './dag-run-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const everywhere = { unassigned: true, named: 'all' } as const;
const notSingleton = { singleton: false };
const lease = { ownerId: 'worker-1', token: 3 };

describe.each(storeKinds)('dag run repository on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  const open = async (): Promise<DagRunRepository> =>
    kind === 'memory' ? createInMemoryDagRunRepository() : createPrismaDagRunRepository(await stores.openDatabase());

  let runs: DagRunRepository;

  beforeEach(async () => {
    runs = await open();
  });

  const add = (values: Parameters<typeof aRun>[0] = {}, steps = [aRunStep()]) =>
    runs.insert(aRun(values), steps, notSingleton);
  const listIds = (found: readonly DagRunSummary[]): readonly string[] => found.map(({ id }) => id);
  const scan = async (values: Partial<RunScan> = {}): Promise<readonly string[]> =>
    listIds(await runs.scan({ workspaces: everywhere, limit: 100, ...values }));

  describe('insert', () => {
    it('stores every field of a run and of its steps', async () => {
      const run = aRun({
        params: 'a=b',
        labels: ['team=data', 'workspace=ops'],
        workspace: 'ops',
        startedAt: at(1),
        finishedAt: at(2),
        scheduleTime: at(3),
        error: 'no',
        ownerId: 'worker-1',
        status: 'failed',
        resolvedParams: [{ name: 'a', value: 'b "c"' }],
        baseTexts: ['env: {A: "1"}\n', 'queue: sales\n'],
      });
      const steps = [aRunStep({ exitCode: 3, pid: 4, processStartedAt: 'boot:5' }), aRunStep({ position: 1 })];
      await runs.insert(run, steps, notSingleton);

      await expect(runs.find('nightly', 'run-1')).resolves.toEqual(run);
      await expect(runs.findById('run-1')).resolves.toEqual(run);
      await expect(runs.listSteps('run-1')).resolves.toEqual(steps);
    });

    it('stores a thousand steps in order', async () => {
      const steps = Array.from({ length: 1001 }, (_, position) => aRunStep({ position }));
      await runs.insert(aRun(), steps, notSingleton);

      await expect(runs.listSteps('run-1')).resolves.toEqual(steps);
    });

    it('refuses a run id of the same DAG, and keeps the first run', async () => {
      await add({ params: 'first=1' });

      await expect(add({ id: 'run-2', dagRunId: 'run-1' })).rejects.toMatchObject({ reason: 'dag_run_exists' });
      await expect(runs.findLatest('nightly')).resolves.toMatchObject({ id: 'run-1', params: 'first=1' });
      await expect(add({ id: 'run-3', dagRunId: 'run-1', dagName: 'other' })).resolves.toBeUndefined();
    });

    it('refuses a singleton while a run of the DAG is active', async () => {
      await add();
      const second = aRun({ id: 'run-2' });

      await expect(runs.insert(second, [], { singleton: true })).rejects.toMatchObject({ reason: 'dag_run_active' });
      await expect(
        runs.insert(aRun({ id: 'run-3', dagName: 'other' }), [], { singleton: true }),
      ).resolves.toBeUndefined();
    });

    it('inserts one of ten concurrent singletons', async () => {
      const inserts = Array.from({ length: 10 }, (_, index) =>
        runs.insert(aRun({ id: `run-${index}` }), [aRunStep()], { singleton: true }),
      );
      const results = await Promise.allSettled(inserts);

      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'dag_run_active' });
      }
    });
  });

  describe('the newest run', () => {
    it('is the one inserted last', async () => {
      await add({ id: 'a' });
      await add({ id: 'b' });
      await add({ id: 'c', dagName: 'other' });

      await expect(runs.findLatest('nightly')).resolves.toMatchObject({ id: 'b' });
      const latest = await runs.listLatest(['nightly', 'other', 'never-ran']);
      expect([...latest].map(([name, { id }]) => [name, id]).toSorted()).toEqual([
        ['nightly', 'b'],
        ['other', 'c'],
      ]);
    });

    it('has a workspace', async () => {
      await add({ id: 'a', workspace: 'ops' });
      await add({ id: 'b', dagName: 'other', workspace: null });

      await expect(runs.findLatestWorkspace('nightly')).resolves.toMatchObject({ workspace: 'ops' });
      await expect(runs.findLatestWorkspace('other')).resolves.toMatchObject({ workspace: null });
      await expect(runs.findLatestWorkspace('never-ran')).resolves.toBeUndefined();
    });

    it('stays when one created before is stored after it', async () => {
      await add({ id: 'a', createdAt: at(2) });
      await add({ id: 'b', createdAt: at(1) });

      await expect(runs.findLatest('nightly')).resolves.toMatchObject({ id: 'a' });
    });

    it('is the newest of forty inserted at the same time, and none is refused', async () => {
      const ids = Array.from({ length: 40 }, (_, index) => `run-${index}`);
      const order = ids.toSorted();
      await Promise.all(ids.map((id) => add({ id, createdAt: new Date(at(0).getTime() + order.indexOf(id)) })));

      await expect(scan()).resolves.toHaveLength(40);
      await expect(runs.findLatest('nightly')).resolves.toMatchObject({ id: order.at(-1) });
    });

    it('inserts one singleton beside other concurrent inserts', async () => {
      const insert = (id: string, singleton: boolean) =>
        runs.insert(aRun({ id, status: singleton ? 'queued' : 'failed' }), [aRunStep()], { singleton });
      const singles = Array.from({ length: 5 }, (_, index) => insert(`single-${index}`, true));
      const others = Array.from({ length: 20 }, (_, index) => insert(`other-${index}`, false));
      const results = await Promise.allSettled(singles);
      await Promise.all(others);

      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('is missing for a DAG that never ran', async () => {
      await expect(runs.findLatest('never-ran')).resolves.toBeUndefined();
      await expect(runs.listLatest([])).resolves.toEqual(new Map());
    });

    it('is shown without its spec', async () => {
      await add();
      const latest = (await runs.listLatest(['nightly'])).get('nightly');

      expect(latest).toEqual(toSummary(aRun()));
      expect(latest).not.toHaveProperty('specText');
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
      const all = await runs.scan({ workspaces: everywhere, limit: 100 });
      const seen: string[] = [];
      for (let after: DagRunSummary | undefined; ;) {
        const [next] = await runs.scan({ workspaces: everywhere, limit: 1, after });
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
      const all = await runs.scan({ workspaces: everywhere, limit: 100 });
      const expected = listIds(all.filter(({ status, workspace }) => status !== 'succeeded' && workspace !== 'sales'));
      const seen: string[] = [];
      for (let after: DagRunSummary | undefined; ;) {
        const page = await runs.scan({ ...filter, limit: 5, after });
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

  describe('record', () => {
    const running = { status: 'running', ownerId: 'worker-1', fencingToken: 3, startedAt: at(1) } as const;

    it('changes the given fields of the named steps', async () => {
      await add(running, [aRunStep(), aRunStep({ position: 1 })]);
      const changes = [
        { position: 1, status: 'running' as const, startedAt: at(2), pid: 7, processStartedAt: 'boot:1' },
      ];

      await expect(runs.record('run-1', lease, changes)).resolves.toBe(true);
      await expect(runs.listSteps('run-1')).resolves.toEqual([aRunStep(), aRunStep({ ...changes[0] })]);
      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: 'running', finishedAt: null });
    });

    it('changes several steps in different ways at once, the last change of each', async () => {
      const loop = aRunStep({ scope: '0/1', name: 'loop' });
      const before = [0, 1, 2].map((position) => aRunStep({ position, exitCode: 7, error: 'no', pid: 3 }));
      await add(running, [...before, loop]);
      const changes = [
        { position: 0, status: 'succeeded', finishedAt: at(3), exitCode: 0, error: null, doneCount: 2 },
        { position: 1, status: 'retrying', retryCount: 1, pid: null },
        { position: 1, status: 'running', startedAt: at(3), processStartedAt: 'boot:1' },
      ] as const;

      await expect(runs.record('run-1', lease, changes)).resolves.toBe(true);
      await expect(runs.listAllSteps('run-1')).resolves.toEqual([
        { ...before[0], ...changes[0] },
        { ...before[1], ...changes[1], ...changes[2] },
        before[2],
        loop,
      ]);
    });

    it('stores outputs apart from the steps, the last of each', async () => {
      await add(running, [aRunStep(), aRunStep({ position: 1 }), aRunStep({ position: 2 })]);
      const outputs = {
        variable: { name: 'A', value: ' ü\n$(x) ' },
        fields: [{ name: '__proto__', value: { list: [1, null, false, 'x'], deep: { '': 0.5 } } }],
        declared: [{ name: 'none', value: null }],
      };
      const none = { fields: [], declared: [] };
      const ended = { status: 'succeeded', finishedAt: at(3) } as const;

      await runs.record('run-1', lease, [{ position: 2, ...ended, outputs }]);
      await runs.record('run-1', lease, [
        { position: 0, ...ended, outputs },
        { position: 1, ...ended },
        { position: 2, ...ended, outputs: none },
      ]);
      await expect(runs.readOutputs('run-1')).resolves.toEqual(
        new Map<number, StepOutputs>([
          [0, outputs],
          [2, none],
        ]),
      );
      await expect(runs.listSteps('run-1')).resolves.toEqual(
        [0, 1, 2].map((position) => aRunStep({ position, ...ended })),
      );
    });

    it('stores memos and decisions beside other changes, and deletes them', async () => {
      const decisions = { approvedAt: '2026-11-21T00:00:00.000Z', approvedBy: 'ü' };
      await add(running, [aRunStep(), aRunStep({ position: 1, decisions })]);
      const memos = () => runs.readMemos('run-1');
      const approvals = async () => (await runs.listSteps('run-1')).map((step) => step.decisions);

      await runs.record('run-1', lease, [
        { position: 0, status: 'running', memo: 0, decisions },
        { position: 1, status: 'running', memo: { done: ["it's", null] } },
      ]);
      expect(await memos()).toEqual(
        new Map<number, JsonValue>([
          [0, 0],
          [1, { done: ["it's", null] }],
        ]),
      );
      expect(await approvals()).toEqual([decisions, decisions]);

      await runs.record('run-1', lease, [
        { position: 0, memo: null },
        { position: 1, status: 'failed', decisions: null },
      ]);
      expect([...(await memos()).keys()]).toEqual([1]);
      expect(await approvals()).toEqual([decisions, null]);
    });

    it('ends many steps and the run at once', async () => {
      await add(
        running,
        Array.from({ length: 700 }, (_, position) => aRunStep({ position })),
      );
      const changes = Array.from({ length: 700 }, (_, position) => ({
        position,
        status: 'aborted' as const,
        finishedAt: at(3),
        error: 'run stopped',
      }));
      const end = { status: 'aborted', finishedAt: at(4), error: null } as const;

      await expect(runs.record('run-1', lease, changes, end)).resolves.toBe(true);
      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: 'aborted', finishedAt: at(4) });
      const steps = await runs.listSteps('run-1');
      expect(steps.filter(({ status, error }) => status === 'aborted' && error === 'run stopped')).toHaveLength(700);
    });

    it.each([
      ['another owner has the run', { ...running, ownerId: 'worker-2' }],
      ['its owner has claimed it again', { ...running, fencingToken: 4 }],
      ['the run has ended', { ...running, status: 'failed' }],
    ] as const)('stores nothing when %s', async (_, values) => {
      await add(values);
      const before = await runs.findById('run-1');

      const end = { status: 'succeeded', finishedAt: at(4), error: null } as const;
      await expect(runs.record('run-1', lease, [{ position: 0, status: 'succeeded' }], end)).resolves.toBe(false);
      await expect(runs.record('run-1', lease, [{ position: 0, status: 'succeeded' }])).resolves.toBe(false);
      const several = [{ position: 0, status: 'succeeded' } as const, { position: 1, status: 'running' } as const];
      await expect(runs.record('run-1', lease, several)).resolves.toBe(false);
      await expect(runs.storeParams('run-1', lease, [])).resolves.toBe(false);
      await expect(runs.addSteps('run-1', lease, [aRunStep({ scope: '0/1' })])).resolves.toBe(false);
      await expect(runs.findById('run-1')).resolves.toEqual(before);
      await expect(runs.listAllSteps('run-1')).resolves.toEqual([aRunStep()]);
    });
  });

  it('stores the parameters of a run for its owner', async () => {
    const params = [
      { name: 'day', value: '2026-11-21' },
      { name: 'extra', value: 'x', undeclared: true },
    ] as const;
    await add({ status: 'running', ownerId: 'worker-1', fencingToken: 3 });

    await expect(runs.storeParams('run-1', lease, params)).resolves.toBe(true);
    await expect(runs.findById('run-1')).resolves.toMatchObject({ resolvedParams: params });
  });
});
