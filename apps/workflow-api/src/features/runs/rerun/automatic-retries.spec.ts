import { AppError } from '@weir/foundation';
import { createManualClock, createRecordingLogger } from '@weir/test-kit';
import { systemTimer } from '@weir/workflow-engine/model';
import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { createInMemoryDagRunRepository } from '../store/in-memory-dag-run-repository';
import { createAutomaticRetries } from './automatic-retries';

const now = new Date('2026-11-21T10:00:00Z');
const due = { status: 'failed', retryAt: new Date(now.getTime() - 1) } as const;

async function build(retry: (id: string) => Promise<void> = () => Promise.resolve(), suspended: string[] = []) {
  const runs = createInMemoryDagRunRepository();
  const add = (id: string, values: Parameters<typeof aRun>[0]) =>
    runs.insert(aRun({ id, dagName: id, ...values }), [], { audit: unaudited, singleton: false, isUnlimited: false });
  await add('due', { ...due, fileName: 'due' });
  await add('also', { ...due, fileName: 'also' });
  await add('later', { status: 'failed', retryAt: new Date(now.getTime() + 1) });
  await add('never', { status: 'failed' });
  const tried: string[] = [];
  const retryDue = createAutomaticRetries({
    runs,
    retrier: {
      retry: (run, _audit, request) => {
        tried.push(`${run.id}${request?.isAutomatic === true ? ' by itself' : ''}`);
        return retry(run.id);
      },
    },
    listSuspended: () => Promise.resolve(suspended),
    clock: createManualClock(now),
    timer: systemTimer,
    isShared: true,
    logger: createRecordingLogger(),
  });
  return { retryDue: { ...retryDue, runs }, tried, add };
}

it('retries every failed run whose retry is due', async () => {
  const { retryDue, tried } = await build();
  await retryDue.tick();
  expect(tried.toSorted()).toEqual(['also by itself', 'due by itself']);
});

it('ignores runs of suspended DAGs', async () => {
  const { retryDue, tried } = await build(undefined, ['also']);
  await retryDue.tick();
  expect(tried).toEqual(['due by itself']);
});

it('ignores a run that another process has retried', async () => {
  const { retryDue, tried } = await build(() =>
    Promise.reject(new AppError('conflict', 'The run is active.', { reason: 'dag_run_active' })),
  );
  await expect(retryDue.tick()).resolves.toBe(1_000);
  expect(tried).toHaveLength(2);
});

it('continues with the others when one cannot be retried, and reports it', async () => {
  const { retryDue, tried } = await build(() => Promise.reject(new Error('broken')));
  await expect(retryDue.tick()).rejects.toThrow('broken');
  expect(tried).toHaveLength(2);
});

it('ticks until it is stopped', async () => {
  const { retryDue, tried } = await build();
  retryDue.start();
  await retryDue.stop();
  expect(tried.length).toBeLessThanOrEqual(2);
});

it('returns when the next retry is due, if that is soon', async () => {
  const { retryDue, tried, add } = await build(undefined, ['due', 'also']);
  await expect(retryDue.tick()).resolves.toBe(10_000);
  for (const id of ['due', 'also']) await retryDue.runs.remove(id);
  await expect(retryDue.tick()).resolves.toBe(1);
  await retryDue.runs.remove('later');
  await add('soon', { status: 'failed', retryAt: new Date(now.getTime() + 7_000) });
  await expect(retryDue.tick()).resolves.toBe(7_000);
  expect(tried).toEqual([]);
});
