import { createScheduleTimes } from '@weir/workflow-spec/schedule';
import { createManualClock, createRecordingLogger, waitFor } from '@weir/test-kit';
import { parseDag } from '@weir/workflow-spec';
import { unaudited } from '../../access/audited-operation';
import { createInMemoryDagRunRepository, createRunStopper, type StartRun } from '../runs';
import { aRun } from '@weir/workflow-engine/testing';
import { restartForOccurrence } from './restart-occurrence';
import type { ScheduledDag } from './scheduled-dag';

const specText = 'steps:\n  - run: "true"\n';
const occurrence = new Date('2026-06-01T12:00:00Z');
const dag: ScheduledDag = {
  fileName: 'job',
  name: 'job',
  workspace: null,
  start: [],
  stop: [],
  restart: [{ kind: 'cron', expression: '0 12 * * *' }],
  catchupMs: 0,
  overlap: 'skip',
  isSkippedAfterSuccess: false,
  restartWaitMs: 30_000,
};

/** A run of the DAG is running under an owner that ends it when the spec says so. */
async function aRestart({ isStillScheduled = () => true }: { readonly isStillScheduled?: () => boolean } = {}) {
  const clock = createManualClock(occurrence);
  const runs = createInMemoryDagRunRepository();
  const stopping = new AbortController();
  const old = aRun({
    id: 'old',
    dagName: 'job',
    params: 'A=1',
    profile: 'staging',
    status: 'running',
    ownerId: 'somebody',
  });
  await runs.insert(old, [], { audit: unaudited, singleton: false });
  let hasEnded = false;
  const started: Parameters<StartRun>[1][] = [];
  const timer = {
    start: (afterMs: number, due: () => void) => {
      const cancelled = new AbortController();
      clock.sleep(afterMs, cancelled.signal).then(due, () => undefined);
      return () => cancelled.abort();
    },
  };
  const outcome = restartForOccurrence(
    {
      runs: { ...runs, findById: () => Promise.resolve(hasEnded ? { ...old, status: 'aborted' } : old) },
      stopper: createRunStopper({ runs, clock, onRequested: () => undefined }),
      store: {
        read: (fileName) =>
          Promise.resolve({ kind: 'text', text: specText, mark: '', fileName, filePath: '/dags/job.yaml' }),
      },
      specs: { parse: (text, options) => Promise.resolve({ ...parseDag(text, options), baseTexts: [] }) },
      startRun: async (_, options) => {
        started.push(options);
        const run = aRun({ id: 'new', dagName: 'job' });
        await runs.insert(run, [], { audit: unaudited, singleton: false });
        return run;
      },
      times: createScheduleTimes({ timeZone: 'UTC' }),
      clock,
      timer,
      logger: createRecordingLogger(),
      isStillScheduled,
    },
    { dag, occurrence },
    stopping.signal,
  );
  const isWaiting = () => waitFor(() => clock.sleeperCount() === 1, { what: 'the restart to wait' });
  await isWaiting();
  return {
    clock,
    runs,
    stopping,
    started,
    outcome,
    isWaiting,
    end: () => {
      hasEnded = true;
    },
  };
}

describe('restartForOccurrence', () => {
  it('stops the run, waits for its end and then for the restart wait of the DAG', async () => {
    const { clock, started, outcome, isWaiting, end, runs } = await aRestart();
    await expect(runs.findById('old')).resolves.toMatchObject({ stopRequestedAt: occurrence });
    end();
    clock.advance(500);
    await isWaiting();
    expect(started).toEqual([]);
    clock.advance(29_999);
    expect(clock.sleeperCount()).toBe(1);
    clock.advance(1);

    await expect(outcome).resolves.toBe('restarted');
    expect(started).toMatchObject([
      { params: 'A=1', profile: 'staging', triggerType: 'scheduler', scheduleTime: occurrence },
    ]);
  });

  it('gives up when a run does not end', async () => {
    const { clock, started, outcome } = await aRestart();
    clock.advance(10 * 60_000);

    await expect(outcome).resolves.toBe('not_ended');
    expect(started).toEqual([]);
  });

  it('starts nothing when it is stopped while it waits', async () => {
    const { started, outcome, stopping } = await aRestart();
    stopping.abort();

    await expect(outcome).resolves.toBe('gone');
    expect(started).toEqual([]);
  });

  it('starts nothing of a DAG that was suspended while it waited', async () => {
    const { clock, started, outcome, isWaiting, end } = await aRestart({ isStillScheduled: () => false });
    end();
    clock.advance(500);
    await isWaiting();
    clock.advance(30_000);

    await expect(outcome).resolves.toBe('gone');
    expect(started).toEqual([]);
  });
});
