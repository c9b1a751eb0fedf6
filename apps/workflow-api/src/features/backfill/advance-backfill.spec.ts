import { createScheduleTimes } from '@weir/workflow-spec/schedule';
import { AppError } from '@weir/foundation';
import { createManualClock } from '@weir/test-kit';
import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { openAccessAdmin } from '../../access/principal';
import { createInMemoryRunStore } from '../queue/in-memory-queue-driver';
import type { StartRun } from '../runs';
import { createInlineParsers, createSpecReader } from '../../dag-parser';
import { occurrenceRunId } from '../scheduler';
import { advanceBackfill, type AdvanceDependencies } from './advance-backfill';
import type { Backfill } from './backfill';
import { createInMemoryBackfillRepository } from './in-memory-backfill-repository';
import { dequeueRuns } from './dequeue-runs';

const clock = createManualClock('2026-11-22T09:00:00Z');
const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour));
const backfill: Backfill = {
  id: 'a',
  fileName: 'nightly',
  dagName: 'nightly',
  workspace: null,
  status: 'active',
  error: null,
  author: 'ada',
  createdAt: clock.now(),
  endedAt: null,
  from: at(1),
  to: at(4),
  maxActive: 2,
  params: null,
  occurrences: [at(1), at(2), at(3), at(4)],
  position: 0,
  started: 0,
  existing: 0,
};
const text = 'name: nightly\nschedule: "0 * * * *"\nsteps: [{run: "true"}]\n';

function aBackfill() {
  const { runs } = createInMemoryRunStore();
  const backfills = createInMemoryBackfillRepository();
  const add = (occurrence: Date, values: Parameters<typeof aRun>[0] = {}) => {
    const dagRunId = occurrenceRunId('catchup', 'nightly', occurrence);
    const run = {
      id: dagRunId,
      dagRunId,
      triggerType: 'catchup',
      createdAt: clock.now(),
      scheduleTime: occurrence,
    } as const;
    return runs.insert(aRun({ ...run, status: 'queued', ...values }), [], { audit: unaudited, singleton: false });
  };
  const startRun: StartRun = async (_, { scheduleTime }) => {
    await add(scheduleTime ?? at(0));
    return aRun();
  };
  const files = { current: text };
  const dependencies: AdvanceDependencies = {
    runs,
    backfills,
    startRun,
    times: createScheduleTimes({ timeZone: 'UTC' }),
    clock,
    store: {
      read: () => {
        const file = { kind: 'text', text: files.current, mark: '', fileName: 'nightly', filePath: '' } as const;
        return Promise.resolve(files.current === '' ? undefined : file);
      },
    },
    specs: createSpecReader(createInlineParsers().forServer, {
      read: () => Promise.resolve(undefined),
      readForWorkspace: () => Promise.resolve(undefined),
    }),
  };
  const current = async () => (await backfills.find('a')) ?? backfill;
  return {
    runs,
    backfills,
    files,
    dependencies,
    add,
    current,
    insert: () => backfills.insert(backfill, 5),
    advance: async (changes: Partial<AdvanceDependencies> = {}) =>
      advanceBackfill({ ...dependencies, ...changes }, await current(), new AbortController().signal),
  };
}

describe('advanceBackfill', () => {
  it('starts runs up to the limit of active ones, in the order of time', async () => {
    const { insert, advance, current, runs } = aBackfill();
    await insert();
    await advance();
    await advance();

    await expect(current()).resolves.toMatchObject({ status: 'active', position: 2, started: 2 });
    const ids = [1, 2, 3].map((hour) => occurrenceRunId('catchup', 'nightly', at(hour)));
    expect([...(await runs.listByRunIds('nightly', ids)).keys()].toSorted()).toEqual(ids.slice(0, 2).toSorted());
  });

  it('finishes once every occurrence has a run', async () => {
    const { backfills, advance, current } = aBackfill();
    await backfills.insert({ ...backfill, maxActive: 10 }, 5);
    await advance();

    await expect(current()).resolves.toMatchObject({
      status: 'finished',
      position: 4,
      started: 4,
      endedAt: clock.now(),
    });
  });

  it('skips occurrences that already have a run of any origin', async () => {
    const { insert, advance, current, add, runs } = aBackfill();
    await insert();
    const dagRunId = occurrenceRunId('scheduled', 'nightly', at(1));
    await runs.insert(aRun({ id: 's', dagRunId, status: 'failed', createdAt: at(1) }), [], {
      audit: unaudited,
      singleton: false,
    });
    await add(at(2), { status: 'succeeded', createdAt: at(2) });
    await advance();

    await expect(current()).resolves.toMatchObject({ status: 'finished', started: 2, existing: 2 });
  });

  it('counts a run that it had started before it was interrupted, and starts it once', async () => {
    const { insert, advance, current, runs, dependencies } = aBackfill();
    await insert();
    const interrupted = { ...dependencies.backfills, advance: () => Promise.reject(new Error('killed')) };
    await expect(advance({ backfills: interrupted })).rejects.toThrow('killed');
    await expect(current()).resolves.toMatchObject({ position: 0 });
    await advance();

    await expect(current()).resolves.toMatchObject({ position: 2, started: 2, existing: 0 });
    const all = await runs.scan({ workspaces: { unassigned: true, named: 'all' }, limit: 100 });
    expect(all).toHaveLength(2);
  });

  it('starts nothing after it was cancelled', async () => {
    const { insert, advance, backfills, runs, current } = aBackfill();
    await insert();
    const stale = await current();
    await backfills.cancel('a', clock.now());
    await advance();
    await expect(current()).resolves.toMatchObject({ status: 'cancelled', position: stale.position });

    expect(await runs.scan({ workspaces: { unassigned: true, named: 'all' }, limit: 100 })).toEqual([]);
  });

  it.each([
    ['its file is gone', '', 'dag_not_found'],
    ['its file holds another DAG', text.replace('nightly', 'other'), 'dag_not_found'],
    ['its DAG has errors', 'name: nightly\nsteps: 1\n', 'spec_invalid'],
  ])('fails when %s', async (_, changed, reason) => {
    const { insert, advance, files } = aBackfill();
    await insert();
    files.current = changed;

    await expect(advance()).rejects.toMatchObject({ reason });
  });

  it('passes on the error of a run that cannot be started now', async () => {
    const { insert, advance, current } = aBackfill();
    await insert();
    const startRun = () => Promise.reject(new AppError('unavailable', 'later', { reason: 'storage_full' }));

    await expect(advance({ startRun })).rejects.toMatchObject({ reason: 'storage_full' });
    await expect(current()).resolves.toMatchObject({ status: 'active', position: 0 });
  });
});

describe('dequeueRuns', () => {
  it('dequeues the queued runs of the backfill only', async () => {
    const { runs, add } = aBackfill();
    await add(at(1));
    await add(at(2), { createdAt: at(2) });
    await add(at(3), { status: 'succeeded' });
    const dequeued: string[] = [];
    const stopper = {
      dequeue: ({ dagRunId }: { readonly dagRunId: string }) => Promise.resolve(void dequeued.push(dagRunId)),
    };
    await dequeueRuns({ audit: unaudited, principal: openAccessAdmin, runs, stopper }, backfill);

    expect(dequeued).toEqual([occurrenceRunId('catchup', 'nightly', at(1))]);
  });
});
