import { systemClock } from '../../../adapters/clock';
import { aRun, aRunStep } from '../../../testing/workflow-builders.contract';
import { createInMemoryRunStore } from '../storage/in-memory-queue-driver';
import { createRunStopper } from './run-stopper';

async function family(root: 'running' | 'waiting' | 'queued') {
  const { runs } = createInMemoryRunStore();
  const add = (id: string, values: Parameters<typeof aRun>[0]) =>
    runs.insert(aRun({ id, dagName: id, ...values }), [], { singleton: false, isUnlimited: false });
  const below = (parentId: string) => ({ depth: 1, parentId, parentNode: '0', rootId: 'root' });
  await add('root', { status: root, ...(root === 'running' ? { ownerId: 'owner' } : {}) });
  await add('waits', { ...below('root'), status: 'waiting' });
  await add('works', { ...below('root'), status: 'running', ownerId: 'owner' });
  await add('done', { ...below('root'), status: 'succeeded' });
  await add('deeper', { ...below('waits'), depth: 2, status: 'waiting' });
  const told: string[] = [];
  const stopper = createRunStopper({ runs, clock: systemClock, onRequested: (id) => told.push(id) });
  const statusOf = async (id: string) => (await runs.findById(id))?.status;
  return { runs, stopper, told, statusOf };
}

describe('stop', () => {
  it.each(['waiting', 'queued'] as const)('of a %s run ends all that is below it', async (status) => {
    const { stopper, told, statusOf } = await family(status);
    await expect(stopper.stop({ id: 'root', dagRunId: 'root' })).resolves.toBe('aborted');
    expect(await Promise.all(['root', 'waits', 'deeper', 'done'].map(statusOf))).toEqual([
      'aborted',
      'aborted',
      'aborted',
      'succeeded',
    ]);
    expect(told).toEqual(['works']);
  });

  it('of a running one leaves to its owner what is at work, and ends what waits for a person', async () => {
    const { stopper, told, statusOf } = await family('running');
    await expect(stopper.stop({ id: 'root', dagRunId: 'root' })).resolves.toBe('requested');
    expect(await Promise.all(['root', 'works', 'waits', 'deeper'].map(statusOf))).toEqual([
      'running',
      'running',
      'aborted',
      'aborted',
    ]);
    expect(told).toEqual(['root']);
  });
});

it('a run that is taken out of its queue ends all that is below it', async () => {
  const { stopper, statusOf } = await family('queued');
  await stopper.dequeue({ id: 'root', dagRunId: 'root' });
  await expect(statusOf('deeper')).resolves.toBe('aborted');
});

describe('a run below another one', () => {
  it('ends with it although its step only waits, when a person has let it go on', async () => {
    const { runs } = createInMemoryRunStore();
    const steps = [aRunStep({ status: 'waiting' }), aRunStep({ position: 1, status: 'running' })];
    const root = { id: 'root', dagName: 'root', status: 'running', ownerId: 'owner' } as const;
    await runs.insert(aRun(root), steps, { singleton: false });
    const below = { status: 'queued', depth: 1, parentId: 'root', rootId: 'root' } as const;
    for (const parentNode of ['0', '1']) {
      await runs.insert(aRun({ id: parentNode, dagName: parentNode, ...below, parentNode }), [], { singleton: false });
    }
    const stopper = createRunStopper({ runs, clock: systemClock, onRequested: () => undefined });
    await stopper.stop({ id: 'root', dagRunId: 'root' });

    await expect(runs.findById('0')).resolves.toMatchObject({ status: 'aborted' });
    await expect(runs.findById('1')).resolves.toMatchObject({ status: 'queued' });
  });

  it('ends with it when whoever stopped that one died in between', async () => {
    const { runs, stopper, statusOf } = await family('waiting');
    await runs.apply('root', { kind: 'stop_requested', at: new Date(), error: 'run stopped' });
    await expect(statusOf('deeper')).resolves.toBe('waiting');

    await expect(stopper.stop({ id: 'root', dagRunId: 'root' })).resolves.toBe('aborted');
    await expect(statusOf('deeper')).resolves.toBe('aborted');
  });
});
