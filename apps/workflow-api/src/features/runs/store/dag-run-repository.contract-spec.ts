import type { DagRunSummary } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { storeKinds } from '../../../testing/test-stores';
import { useRunRepository } from '../../../testing/use-run-repository';
import type { RunScan } from './dag-run-repository';
import { toSummary } from './run-summary';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const everywhere = { unassigned: true, named: 'all' } as const;
const notSingleton = { audit: unaudited, singleton: false };
const lease = { ownerId: 'worker-1', token: 3 };

describe.each(storeKinds)('dag run repository on %s', (kind) => {
  const storage = useRunRepository(kind);
  const { add } = storage;
  const listIds = (found: readonly DagRunSummary[]): readonly string[] => found.map(({ id }) => id);
  const scan = async (values: Partial<RunScan> = {}): Promise<readonly string[]> =>
    listIds(await storage.runs.scan({ workspaces: everywhere, limit: 100, ...values }));

  describe('insert', () => {
    it('stores every field of a run and of its steps', async () => {
      const run = aRun({
        params: 'a=b',
        labels: ['team=data', 'workspace=ops'],
        workspace: 'ops',
        startedAt: at(1),
        finishedAt: at(2),
        scheduleTime: at(3),
        startedBy: { kind: 'user', id: 'user-1', name: 'ada' },
        error: 'no',
        ownerId: 'worker-1',
        status: 'failed',
        resolvedParams: [{ name: 'a', value: 'b "c"' }],
        baseTexts: ['env: {A: "1"}\n', 'queue: sales\n'],
      });
      const steps = [aRunStep({ exitCode: 3, pid: 4, processStartedAt: 'boot:5' }), aRunStep({ position: 1 })];
      await storage.runs.insert(run, steps, notSingleton);

      await expect(storage.runs.find('nightly', 'run-1')).resolves.toEqual(run);
      await expect(storage.runs.findById('run-1')).resolves.toEqual(run);
      await expect(storage.runs.listSteps('run-1')).resolves.toEqual(steps);
    });

    it('stores outputs of steps that are not executed', async () => {
      const outputs = { fields: [{ name: 'count', value: 3 }], declared: [], variable: { name: 'KEPT', value: 'x' } };
      const steps = [aRunStep({ status: 'succeeded' }), aRunStep({ position: 1 })];
      await storage.runs.insert(aRun(), steps, {
        audit: unaudited,
        singleton: false,
        outputs: new Map([[0, outputs]]),
      });

      await expect(storage.runs.readOutputs('run-1')).resolves.toEqual(new Map([[0, outputs]]));
    });

    it('stores a thousand steps in order', async () => {
      const steps = Array.from({ length: 1001 }, (_, position) => aRunStep({ position }));
      await storage.runs.insert(aRun(), steps, notSingleton);

      await expect(storage.runs.listSteps('run-1')).resolves.toEqual(steps);
    });

    it('refuses a run id of the same DAG, and keeps the first run', async () => {
      await add({ params: 'first=1' });

      await expect(add({ id: 'run-2', dagRunId: 'run-1' })).rejects.toMatchObject({ reason: 'dag_run_exists' });
      await expect(storage.runs.findLatest('nightly')).resolves.toMatchObject({ id: 'run-1', params: 'first=1' });
      await expect(add({ id: 'run-3', dagRunId: 'run-1', dagName: 'other' })).resolves.toBeUndefined();
    });

    it('refuses a singleton while a run of the DAG is active', async () => {
      await add();
      const second = aRun({ id: 'run-2' });

      await expect(storage.runs.insert(second, [], { audit: unaudited, singleton: true })).rejects.toMatchObject({
        reason: 'dag_run_active',
      });
      await expect(
        storage.runs.insert(aRun({ id: 'run-3', dagName: 'other' }), [], { audit: unaudited, singleton: true }),
      ).resolves.toBeUndefined();
    });

    it('inserts one of ten concurrent singletons', async () => {
      const inserts = Array.from({ length: 10 }, (_, index) =>
        storage.runs.insert(aRun({ id: `run-${index}` }), [aRunStep()], { audit: unaudited, singleton: true }),
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

      await expect(storage.runs.findLatest('nightly')).resolves.toMatchObject({ id: 'b' });
      const latest = await storage.runs.listLatest(['nightly', 'other', 'never-ran']);
      expect([...latest].map(([name, { id }]) => [name, id]).toSorted()).toEqual([
        ['nightly', 'b'],
        ['other', 'c'],
      ]);
    });

    it('has a workspace', async () => {
      await add({ id: 'a', workspace: 'ops' });
      await add({ id: 'b', dagName: 'other', workspace: null });

      await expect(storage.runs.findLatestWorkspace('nightly')).resolves.toMatchObject({ workspace: 'ops' });
      await expect(storage.runs.findLatestWorkspace('other')).resolves.toMatchObject({ workspace: null });
      await expect(storage.runs.findLatestWorkspace('never-ran')).resolves.toBeUndefined();
    });

    it('stays when an earlier run is stored after it', async () => {
      await add({ id: 'a', createdAt: at(2) });
      await add({ id: 'b', createdAt: at(1) });

      await expect(storage.runs.findLatest('nightly')).resolves.toMatchObject({ id: 'a' });
    });

    it('is the newest of forty concurrent inserts, none of which is refused', async () => {
      const ids = Array.from({ length: 40 }, (_, index) => `run-${index}`);
      const order = ids.toSorted();
      await Promise.all(ids.map((id) => add({ id, createdAt: new Date(at(0).getTime() + order.indexOf(id)) })));

      await expect(scan()).resolves.toHaveLength(40);
      await expect(storage.runs.findLatest('nightly')).resolves.toMatchObject({ id: order.at(-1) });
    });

    it('inserts one singleton during other concurrent inserts', async () => {
      const insert = (id: string, singleton: boolean) =>
        storage.runs.insert(aRun({ id, status: singleton ? 'queued' : 'failed' }), [aRunStep()], {
          audit: unaudited,
          singleton,
        });
      const singles = Array.from({ length: 5 }, (_, index) => insert(`single-${index}`, true));
      const others = Array.from({ length: 20 }, (_, index) => insert(`other-${index}`, false));
      const results = await Promise.allSettled(singles);
      await Promise.all(others);

      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('is missing for a DAG that never ran', async () => {
      await expect(storage.runs.findLatest('never-ran')).resolves.toBeUndefined();
      await expect(storage.runs.listLatest([])).resolves.toEqual(new Map());
    });

    it('is shown without its spec', async () => {
      await add();
      const latest = (await storage.runs.listLatest(['nightly'])).get('nightly');

      expect(latest).toEqual(toSummary(aRun()));
      expect(latest).not.toHaveProperty('specText');
    });
  });

  it('stores the parameters of a run for its owner', async () => {
    const params = [
      { name: 'day', value: '2026-11-21' },
      { name: 'extra', value: 'x', undeclared: true },
    ] as const;
    await add({ status: 'running', ownerId: 'worker-1', fencingToken: 3 });

    await expect(
      storage.runs.commit('run-1', { kind: 'params_resolved', lease, params }, { audit: unaudited }),
    ).resolves.toBeDefined();
    await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ resolvedParams: params });
    await expect(
      storage.runs.commit(
        'run-1',
        { kind: 'params_resolved', lease, params, fileVariables: ['FROM', 'FILE'] },
        { audit: unaudited },
      ),
    ).resolves.toBeDefined();
    await expect(
      storage.runs.commit('run-1', { kind: 'params_resolved', lease, params }, { audit: unaudited }),
    ).resolves.toBeDefined();
    await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ fileVariables: ['FROM', 'FILE'] });
  });
});
