import { aRun } from '@weir/workflow-engine/testing';
import { createRecordingLogger } from '@weir/test-kit';
import type { Timer } from '@weir/workflow-engine/model';
import { unaudited } from '../../access/audited-operation';
import { createListeners } from '../../adapters/listeners';
import type { QueueChange, RunChange } from '../../adapters/run-changes';
import type { OccurrencesSkipped } from '../scheduler';
import { createInMemoryDagRunRepository } from '../runs';
import type { EventLogRepository } from './event-log-entry';
import { createEventRecorder } from './event-recorder';
import { createInMemoryEventLogRepository } from './in-memory-event-log-repository';

/** A timer that a case fires. */
function createManualTimer() {
  const due: (() => void)[] = [];
  const timer: Timer = {
    start: (_afterMs, callback) => {
      due.push(callback);
      return () => due.splice(due.indexOf(callback), 1);
    },
  };
  return { timer, due };
}

async function setUp(values: { readonly eventLog?: EventLogRepository; readonly maxEvents?: number } = {}) {
  const eventLog = values.eventLog ?? createInMemoryEventLogRepository();
  const runs = createInMemoryDagRunRepository();
  const runChanges = createListeners<RunChange>();
  const queueChanges = createListeners<QueueChange>();
  const occurrencesSkipped = createListeners<OccurrencesSkipped>();
  const { timer, due } = createManualTimer();
  const logger = createRecordingLogger();
  let now = Date.UTC(2026, 0, 2);
  let uuids = 0;
  const recorder = createEventRecorder({
    eventLog,
    runs,
    runChanges,
    queueChanges,
    occurrencesSkipped,
    timer,
    logger,
    maxEvents: values.maxEvents ?? 100,
    maxEventAgeMs: 3_600_000,
    clock: { now: () => new Date((now += 1)) },
    random: { uuid: () => `uuid-${(uuids += 1)}` },
  });
  recorder.startPruning();
  await runs.insert(aRun({ status: 'failed', error: 'step a failed', attempt: 2, workspace: 'ops' }), [], {
    audit: unaudited,
    singleton: false,
  });
  const list = () => eventLog.list({}, { limit: 100 });
  return { eventLog, runs, runChanges, queueChanges, occurrencesSkipped, due, logger, recorder, list };
}

describe('event recorder', () => {
  it('stores statuses of runs with the known facts, in order', async () => {
    const { runChanges, recorder, list } = await setUp();
    runChanges.announce({ runId: 'run-1', status: 'running' });
    runChanges.announce({ runId: 'run-1' });
    runChanges.announce({ runId: 'run-1', status: 'failed' });
    await recorder.stop();
    const entries = await list();

    expect(entries.map(({ type, data }) => [type, data])).toEqual([
      ['dag.run.failed', { workspace: 'ops', triggerType: 'manual', error: 'step a failed' }],
      ['dag.run.running', { workspace: 'ops', triggerType: 'manual' }],
    ]);
    expect(entries[0]).toMatchObject({ kind: 'dag_run', dagName: 'nightly', dagRunId: 'run-1', attempt: 2 });
  });

  it('stores the person who paused and resumed a queue, without a run', async () => {
    const { queueChanges, recorder, list } = await setUp();
    for (const kind of ['paused', 'reordered', 'resumed'] as const) {
      queueChanges.announce({ queue: 'wide', kind, by: 'ada' });
    }
    await recorder.stop();
    const about = { kind: 'queue', userId: 'ada', dagName: '', dagRunId: '', attempt: 0, data: { queue: 'wide' } };

    await expect(list()).resolves.toMatchObject([
      { type: 'queue.resumed', ...about },
      { type: 'queue.paused', ...about },
    ]);
  });

  it('stores the occurrences that a scheduler has skipped, with the reason', async () => {
    const { occurrencesSkipped, recorder, list } = await setUp();
    const [first, last] = [new Date('2026-06-01T12:00:00Z'), new Date('2026-06-01T12:05:00Z')];
    occurrencesSkipped.announce({ dagName: 'job', workspace: 'ops', reason: 'missed', first, last, count: 6 });
    await recorder.stop();

    await expect(list()).resolves.toMatchObject([
      {
        kind: 'schedule',
        type: 'schedule.skipped',
        dagName: 'job',
        dagRunId: '',
        userId: null,
        data: { reason: 'missed', first: '2026-06-01T12:00:00.000Z', last: '2026-06-01T12:05:00.000Z', count: 6 },
      },
    ]);
  });

  it("stores a person's decision before the status that follows from it", async () => {
    const { runChanges, recorder, list } = await setUp();
    const decision = { kind: 'pushed_back', by: 'ada', step: 'check' } as const;
    runChanges.announce({ runId: 'run-1', status: 'queued', decision });
    await recorder.stop();

    await expect(list()).resolves.toMatchObject([
      { type: 'dag.run.queued', userId: null },
      { kind: 'decision', type: 'step.pushed_back', userId: 'ada', status: null, data: { step: 'check' } },
    ]);
  });

  it('stores the events of a second together, and none of deleted runs', async () => {
    const { runChanges, recorder, due, list } = await setUp();
    for (const runId of ['run-1', 'gone', 'run-1']) runChanges.announce({ runId, status: 'running' });
    expect(due).toHaveLength(1);
    await recorder.stop();

    await expect(list()).resolves.toHaveLength(2);
  });

  it('stores failed entries later, and logs the failure', async () => {
    const memory = createInMemoryEventLogRepository();
    const failures = [new Error('away'), new Error('away')];
    const insert: EventLogRepository['insert'] = (entries) => {
      const failure = failures.pop();
      return failure === undefined ? memory.insert(entries) : Promise.reject(failure);
    };
    const { runChanges, recorder, due, list, logger } = await setUp({ eventLog: { ...memory, insert } });
    runChanges.announce({ runId: 'run-1', status: 'running' });
    due.splice(0).forEach((fire) => fire());
    // The next attempt is due once the first one has failed.
    while (due.length === 0) await Promise.resolve();
    runChanges.announce({ runId: 'run-1', status: 'failed' });
    due.splice(0).forEach((fire) => fire());
    while (due.length === 0) await Promise.resolve();
    expect(logger.entries.map(({ message }) => message)).toEqual(Array(2).fill('events could not be stored'));
    await recorder.stop();

    expect((await list()).map(({ status }) => status)).toEqual(['failed', 'running']);
  });

  it('drops the oldest beyond ten thousand waiting entries, and logs their number', async () => {
    const { runChanges, recorder, eventLog, logger } = await setUp({ maxEvents: 20_000 });
    for (let index = 0; index < 10_003; index += 1) runChanges.announce({ runId: 'run-1', status: 'running' });
    await recorder.stop();

    await expect(eventLog.count({})).resolves.toBe(10_000);
    expect(logger.entries).toMatchObject([{ fields: { dropped: 3 } }]);
  });

  it('keeps no more entries than configured', async () => {
    const { runChanges, recorder, eventLog } = await setUp({ maxEvents: 2 });
    for (let index = 0; index < 5; index += 1) runChanges.announce({ runId: 'run-1', status: 'running' });
    await recorder.stop();

    await expect(eventLog.count({})).resolves.toBe(2);
  });
});
