import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { storeKinds } from '../../../testing/test-stores';
import { useRunRepository } from '../../../testing/use-run-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const lease = { ownerId: 'worker-1', token: 3 };
const running = { status: 'running', ownerId: 'worker-1', fencingToken: 3, startedAt: at(1) } as const;
const stopAt = (second: number) => ({ kind: 'stop_requested', at: at(second), error: 'run stopped' }) as const;
const ended = { status: 'succeeded', finishedAt: at(9), error: null } as const;

describe.each(storeKinds)('waits and retries on %s', (kind) => {
  const storage = useRunRepository(kind);
  const { add } = storage;

  describe('a run that waits', () => {
    const begin = (waiting: number) =>
      storage.runs.commit(
        'run-1',
        toOwnerEvent(lease, [{ position: 0, status: 'waiting' }], {
          status: 'waiting',
          finishedAt: null,
          error: null,
          waiting,
        }),
        { audit: unaudited },
      );

    it('has no owner', async () => {
      await add(running);

      await expect(begin(1)).resolves.toBeDefined();
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({
        status: 'waiting',
        ownerId: null,
        finishedAt: null,
        startedAt: at(1),
      });
    });

    it('is queued at once when a person has answered meanwhile', async () => {
      await add(running);

      await expect(begin(2)).resolves.toBeDefined();
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'queued', ownerId: null });
    });

    it('is queued for its next owner when it was requested to stop meanwhile', async () => {
      await add(running);
      await storage.runs.commit('run-1', stopAt(4), { audit: unaudited });

      await expect(begin(1)).resolves.toBeDefined();
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'queued', stopRequestedAt: at(4) });
    });

    it('is resumed by the answer, once', async () => {
      await add(running);
      await begin(1);
      const [step = aRunStep()] = await storage.runs.listSteps('run-1');
      const approved = { kind: 'approved', step, at: at(5), by: 'ada', inputs: {} } as const;

      await expect(storage.runs.commit('run-1', approved, { audit: unaudited })).resolves.toMatchObject({
        patch: { status: 'queued' },
      });
      await expect(storage.runs.commit('run-1', approved, { audit: unaudited })).resolves.toBeUndefined();
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'queued', queuedAt: at(5) });
      await expect(storage.runs.listAllSteps('run-1')).resolves.toMatchObject([
        { status: 'succeeded', decisions: { approvedBy: 'ada' } },
      ]);
    });

    it('loses the scopes below the steps that are pushed back, and no others', async () => {
      const steps = [aRunStep({ status: 'waiting' }), aRunStep({ position: 1, status: 'succeeded' })];
      const below = [aRunStep({ scope: '1/0' }), aRunStep({ scope: '1/0/2' }), aRunStep({ scope: '10/0' })];
      await add({ status: 'waiting' }, [...steps, ...below]);
      const [step = aRunStep()] = steps;
      const pushedBack = { kind: 'pushed_back', step, at: at(5), by: 'ada', inputs: {}, rewound: steps } as const;

      await expect(storage.runs.commit('run-1', pushedBack, { audit: unaudited })).resolves.toBeDefined();
      await expect(storage.runs.listAllSteps('run-1')).resolves.toMatchObject([
        { scope: '', position: 0, status: 'not_started', iteration: 1 },
        { scope: '', position: 1, status: 'not_started', iteration: 1 },
        { scope: '10/0' },
      ]);
    });

    it('is not answered by a decision about an earlier iteration of the step', async () => {
      const step = aRunStep({ status: 'waiting', iteration: 2 });
      await add({ status: 'waiting' }, [step]);
      const approved = { kind: 'approved', at: at(5), by: 'ada', inputs: {} } as const;

      await expect(
        storage.runs.commit('run-1', { ...approved, step: { ...step, iteration: 1 } }, { audit: unaudited }),
      ).resolves.toBeUndefined();
      await expect(storage.runs.commit('run-1', { ...approved, step }, { audit: unaudited })).resolves.toBeDefined();
    });

    it('can be answered while other steps are running, but not pushed back', async () => {
      const step = aRunStep({ status: 'waiting' });
      await add(running, [step]);
      const decision = { step, at: at(5), by: 'ada', inputs: {} };

      await expect(
        storage.runs.commit('run-1', { kind: 'pushed_back', ...decision, rewound: [step] }, { audit: unaudited }),
      ).resolves.toBeUndefined();
      await expect(
        storage.runs.commit('run-1', { kind: 'approved', ...decision }, { audit: unaudited }),
      ).resolves.toMatchObject({
        patch: {},
      });
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'running', ownerId: 'worker-1' });
      await expect(storage.runs.listSteps('run-1')).resolves.toMatchObject([{ status: 'succeeded' }]);
    });

    it('accepts one of ten concurrent answers', async () => {
      const step = aRunStep({ status: 'waiting' });
      await add(running, [step]);
      const answers = Array.from({ length: 10 }, (_, index) =>
        storage.runs.commit(
          'run-1',
          { kind: 'approved', step, at: at(5), by: `person-${index}`, inputs: {} },
          { audit: unaudited },
        ),
      );

      expect((await Promise.all(answers)).filter((stored) => stored !== undefined)).toHaveLength(1);
    });
  });

  describe('a retry', () => {
    const failed = aRunStep({ status: 'failed', error: 'no' });
    const retried = { kind: 'retried', at: at(20), attempt: 1, by: 'manual', reusedSteps: 0, steps: [failed] } as const;

    it('begins a new attempt of an ended run', async () => {
      const ended = { status: 'failed', startedAt: at(1), finishedAt: at(2), error: 'no', retryAt: at(3) } as const;
      await add({ ...ended, stopRequestedAt: at(1) }, [failed]);

      await expect(
        storage.runs.commit('run-1', { ...retried, by: 'auto' }, { audit: unaudited }),
      ).resolves.toBeDefined();
      await expect(storage.runs.commit('run-1', retried, { audit: unaudited })).resolves.toBeUndefined();
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({
        status: 'queued',
        queuedAt: at(20),
        startedAt: null,
        finishedAt: null,
        error: null,
        retryAt: null,
        stopRequestedAt: null,
        attempt: 2,
        autoRetryCount: 1,
      });
      await expect(storage.runs.listSteps('run-1')).resolves.toEqual([aRunStep()]);
      await expect(storage.runs.listAttempts('run-1', 10)).resolves.toEqual([
        {
          number: 1,
          attempt: 1,
          cause: 'start',
          reusedSteps: 0,
          startedAt: at(1),
          ended: { status: 'failed', finishedAt: at(2), error: 'no', ownerId: null, exitCode: null },
        },
        { number: 2, attempt: 2, cause: 'auto_retry', reusedSteps: 0, startedAt: null },
      ]);
    });

    it('records how a run began if it was no ordinary start, and deletes the record with the run', async () => {
      const firstAttempt = { cause: 'edit_retry', reusedSteps: 3 } as const;
      await storage.runs.insert(aRun({ status: 'failed' }), [failed], {
        audit: unaudited,
        singleton: false,
        firstAttempt,
      });
      await expect(storage.runs.listAttempts('run-1', 10)).resolves.toEqual([
        { number: 1, attempt: 1, startedAt: null, ...firstAttempt },
      ]);

      await expect(storage.runs.remove('run-1')).resolves.toBe(true);
      await expect(storage.runs.listAttempts('run-1', 10)).resolves.toEqual([]);
    });

    it('gives the run to a named owner at once', async () => {
      await add({ status: 'failed', ownerId: 'worker-0', fencingToken: 4, finishedAt: at(2) });

      await expect(
        storage.runs.commit('run-1', { ...retried, ownerId: 'worker-1' }, { audit: unaudited }),
      ).resolves.toBeDefined();
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({
        status: 'running',
        ownerId: 'worker-1',
        fencingToken: 5,
        startedAt: at(20),
        queuedAt: null,
        finishedAt: null,
        attempt: 2,
      });
      await expect(
        storage.runs.commit('run-1', toOwnerEvent({ ownerId: 'worker-1', token: 5 }, [], ended), { audit: unaudited }),
      ).resolves.toBeDefined();
    });

    it('is refused for an attempt that already has a successor', async () => {
      await add({ status: 'failed', attempt: 2 });

      await expect(storage.runs.commit('run-1', retried, { audit: unaudited })).resolves.toBeUndefined();
      await expect(
        storage.runs.commit('run-1', { ...retried, attempt: 2 }, { audit: unaudited }),
      ).resolves.toBeDefined();
    });

    it('happens once for ten concurrent requests', async () => {
      await add({ status: 'failed' });
      const retries = Array.from({ length: 10 }, () => storage.runs.commit('run-1', retried, { audit: unaudited }));

      expect((await Promise.all(retries)).filter((stored) => stored !== undefined)).toHaveLength(1);
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ attempt: 2 });
    });

    it('happens automatically only while it is due', async () => {
      const auto = { ...retried, by: 'auto' } as const;
      await add({ status: 'failed', retryAt: at(21) });

      await expect(storage.runs.commit('run-1', auto, { audit: unaudited })).resolves.toBeUndefined();
      await storage.runs.commit('run-1', stopAt(4), { audit: unaudited });
      await expect(
        storage.runs.commit('run-1', { ...auto, at: at(22) }, { audit: unaudited }),
      ).resolves.toBeUndefined();
    });

    it('does not happen automatically to a run that was requested to stop before it failed', async () => {
      await add({ ...running, stopRequestedAt: at(3) });
      await storage.runs.commit(
        'run-1',
        toOwnerEvent(lease, [], {
          status: 'failed',
          finishedAt: at(4),
          error: 'no',
          retryAt: at(8),
        }),
        { audit: unaudited },
      );

      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({
        status: 'aborted',
        retryAt: null,
        error: 'no',
      });
    });

    it('stores when the retry is due', async () => {
      await add(running);
      await storage.runs.commit(
        'run-1',
        toOwnerEvent(lease, [], {
          status: 'failed',
          finishedAt: at(4),
          error: 'no',
          retryAt: at(8),
        }),
        { audit: unaudited },
      );

      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'failed', retryAt: at(8) });
    });
  });
});
