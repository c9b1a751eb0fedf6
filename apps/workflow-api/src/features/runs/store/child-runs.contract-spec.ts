import type { DagRun } from '@weir/workflow-engine/model';
import { aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { storeKinds } from '../../../testing/test-stores';
import { useRunRepository } from '../../../testing/use-run-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const lease = { ownerId: 'worker-1', token: 3 };
const running = { status: 'running', ownerId: 'worker-1', fencingToken: 3, startedAt: at(1) } as const;
const stopAt = (second: number) => ({ kind: 'stop_requested', at: at(second), error: 'run stopped' }) as const;
const everywhere = { unassigned: true, named: 'all' } as const;
const ended = { status: 'succeeded', finishedAt: at(9), error: null } as const;

describe.each(storeKinds)('scopes and child runs on %s', (kind) => {
  const storage = useRunRepository(kind);
  const { add } = storage;
  const addChild = (id: string, values: Partial<DagRun> = {}) =>
    add({ id, dagName: 'child', depth: 1, parentId: 'run-1', parentNode: '0', rootId: 'run-1', ...values });

  describe('scopes', () => {
    const loop = [aRunStep({ scope: '0/1', name: 'a' }), aRunStep({ scope: '0/1', position: 1, name: 'b' })];

    it('separate their steps', async () => {
      const exit = aRunStep({ scope: 'on/exit', name: 'tidy', iteration: 2, decisions: { approvedBy: 'ada' } });
      await add(running, [aRunStep(), exit]);

      await expect(
        storage.runs.commit('run-1', { kind: 'steps_added', lease, steps: loop }, { audit: unaudited }),
      ).resolves.toBeDefined();
      await expect(storage.runs.listSteps('run-1')).resolves.toEqual([aRunStep()]);
      await expect(storage.runs.listSteps('run-1', 'on/exit')).resolves.toEqual([exit]);
      await expect(storage.runs.listAllSteps('run-1')).resolves.toEqual([aRunStep(), ...loop, exit]);
    });

    it('keep stored steps when they are added again', async () => {
      await add(running);
      await storage.runs.commit('run-1', { kind: 'steps_added', lease, steps: loop.slice(0, 1) }, { audit: unaudited });
      await storage.runs.commit(
        'run-1',
        {
          kind: 'steps_changed',
          lease,
          patches: [{ scope: '0/1', position: 0, status: 'running' }],
        },
        { audit: unaudited },
      );
      await storage.runs.commit('run-1', { kind: 'steps_added', lease, steps: loop }, { audit: unaudited });

      await expect(storage.runs.listSteps('run-1', '0/1')).resolves.toMatchObject([
        { name: 'a', status: 'running' },
        { name: 'b', status: 'not_started' },
      ]);
    });

    it('store the models that a step has asked', async () => {
      const use = {
        provider: 'local',
        model: 'm',
        hasOwnAddress: true,
        inputTokens: 3,
        outputTokens: 2,
        cachedTokens: 1,
      };
      await add(running, [aRunStep(), ...loop]);
      const patches = [{ scope: '0/1', position: 0, modelUse: [use] }];
      await storage.runs.commit('run-1', { kind: 'steps_changed', lease, patches }, { audit: unaudited });

      const stored = await storage.runs.listAllSteps('run-1');
      expect(stored.filter(({ modelUse }) => modelUse !== null)).toMatchObject([{ scope: '0/1', modelUse: [use] }]);
    });

    it('store outputs, memos and decisions by scope, until they are deleted', async () => {
      const outputs = { fields: [{ name: 'a', value: 1 }], declared: [] };
      await add(running, [aRunStep(), ...loop]);
      const changes = [
        { position: 0, memo: null, decisions: { reason: 'no' } },
        { scope: '0/1', position: 0, outputs, memo: ['x', null] },
        { scope: '0/1', position: 1, memo: { deep: [1] } },
      ];
      await storage.runs.commit('run-1', { kind: 'steps_changed', lease, patches: changes }, { audit: unaudited });

      await expect(storage.runs.readOutputs('run-1')).resolves.toEqual(new Map());
      await expect(storage.runs.readOutputs('run-1', '0/1')).resolves.toEqual(new Map([[0, outputs]]));
      await expect(storage.runs.readMemos('run-1', '0/1')).resolves.toEqual(
        new Map<number, unknown>([
          [0, ['x', null]],
          [1, { deep: [1] }],
        ]),
      );
      await expect(storage.runs.listSteps('run-1')).resolves.toMatchObject([{ decisions: { reason: 'no' } }]);
      await storage.runs.commit(
        'run-1',
        {
          kind: 'steps_changed',
          lease,
          patches: [
            { position: 0, decisions: null },
            { scope: '0/1', position: 0, outputs: null, memo: null },
          ],
        },
        { audit: unaudited },
      );
      await expect(storage.runs.readOutputs('run-1', '0/1')).resolves.toEqual(new Map());
      await expect(storage.runs.readMemos('run-1', '0/1')).resolves.toEqual(new Map([[1, { deep: [1] }]]));
      await expect(storage.runs.listSteps('run-1')).resolves.toMatchObject([{ decisions: null }]);
    });
  });

  describe('child runs', () => {
    it('are found by the step that started them, oldest first, and in no list', async () => {
      await add(running);
      await addChild('b', { createdAt: at(2) });
      await addChild('a', { createdAt: at(1) });
      await addChild('c', { createdAt: at(3), parentNode: 'on/exit/0' });

      const listIds = async (node?: string) => (await storage.runs.listChildren('run-1', node)).map(({ id }) => id);
      await expect(listIds()).resolves.toEqual(['a', 'b', 'c']);
      await expect(listIds('0')).resolves.toEqual(['a', 'b']);
      await expect(storage.runs.scan({ workspaces: everywhere, limit: 9 })).resolves.toMatchObject([{ id: 'run-1' }]);
      await expect(storage.runs.hasActive('child')).resolves.toBe(false);
      await expect(storage.runs.findLatest('child')).resolves.toBeUndefined();
    });

    it('are deleted with the run, and prevent its deletion while they are active', async () => {
      await add({ status: 'failed' });
      await addChild('a', { status: 'failed' });
      await addChild('b', { status: 'waiting', parentId: 'a', depth: 2 });

      await expect(storage.runs.remove('run-1')).resolves.toBe(false);
      await storage.runs.commit('b', stopAt(5), { audit: unaudited });
      await expect(storage.runs.remove('run-1')).resolves.toBe(true);
      await expect(storage.runs.findById('b')).resolves.toBeUndefined();
      await expect(storage.runs.listSteps('a')).resolves.toEqual([]);
    });

    it.each([
      ['waits', 'waiting', 'queued'],
      ['is still running', 'running', 'running'],
    ] as const)('wake the step that waits for them, when its run %s', async (_, status, after) => {
      await add({ ...running, status }, [
        aRunStep({ status: 'waiting' }),
        aRunStep({ position: 1, status: 'waiting' }),
      ]);
      await addChild('a', running);
      await storage.runs.commit('a', toOwnerEvent(lease, [], ended), { audit: unaudited });

      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: after });
      await expect(storage.runs.listSteps('run-1')).resolves.toMatchObject([
        { status: 'not_started' },
        { status: 'waiting' },
      ]);
    });

    it('wake the step when they are stopped while they wait', async () => {
      await add({ status: 'waiting' }, [aRunStep({ status: 'waiting' })]);
      await addChild('a', { status: 'waiting' });
      await storage.runs.commit('a', stopAt(5), { audit: unaudited });

      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'queued' });
    });
  });
});
