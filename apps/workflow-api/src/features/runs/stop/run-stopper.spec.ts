import { unaudited } from '../../../access/audited-operation';
import { systemClock } from '../../../adapters/clock';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { createInMemoryRunStore } from '../../queue/in-memory-queue-driver';
import { createRunStopper } from './run-stopper';

async function family(root: 'running' | 'waiting' | 'queued') {
  const { runs } = createInMemoryRunStore();
  const add = (id: string, values: Parameters<typeof aRun>[0]) =>
    runs.insert(aRun({ id, dagName: id, ...values }), [], { audit: unaudited, singleton: false, isUnlimited: false });
  const below = (parentId: string) => ({ depth: 1, parentId, parentNode: '0', rootId: 'root' });
  await add('root', { status: root, ...(root === 'running' ? { ownerId: 'owner' } : {}) });
  await add('waits', { ...below('root'), status: 'waiting' });
  await add('works', { ...below('root'), status: 'running', ownerId: 'owner' });
  await add('done', { ...below('root'), status: 'succeeded' });
  await add('deeper', { ...below('waits'), depth: 2, status: 'waiting' });
  const notified: string[] = [];
  const stopper = createRunStopper({ runs, clock: systemClock, onRequested: (id) => notified.push(id) });
  const readStatus = async (id: string) => (await runs.findById(id))?.status;
  return { runs, stopper, notified, readStatus };
}

describe('stop', () => {
  it.each(['waiting', 'queued'] as const)('of a %s run stops all runs below it', async (status) => {
    const { stopper, notified, readStatus } = await family(status);
    await expect(stopper.stop({ id: 'root', dagRunId: 'root' }, unaudited)).resolves.toBe('aborted');
    expect(await Promise.all(['root', 'waits', 'deeper', 'done'].map(readStatus))).toEqual([
      'aborted',
      'aborted',
      'aborted',
      'succeeded',
    ]);
    expect(notified).toEqual(['works']);
  });

  it('of a running run leaves its running child runs to the owner, and stops those that wait for a person', async () => {
    const { stopper, notified, readStatus } = await family('running');
    await expect(stopper.stop({ id: 'root', dagRunId: 'root' }, unaudited)).resolves.toBe('requested');
    expect(await Promise.all(['root', 'works', 'waits', 'deeper'].map(readStatus))).toEqual([
      'running',
      'running',
      'aborted',
      'aborted',
    ]);
    expect(notified).toEqual(['root']);
  });
});

it('dequeueing a run stops all runs below it', async () => {
  const { stopper, readStatus } = await family('queued');
  await stopper.dequeue({ id: 'root', dagRunId: 'root' }, unaudited);
  await expect(readStatus('deeper')).resolves.toBe('aborted');
});

describe('a child run', () => {
  it('is stopped with its parent even if its step only waits, after a person resumed it', async () => {
    const { runs } = createInMemoryRunStore();
    const steps = [aRunStep({ status: 'waiting' }), aRunStep({ position: 1, status: 'running' })];
    const root = { id: 'root', dagName: 'root', status: 'running', ownerId: 'owner' } as const;
    await runs.insert(aRun(root), steps, { audit: unaudited, singleton: false });
    const below = { status: 'queued', depth: 1, parentId: 'root', rootId: 'root' } as const;
    for (const parentNode of ['0', '1']) {
      await runs.insert(aRun({ id: parentNode, dagName: parentNode, ...below, parentNode }), [], {
        audit: unaudited,
        singleton: false,
      });
    }
    const stopper = createRunStopper({ runs, clock: systemClock, onRequested: () => undefined });
    await stopper.stop({ id: 'root', dagRunId: 'root' }, unaudited);

    await expect(runs.findById('0')).resolves.toMatchObject({ status: 'aborted' });
    await expect(runs.findById('1')).resolves.toMatchObject({ status: 'queued' });
  });

  it('is stopped when the process that stopped its parent died in between', async () => {
    const { runs, stopper, readStatus } = await family('waiting');
    await runs.commit('root', { kind: 'stop_requested', at: new Date(), error: 'run stopped' }, { audit: unaudited });
    await expect(readStatus('deeper')).resolves.toBe('waiting');

    await expect(stopper.stop({ id: 'root', dagRunId: 'root' }, unaudited)).resolves.toBe('aborted');
    await expect(readStatus('deeper')).resolves.toBe('aborted');
  });
});
