import type { StepOutputs } from '@weir/workflow-engine/model';
import { aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import type { JsonValue } from '@weir/workflow-spec';
import { unaudited } from '../../../access/audited-operation';
import { storeKinds } from '../../../testing/test-stores';
import { useRunRepository } from '../../../testing/use-run-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const lease = { ownerId: 'worker-1', token: 3 };

describe.each(storeKinds)('the records of the owner of a run on %s', (kind) => {
  const storage = useRunRepository(kind);
  const { add } = storage;

  it('lists the failed steps of several runs, with the latest failures at the end', async () => {
    const failed = { status: 'failed' } as const;
    await add({ id: 'a', dagRunId: 'a' }, [
      aRunStep({ ...failed, finishedAt: at(5) }),
      aRunStep({ ...failed, position: 1, name: 'first', finishedAt: at(2) }),
      aRunStep({ position: 2, name: 'well', status: 'succeeded', finishedAt: at(9) }),
      aRunStep({ ...failed, scope: 'on/exit', name: 'last', finishedAt: at(7) }),
    ]);
    await add({ id: 'b', dagRunId: 'b' }, [aRunStep()]);

    const found = await storage.runs.listFailedSteps(['a', 'b', 'none']);
    expect([...found.keys()]).toEqual(['a']);
    expect(found.get('a')?.map(({ finishedAt }) => finishedAt)).toEqual([at(2), at(5), at(7)]);
  });

  it('lists the active steps of several runs and of their handlers in their order, without those in loops', async () => {
    await add({ id: 'a', dagRunId: 'a' }, [
      aRunStep({ name: 'done', status: 'succeeded' }),
      aRunStep({ position: 1, name: 'loop', status: 'running' }),
      aRunStep({ position: 2, name: 'again', status: 'retrying' }),
      aRunStep({ position: 3, name: 'approve', status: 'waiting' }),
      aRunStep({ scope: '1/0', name: 'inside', status: 'running' }),
      aRunStep({ scope: 'on/exit', name: 'tidy', status: 'running' }),
    ]);
    await add({ id: 'b', dagRunId: 'b' }, [aRunStep()]);

    const found = await storage.runs.listActiveSteps(['a', 'b', 'none']);
    expect([...found]).toEqual([['a', ['loop', 'again', 'approve', 'tidy']]]);
  });

  describe('record', () => {
    const running = { status: 'running', ownerId: 'worker-1', fencingToken: 3, startedAt: at(1) } as const;

    it('changes the given fields of the named steps', async () => {
      await add(running, [aRunStep(), aRunStep({ position: 1 })]);
      const changes = [
        { position: 1, status: 'running' as const, startedAt: at(2), pid: 7, processStartedAt: 'boot:1' },
      ];

      await expect(
        storage.runs.commit('run-1', { kind: 'steps_changed', lease, patches: changes }, { audit: unaudited }),
      ).resolves.toBeDefined();
      await expect(storage.runs.listSteps('run-1')).resolves.toEqual([aRunStep(), aRunStep({ ...changes[0] })]);
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'running', finishedAt: null });
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

      await expect(
        storage.runs.commit('run-1', { kind: 'steps_changed', lease, patches: changes }, { audit: unaudited }),
      ).resolves.toBeDefined();
      await expect(storage.runs.listAllSteps('run-1')).resolves.toEqual([
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

      await storage.runs.commit(
        'run-1',
        {
          kind: 'steps_changed',
          lease,
          patches: [{ position: 2, ...ended, outputs }],
        },
        { audit: unaudited },
      );
      await storage.runs.commit(
        'run-1',
        {
          kind: 'steps_changed',
          lease,
          patches: [
            { position: 0, ...ended, outputs },
            { position: 1, ...ended },
            { position: 2, ...ended, outputs: none },
          ],
        },
        { audit: unaudited },
      );
      await expect(storage.runs.readOutputs('run-1')).resolves.toEqual(
        new Map<number, StepOutputs>([
          [0, outputs],
          [2, none],
        ]),
      );
      await expect(storage.runs.listSteps('run-1')).resolves.toEqual(
        [0, 1, 2].map((position) => aRunStep({ position, ...ended })),
      );
    });

    it('stores memos and decisions together with other changes, and deletes them', async () => {
      const decisions = { approvedAt: '2026-11-21T00:00:00.000Z', approvedBy: 'ü' };
      await add(running, [aRunStep(), aRunStep({ position: 1, decisions })]);
      const memos = () => storage.runs.readMemos('run-1');
      const approvals = async () => (await storage.runs.listSteps('run-1')).map((step) => step.decisions);

      await storage.runs.commit(
        'run-1',
        {
          kind: 'steps_changed',
          lease,
          patches: [
            { position: 0, status: 'running', memo: 0, decisions },
            { position: 1, status: 'running', memo: { done: ["it's", null] } },
          ],
        },
        { audit: unaudited },
      );
      expect(await memos()).toEqual(
        new Map<number, JsonValue>([
          [0, 0],
          [1, { done: ["it's", null] }],
        ]),
      );
      expect(await approvals()).toEqual([decisions, decisions]);

      await storage.runs.commit(
        'run-1',
        {
          kind: 'steps_changed',
          lease,
          patches: [
            { position: 0, memo: null },
            { position: 1, status: 'failed', decisions: null },
          ],
        },
        { audit: unaudited },
      );
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

      await expect(
        storage.runs.commit('run-1', toOwnerEvent(lease, changes, end), { audit: unaudited }),
      ).resolves.toBeDefined();
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'aborted', finishedAt: at(4) });
      const steps = await storage.runs.listSteps('run-1');
      expect(steps.filter(({ status, error }) => status === 'aborted' && error === 'run stopped')).toHaveLength(700);
    });

    it.each([
      ['another owner has the run', { ...running, ownerId: 'worker-2' }],
      ['its owner has claimed it again', { ...running, fencingToken: 4 }],
      ['the run has ended', { ...running, status: 'failed' }],
    ] as const)('stores nothing when %s', async (_, values) => {
      await add(values);
      const before = await storage.runs.findById('run-1');

      const end = { status: 'succeeded', finishedAt: at(4), error: null } as const;
      await expect(
        storage.runs.commit('run-1', toOwnerEvent(lease, [{ position: 0, status: 'succeeded' }], end), {
          audit: unaudited,
        }),
      ).resolves.toBeUndefined();
      await expect(
        storage.runs.commit(
          'run-1',
          { kind: 'steps_changed', lease, patches: [{ position: 0, status: 'succeeded' }] },
          { audit: unaudited },
        ),
      ).resolves.toBeUndefined();
      const several = [{ position: 0, status: 'succeeded' } as const, { position: 1, status: 'running' } as const];
      await expect(
        storage.runs.commit('run-1', { kind: 'steps_changed', lease, patches: several }, { audit: unaudited }),
      ).resolves.toBeUndefined();
      await expect(
        storage.runs.commit('run-1', { kind: 'params_resolved', lease, params: [] }, { audit: unaudited }),
      ).resolves.toBeUndefined();
      await expect(
        storage.runs.commit(
          'run-1',
          { kind: 'steps_added', lease, steps: [aRunStep({ scope: '0/1' })] },
          { audit: unaudited },
        ),
      ).resolves.toBeUndefined();
      await expect(storage.runs.findById('run-1')).resolves.toEqual(before);
      await expect(storage.runs.listAllSteps('run-1')).resolves.toEqual([aRunStep()]);
    });
  });
});
