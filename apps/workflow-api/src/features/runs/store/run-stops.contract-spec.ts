import { aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { storeKinds } from '../../../testing/test-stores';
import { useRunRepository } from '../../../testing/use-run-repository';
import type { QueueClaim } from '../../queue/store';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const end = { at: at(50), error: 'run stopped' };
const running = { status: 'running', ownerId: 'worker-1', startedAt: at(1) } as const;

describe.each(storeKinds)('stopped and removed runs on %s', (kind) => {
  const storage = useRunRepository(kind);
  const { add } = storage;
  const claim = (owner: string, from: 'queue' | 'expired' = 'queue'): Promise<QueueClaim | undefined> =>
    storage.queue.claim({ labels: {}, owner, at: at(51), from });

  const dequeue = async (id: string): Promise<boolean> =>
    (await storage.runs.commit(id, { kind: 'dequeue_requested', ...end }, { audit: unaudited })) !== undefined;
  const stop = async (id: string, time = end.at): Promise<string> => {
    const stored = await storage.runs.commit(id, { kind: 'stop_requested', ...end, at: time }, { audit: unaudited });
    if (stored === undefined) return 'ended';
    return stored.patch.status === 'aborted' ? 'aborted' : 'requested';
  };

  describe('a request to dequeue', () => {
    it('aborts a queued run with its steps, once', async () => {
      await add({}, [aRunStep(), aRunStep({ position: 1, status: 'succeeded' })]);

      await expect(dequeue('run-1')).resolves.toBe(true);
      await expect(dequeue('run-1')).resolves.toBe(false);
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'aborted', finishedAt: end.at });
      await expect(storage.runs.listSteps('run-1')).resolves.toMatchObject([
        { status: 'aborted', error: 'run stopped', finishedAt: end.at },
        { status: 'succeeded', error: null },
      ]);
      await expect(claim('worker-1')).resolves.toBeUndefined();
    });

    it.each(['running', 'waiting', 'failed'] as const)('ignores a run that is %s', async (status) => {
      await add({ status });

      await expect(dequeue('run-1')).resolves.toBe(false);
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status, finishedAt: null });
    });

    it('either dequeues or is too late when the run is claimed at the same time', async () => {
      const ids = Array.from({ length: 20 }, (_, index) => `run-${index}`);
      for (const id of ids) await add({ id, dagName: id });
      const both = await Promise.all(ids.map((id) => Promise.all([dequeue(id), claim('worker-1')] as const)));
      const claimed = both.flatMap(([, found]) => found?.runId ?? []);
      const dequeued = ids.filter((_, index) => both[index]?.[0] === true);

      expect(dequeued.filter((id) => claimed.includes(id))).toEqual([]);
      for (const id of dequeued) await expect(storage.runs.findById(id)).resolves.toMatchObject({ status: 'aborted' });
      for (const id of claimed) await expect(storage.runs.findById(id)).resolves.toMatchObject({ status: 'running' });
    });
  });

  describe('a request to stop', () => {
    it.each(['queued', 'waiting'] as const)('aborts a run that is %s', async (status) => {
      await add({ status });

      await expect(stop('run-1')).resolves.toBe('aborted');
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status: 'aborted', finishedAt: end.at });
      await expect(storage.runs.listSteps('run-1')).resolves.toMatchObject([
        { status: 'aborted', error: 'run stopped' },
      ]);
    });

    it('is stored for the owner of a running run, with the time of the first request', async () => {
      await add(running, [aRunStep({ status: 'running' })]);

      await expect(stop('run-1')).resolves.toBe('requested');
      await expect(stop('run-1', at(59))).resolves.toBe('requested');
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({
        status: 'running',
        stopRequestedAt: at(50),
      });
      await expect(storage.runs.listSteps('run-1')).resolves.toMatchObject([{ status: 'running' }]);
      await expect(storage.runs.listStopRequested('worker-1')).resolves.toEqual(['run-1']);
      await expect(storage.runs.listStopRequested('worker-2')).resolves.toEqual([]);
    });

    it('moves with the run to its next owner', async () => {
      await add(running);
      await stop('run-1');
      await claim('worker-2', 'expired');

      await expect(storage.runs.listStopRequested('worker-2')).resolves.toEqual(['run-1']);
    });

    it.each(['succeeded', 'failed', 'aborted'] as const)('is too late for a run that is %s', async (status) => {
      await add({ status });

      await expect(stop('run-1')).resolves.toBe('ended');
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status, stopRequestedAt: null });
    });

    it('is too late for a run that does not exist', async () => {
      await expect(stop('nobody')).resolves.toBe('ended');
    });
  });

  describe('remove', () => {
    it.each(['queued', 'running', 'waiting'] as const)('refuses a run that is %s', async (status) => {
      await add({ status });

      await expect(storage.runs.remove('run-1')).resolves.toBe(false);
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({ status });
    });

    it('deletes a run and its steps, and makes the previous run the newest', async () => {
      await add({ id: 'a', status: 'failed', createdAt: at(1) });
      await add({ id: 'b', status: 'failed', createdAt: at(2) });
      await add({ id: 'c', status: 'failed', createdAt: at(3) });

      await expect(storage.runs.remove('c')).resolves.toBe(true);
      await expect(storage.runs.remove('c')).resolves.toBe(false);
      await expect(storage.runs.listSteps('c')).resolves.toEqual([]);
      await expect(storage.runs.findLatest('nightly')).resolves.toMatchObject({ id: 'b' });
      await storage.runs.remove('a');
      await expect(storage.runs.findLatest('nightly')).resolves.toMatchObject({ id: 'b' });
      await storage.runs.remove('b');
      await expect(storage.runs.findLatest('nightly')).resolves.toBeUndefined();
      await add({ id: 'd', dagRunId: 'c' });
      await expect(storage.runs.findLatest('nightly')).resolves.toMatchObject({ id: 'd' });
    });
  });

  it('scans the runs of one DAG', async () => {
    await add({ id: 'a', createdAt: at(1) });
    await add({ id: 'b', dagName: 'nightly-2', createdAt: at(2) });
    await add({ id: 'c', status: 'failed', createdAt: at(3) });
    const workspaces = { unassigned: true, named: 'all' } as const;
    const found = await storage.runs.scan({
      dagName: 'nightly',
      statuses: ['queued', 'failed'],
      workspaces,
      limit: 10,
    });

    expect(found.map(({ id }) => id)).toEqual(['c', 'a']);
  });

  describe('listRetryDue', () => {
    const due = (limit = 10, exceptFiles: readonly string[] = []) =>
      storage.runs.listRetryDue({ at: at(30), exceptFiles, limit }).then((found) => found.map(({ id }) => id));

    it('lists failed runs whose retry is due, the longest due first', async () => {
      await add({ id: 'second', status: 'failed', retryAt: at(20) });
      await add({ id: 'first', status: 'failed', retryAt: at(10), fileName: null });
      await add({ id: 'later', status: 'failed', retryAt: at(31) });
      await add({ id: 'never', status: 'failed' });

      await expect(due()).resolves.toEqual(['first', 'second']);
      await expect(due(1)).resolves.toEqual(['first']);
      await expect(due(10, ['nightly'])).resolves.toEqual(['first']);
    });

    it('excludes a stopped run, which is then aborted', async () => {
      await add({ status: 'failed', retryAt: at(10), finishedAt: at(5) });

      await expect(stop('run-1')).resolves.toBe('aborted');
      await expect(stop('run-1')).resolves.toBe('ended');
      await expect(storage.runs.findById('run-1')).resolves.toMatchObject({
        status: 'aborted',
        retryAt: null,
        finishedAt: at(5),
      });
      await expect(due()).resolves.toEqual([]);
    });
  });

  describe('a claim within a run', () => {
    it('finds only that run and its descendants', async () => {
      await add({ id: 'other', dagName: 'other' });
      await add({ id: 'root', dagName: 'root', status: 'waiting' });
      await add({ id: 'below', dagName: 'below', depth: 1, parentId: 'root', parentNode: '0', rootId: 'root' });
      const claimWithin = () =>
        storage.queue.claim({ labels: {}, owner: 'here', at: at(51), from: 'queue', within: 'root' });

      await expect(claimWithin()).resolves.toMatchObject({ runId: 'below' });
      await expect(claimWithin()).resolves.toBeUndefined();
      await expect(claim('there')).resolves.toMatchObject({ runId: 'other' });
    });
  });
});
