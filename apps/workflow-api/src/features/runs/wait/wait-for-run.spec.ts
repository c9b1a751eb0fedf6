import { runStatus, type Timer } from '@weir/workflow-engine/model';
import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { createInMemoryDagRunRepository } from '../store/in-memory-dag-run-repository';
import { createRunWaiter } from './wait-for-run';

const lease = { ownerId: 'worker', token: 1 };
const running = { status: 'running', ownerId: 'worker', fencingToken: 1 } as const;
const ended = { status: 'succeeded', finishedAt: new Date(), error: null } as const;
const end = { at: new Date(), error: 'run stopped' };

/** A timer whose polls the spec makes. */
function manualTimer(): Timer & { readonly fire: () => void; readonly delays: number[] } {
  const delays: number[] = [];
  const pending = new Set<() => void>();
  return {
    delays,
    start: (delayMs, due) => {
      delays.push(delayMs);
      pending.add(due);
      return () => pending.delete(due);
    },
    fire: () => {
      for (const due of [...pending]) due();
    },
  };
}

async function build() {
  const runs = createInMemoryDagRunRepository();
  await runs.insert(aRun(running), [aRunStep()], { audit: unaudited, singleton: false });
  const timer = manualTimer();
  let reads = 0;
  const counted = {
    subscribe: (id: string, listener: () => void) => runs.subscribe(id, listener),
    findById: (id: string) => {
      reads += 1;
      return runs.findById(id);
    },
  };
  return { runs, timer, wait: createRunWaiter({ runs: counted, timer }), countReads: () => reads };
}

const turns = async (): Promise<void> => {
  for (let count = 0; count < 10; count += 1) await Promise.resolve();
};

describe('createRunWaiter', () => {
  const { signal } = new AbortController();

  it('resolves at once for a run that has ended', async () => {
    const { runs, wait } = await build();
    await runs.commit('run-1', toOwnerEvent(lease, [], ended), { audit: unaudited });

    await expect(wait('run-1', runStatus.isTerminal, signal)).resolves.toMatchObject({ status: 'succeeded' });
  });

  it('resolves when this process stores the end, without polling', async () => {
    const { runs, wait, countReads } = await build();
    const waiting = wait('run-1', runStatus.isTerminal, signal);
    await turns();
    expect(countReads()).toBe(1);
    await runs.commit('run-1', toOwnerEvent(lease, [], ended), { audit: unaudited });

    await expect(waiting).resolves.toMatchObject({ status: 'succeeded' });
    expect(countReads()).toBe(2);
  });

  it('continues waiting after another status than the awaited one', async () => {
    const { runs, wait } = await build();
    const waiting = wait('run-1', runStatus.isTerminal, signal);
    await turns();
    await runs.commit('run-1', toOwnerEvent(lease, [], { status: 'waiting', finishedAt: null, error: null }), {
      audit: unaudited,
    });
    await turns();
    await runs.commit('run-1', { kind: 'stop_requested', ...end }, { audit: unaudited });

    await expect(waiting).resolves.toMatchObject({ status: 'aborted' });
  });

  it('finds an end that another process stored at its next poll', async () => {
    const { runs, timer } = await build();
    const wait = createRunWaiter({ runs: { ...runs, subscribe: () => () => undefined }, timer });
    const waiting = wait('run-1', runStatus.isTerminal, signal);
    await turns();
    await runs.commit('run-1', toOwnerEvent(lease, [], ended), { audit: unaudited });
    timer.fire();

    await expect(waiting).resolves.toMatchObject({ status: 'succeeded' });
  });

  it('polls soon and then less often', async () => {
    const { runs, timer, wait } = await build();
    const waiting = wait('run-1', runStatus.isTerminal, signal);
    for (let polls = 0; polls < 9; polls += 1) {
      await turns();
      timer.fire();
    }
    await turns();
    await runs.commit('run-1', toOwnerEvent(lease, [], ended), { audit: unaudited });
    await waiting;

    expect(timer.delays.slice(0, 3)).toEqual([250, 375, 562.5]);
    expect(timer.delays.slice(8)).toEqual([5_000, 5_000]);
  });

  it('rejects when it is aborted', async () => {
    const { wait } = await build();
    const abort = new AbortController();
    const waiting = wait('run-1', runStatus.isTerminal, abort.signal);
    await turns();
    abort.abort(new Error('released'));

    await expect(waiting).rejects.toThrow('released');
  });

  it('rejects when the run is deleted', async () => {
    const { runs, wait } = await build();
    const waiting = wait('run-1', (status) => status === 'rejected', signal);
    await runs.commit('run-1', toOwnerEvent(lease, [], ended), { audit: unaudited });
    await runs.remove('run-1');

    await expect(waiting).rejects.toMatchObject({ code: 'not_found' });
  });
});
