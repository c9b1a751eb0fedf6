import type { DagRun } from '@weir/workflow-engine';
import { aRun, aRunStep } from '../../../testing/workflow-builders.contract';
import type { DagRunRepository } from './dag-run-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const lease = { ownerId: 'runner-1', token: 3 };
const running = { status: 'running', ownerId: 'runner-1', fencingToken: 3, startedAt: at(1) } as const;
const everywhere = { unassigned: true, named: 'all' } as const;
const ended = { status: 'succeeded', finishedAt: at(9), error: null } as const;

/** What every repository promises about the scopes, the waits and the children of runs. */
export function describeRunParts(open: () => Promise<DagRunRepository>): void {
  let runs: DagRunRepository;

  beforeEach(async () => {
    runs = await open();
  });

  const add = (values: Partial<DagRun> = {}, steps = [aRunStep()]) =>
    runs.insert(aRun(values), steps, { singleton: false });
  const addChild = (id: string, values: Partial<DagRun> = {}) =>
    add({ id, dagName: 'child', depth: 1, parentId: 'run-1', parentNode: '0', rootId: 'run-1', ...values });

  describe('scopes', () => {
    const loop = [aRunStep({ scope: '0/1', name: 'a' }), aRunStep({ scope: '0/1', position: 1, name: 'b' })];

    it('keep their steps apart', async () => {
      const exit = aRunStep({ scope: 'on/exit', name: 'tidy', iteration: 2, gate: { approvedBy: 'ada' } });
      await add(running, [aRunStep(), exit]);

      await expect(runs.addSteps('run-1', lease, loop)).resolves.toBe(true);
      await expect(runs.listSteps('run-1')).resolves.toEqual([aRunStep()]);
      await expect(runs.listSteps('run-1', 'on/exit')).resolves.toEqual([exit]);
      await expect(runs.listAllSteps('run-1')).resolves.toEqual([aRunStep(), ...loop, exit]);
    });

    it('keep steps that are there when they are added again', async () => {
      await add(running);
      await runs.addSteps('run-1', lease, loop.slice(0, 1));
      await runs.record('run-1', lease, [{ scope: '0/1', position: 0, status: 'running' }]);
      await runs.addSteps('run-1', lease, loop);

      await expect(runs.listSteps('run-1', '0/1')).resolves.toMatchObject([
        { name: 'a', status: 'running' },
        { name: 'b', status: 'not_started' },
      ]);
    });

    it('keep outputs, memos and answers by scope, until they are taken away', async () => {
      const outputs = { fields: [{ name: 'a', value: 1 }], declared: [] };
      await add(running, [aRunStep(), ...loop]);
      const changes = [
        { position: 0, memo: null, gate: { reason: 'no' } },
        { scope: '0/1', position: 0, outputs, memo: ['x', null] },
        { scope: '0/1', position: 1, memo: { deep: [1] } },
      ];
      await runs.record('run-1', lease, changes);

      await expect(runs.readOutputs('run-1')).resolves.toEqual(new Map());
      await expect(runs.readOutputs('run-1', '0/1')).resolves.toEqual(new Map([[0, outputs]]));
      await expect(runs.readMemos('run-1', '0/1')).resolves.toEqual(
        new Map<number, unknown>([
          [0, ['x', null]],
          [1, { deep: [1] }],
        ]),
      );
      await expect(runs.listSteps('run-1')).resolves.toMatchObject([{ gate: { reason: 'no' } }]);
      await runs.record('run-1', lease, [
        { position: 0, gate: null },
        { scope: '0/1', position: 0, outputs: null, memo: null },
      ]);
      await expect(runs.readOutputs('run-1', '0/1')).resolves.toEqual(new Map());
      await expect(runs.readMemos('run-1', '0/1')).resolves.toEqual(new Map([[1, { deep: [1] }]]));
      await expect(runs.listSteps('run-1')).resolves.toMatchObject([{ gate: null }]);
    });
  });

  describe('a run that waits', () => {
    const begin = (waiting: number) =>
      runs.record('run-1', lease, [{ position: 0, status: 'waiting' }], {
        status: 'waiting',
        finishedAt: null,
        error: null,
        waiting,
      });

    it('belongs to nobody', async () => {
      await add(running);

      await expect(begin(1)).resolves.toBe(true);
      await expect(runs.findById('run-1')).resolves.toMatchObject({
        status: 'waiting',
        ownerId: null,
        finishedAt: null,
        startedAt: at(1),
      });
    });

    it('goes into its queue at once when somebody has answered meanwhile', async () => {
      await add(running);

      await expect(begin(2)).resolves.toBe(true);
      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: 'queued', ownerId: null });
    });

    it('goes to its next owner when somebody has asked for its end meanwhile', async () => {
      await add(running);
      await runs.requestStop('run-1', { at: at(4), error: 'run stopped' });

      await expect(begin(1)).resolves.toBe(true);
      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: 'queued', stopRequestedAt: at(4) });
    });

    it('goes on with the answer, once', async () => {
      await add(running, [aRunStep(), aRunStep({ scope: '0/1' }), aRunStep({ scope: '0/10' })]);
      await begin(1);
      const gate = {
        step: { scope: '', position: 0 },
        at: at(5),
        patches: [{ position: 0, status: 'succeeded', gate: { approvedBy: 'ada' } }] as const,
        deletedScopes: ['0/1'],
        whileRunning: false,
      };

      await expect(runs.settleGate('run-1', gate)).resolves.toBe('resumed');
      await expect(runs.settleGate('run-1', gate)).resolves.toBe('too_late');
      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: 'queued', queuedAt: at(5) });
      await expect(runs.listAllSteps('run-1')).resolves.toMatchObject([
        { scope: '', status: 'succeeded', gate: { approvedBy: 'ada' } },
        { scope: '0/10' },
      ]);
    });

    it('is not answered by what was said about work that was sent back since', async () => {
      await add({ status: 'waiting' }, [aRunStep({ status: 'waiting', iteration: 2 })]);
      const gate = { at: at(5), patches: [], deletedScopes: [], whileRunning: false };
      const step = { scope: '', position: 0 };

      await expect(runs.settleGate('run-1', { ...gate, step: { ...step, iteration: 1 } })).resolves.toBe('too_late');
      await expect(runs.settleGate('run-1', { ...gate, step: { ...step, iteration: 2 } })).resolves.toBe('resumed');
    });

    it('may be answered while it is still at work, where that is allowed', async () => {
      await add(running, [aRunStep({ status: 'waiting' })]);
      const gate = { step: { scope: '', position: 0 }, at: at(5), patches: [], deletedScopes: [] };

      await expect(runs.settleGate('run-1', { ...gate, whileRunning: false })).resolves.toBe('too_late');
      await expect(runs.settleGate('run-1', { ...gate, whileRunning: true })).resolves.toBe('stored');
      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: 'running', ownerId: 'runner-1' });
    });
  });

  describe('requeue', () => {
    const requeue = {
      from: ['failed'],
      at: at(20),
      patches: [{ position: 0, status: 'not_started', error: null }],
      deletedScopes: [],
    } as const;

    it('begins a new attempt of an ended run', async () => {
      const failed = { status: 'failed', startedAt: at(1), finishedAt: at(2), error: 'no', retryAt: at(3) } as const;
      await add({ ...failed, stopRequestedAt: at(1) }, [aRunStep({ status: 'failed', error: 'no' })]);

      await expect(runs.requeue('run-1', { ...requeue, retry: 'auto', triggerType: 'retry' })).resolves.toBe(true);
      await expect(runs.requeue('run-1', requeue)).resolves.toBe(false);
      await expect(runs.findById('run-1')).resolves.toMatchObject({
        status: 'queued',
        queuedAt: at(20),
        startedAt: null,
        finishedAt: null,
        error: null,
        retryAt: null,
        stopRequestedAt: null,
        attempt: 2,
        autoRetryCount: 1,
        triggerType: 'retry',
      });
      await expect(runs.listSteps('run-1')).resolves.toEqual([aRunStep()]);
    });

    it('gives the run to an owner at once where one is named', async () => {
      await add({ status: 'failed', ownerId: 'runner-0', fencingToken: 4, finishedAt: at(2) });

      await expect(runs.requeue('run-1', { ...requeue, retry: 'manual', ownerId: 'runner-1' })).resolves.toBe(true);
      await expect(runs.findById('run-1')).resolves.toMatchObject({
        status: 'running',
        ownerId: 'runner-1',
        fencingToken: 5,
        startedAt: at(20),
        queuedAt: null,
        finishedAt: null,
        attempt: 2,
      });
      await expect(runs.record('run-1', { ownerId: 'runner-1', token: 5 }, [], ended)).resolves.toBe(true);
    });

    it('is refused for an attempt that another one has followed', async () => {
      await add({ status: 'failed', attempt: 2 });

      await expect(runs.requeue('run-1', { ...requeue, attempt: 1 })).resolves.toBe(false);
      await expect(runs.requeue('run-1', { ...requeue, attempt: 2 })).resolves.toBe(true);
    });

    it('happens by itself only while that is due', async () => {
      const auto = { ...requeue, from: ['failed', 'aborted'], retry: 'auto' } as const;
      await add({ status: 'failed', retryAt: at(21) });

      await expect(runs.requeue('run-1', auto)).resolves.toBe(false);
      await runs.requestStop('run-1', { at: at(4), error: 'run stopped' });
      await expect(runs.requeue('run-1', { ...auto, at: at(22) })).resolves.toBe(false);
    });

    it('does not happen by itself to a run that was asked to end before it failed', async () => {
      await add({ ...running, stopRequestedAt: at(3) });
      await runs.record('run-1', lease, [], { status: 'failed', finishedAt: at(4), error: 'no', retryAt: at(8) });

      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: 'aborted', retryAt: null, error: 'no' });
    });

    it('keeps when the retry is due', async () => {
      await add(running);
      await runs.record('run-1', lease, [], { status: 'failed', finishedAt: at(4), error: 'no', retryAt: at(8) });

      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: 'failed', retryAt: at(8) });
    });
  });

  describe('children', () => {
    it('are found by the step that started them, oldest first, and in no list', async () => {
      await add(running);
      await addChild('b', { createdAt: at(2) });
      await addChild('a', { createdAt: at(1) });
      await addChild('c', { createdAt: at(3), parentNode: 'on/exit/0' });

      const idsOf = async (node?: string) => (await runs.listChildren('run-1', node)).map(({ id }) => id);
      await expect(idsOf()).resolves.toEqual(['a', 'b', 'c']);
      await expect(idsOf('0')).resolves.toEqual(['a', 'b']);
      await expect(runs.scan({ workspaces: everywhere, limit: 9 })).resolves.toMatchObject([{ id: 'run-1' }]);
      await expect(runs.hasActive('child')).resolves.toBe(false);
      await expect(runs.findLatest('child')).resolves.toBeUndefined();
    });

    it('go with the run, and keep it while they are active', async () => {
      await add({ status: 'failed' });
      await addChild('a', { status: 'failed' });
      await addChild('b', { status: 'waiting', parentId: 'a', depth: 2 });

      await expect(runs.remove('run-1')).resolves.toBe(false);
      await runs.requestStop('b', { at: at(5), error: 'run stopped' });
      await expect(runs.remove('run-1')).resolves.toBe(true);
      await expect(runs.findById('b')).resolves.toBeUndefined();
      await expect(runs.listSteps('a')).resolves.toEqual([]);
    });

    it.each([
      ['waits', 'waiting', 'queued'],
      ['is still at work', 'running', 'running'],
    ] as const)('let the step go on that waits for them, when its run %s', async (_, status, after) => {
      await add({ ...running, status }, [
        aRunStep({ status: 'waiting' }),
        aRunStep({ position: 1, status: 'waiting' }),
      ]);
      await addChild('a', running);
      await runs.record('a', lease, [], ended);

      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: after });
      await expect(runs.listSteps('run-1')).resolves.toMatchObject([{ status: 'not_started' }, { status: 'waiting' }]);
    });

    it('let the step go on when they are stopped as they wait', async () => {
      await add({ status: 'waiting' }, [aRunStep({ status: 'waiting' })]);
      await addChild('a', { status: 'waiting' });
      await runs.requestStop('a', { at: at(5), error: 'run stopped' });

      await expect(runs.findById('run-1')).resolves.toMatchObject({ status: 'queued' });
    });
  });
}
