import { hostname } from 'node:os';
import type { Clock, DagRunSummary, Timer } from '@weir/workflow-engine/model';
import type { Logger, Resource } from '@weir/service-kit';
import type { Listeners } from '../../adapters/listeners';
import type { QueueChange, RunChange } from '../../adapters/run-changes';
import type { RandomSource } from '../../adapters/random-source';
import type { DagRunRepository } from '../runs';
import type { OccurrencesSkipped } from '../scheduler';
import type { EventLogEntry, EventLogRepository } from './event-log-entry';

interface Announcements {
  readonly runChanges: Pick<Listeners<RunChange>, 'subscribe'>;
  readonly queueChanges: Pick<Listeners<QueueChange>, 'subscribe'>;
  readonly occurrencesSkipped: Pick<Listeners<OccurrencesSkipped>, 'subscribe'>;
}

export interface EventRecorderDependencies extends Announcements {
  readonly eventLog: EventLogRepository;
  readonly runs: Pick<DagRunRepository, 'listSummaries'>;
  /** Limits the number of entries that are kept. */
  readonly maxEvents: number;
  readonly maxEventAgeMs: number;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Pick<RandomSource, 'uuid'>;
  readonly logger: Logger;
}

export interface EventRecorder extends Resource {
  /** Begins to delete surplus entries at intervals. */
  startPruning(): void;
}

interface Waiting {
  readonly change: RunChange | QueueChange | OccurrencesSkipped;
  readonly at: Date;
}

/** Collects events for this time, so that one statement stores all events of a busy second. */
const collectMs = 1_000;
const maxWaiting = 10_000;
const batchSize = 1_000;
const pruneAfterEntries = 1_000;
const pruneAfterMs = 3_600_000;

/**
 * Stores events of runs, queues and schedules in this process shortly after they have happened: the log never delays
 * runs. Events that could not be stored are stored later; beyond ten thousand entries the oldest are dropped, with a
 * warning.
 */
export function createEventRecorder(dependencies: EventRecorderDependencies): EventRecorder {
  const { eventLog, clock, timer, logger } = dependencies;
  const toEntries = createEntries(dependencies);
  let prune: ((stored: number) => Promise<void>) | undefined;
  const waiting: Waiting[] = [];
  let dropped = 0;
  let cancel: (() => void) | undefined;
  let storing: Promise<void> | undefined;

  const storeBatch = async (): Promise<number> => {
    const batch = waiting.splice(0, batchSize);
    try {
      const entries = await toEntries(batch);
      await eventLog.insert(entries);
      return entries.length;
    } catch (error) {
      waiting.unshift(...batch);
      throw error;
    }
  };

  const store = async (): Promise<void> => {
    let stored = 0;
    try {
      while (waiting.length > 0) {
        stored += await storeBatch();
      }
      if (dropped > 0) logger.warn({ dropped }, 'events were dropped, because they could not be stored for too long');
      dropped = 0;
      if (stored > 0) await prune?.(stored);
    } catch (error) {
      logger.warn({ error, waiting: waiting.length }, 'events could not be stored');
    }
  };

  const storeSoon = (): void => {
    cancel ??= timer.start(collectMs, () => {
      cancel = undefined;
      storing = (storing ?? Promise.resolve()).then(store).then(() => {
        if (waiting.length > 0) storeSoon();
      });
    });
  };

  const add = (change: Waiting['change']): void => {
    if (waiting.length >= maxWaiting) {
      waiting.shift();
      dropped += 1;
    }
    waiting.push({ change, at: clock.now() });
    storeSoon();
  };

  const unsubscribe = followChanges(dependencies, add);

  return {
    name: 'event log',
    startPruning: () => void (prune = createPruner(dependencies)),
    stop: async () => {
      unsubscribe();
      cancel?.();
      await storing;
      await store();
    },
  };
}

/** Calls `add` with each change that the log records. */
function followChanges(
  { runChanges, queueChanges, occurrencesSkipped }: Announcements,
  add: (change: Waiting['change']) => void,
): () => void {
  const unsubscribeRuns = runChanges.subscribe((change) => {
    if (change.status !== undefined || change.decision !== undefined) add(change);
  });
  const unsubscribeQueues = queueChanges.subscribe((change) => {
    if (change.kind !== 'reordered') add(change);
  });
  const unsubscribeSchedules = occurrencesSkipped.subscribe(add);
  return () => {
    unsubscribeRuns();
    unsubscribeQueues();
    unsubscribeSchedules();
  };
}

/** Deletes surplus entries at intervals; `stored` is the number of added entries. */
function createPruner({ eventLog, maxEvents, maxEventAgeMs, clock }: EventRecorderDependencies) {
  let sincePrune = pruneAfterEntries;
  let prunedAt = 0;
  return async (stored: number): Promise<void> => {
    const now = clock.now().getTime();
    sincePrune += stored;
    if (sincePrune < pruneAfterEntries && now - prunedAt < pruneAfterMs) return;
    await eventLog.prune({ maxEntries: maxEvents, before: new Date(now - maxEventAgeMs) });
    [sincePrune, prunedAt] = [0, now];
  };
}

function createEntries({ runs, clock, random }: EventRecorderDependencies) {
  const sourceInstance = `${hostname()}:${process.pid}`;
  let sequence = 0;
  return async (batch: readonly Waiting[]): Promise<readonly EventLogEntry[]> => {
    const ids = [...new Set(batch.flatMap(({ change }) => ('runId' in change ? [change.runId] : [])))];
    const summaries = await runs.listSummaries(ids);
    const recordedAt = clock.now();
    return batch.flatMap(({ change, at }) =>
      describe(change, summaries).map((described) => {
        sequence = (sequence + 1) % 1_000_000;
        const id = [at.getTime(), String(sequence).padStart(6, '0'), random.uuid().slice(0, 8)].join('-');
        return { id, occurredAt: at, recordedAt, sourceInstance, ...described };
      }),
    );
  };
}

type Described = Pick<EventLogEntry, 'kind' | 'type' | 'userId' | 'status' | 'data'>;
type Subject = Pick<EventLogEntry, 'dagName' | 'dagRunId' | 'attempt'>;

function describe(
  change: Waiting['change'],
  summaries: ReadonlyMap<string, DagRunSummary>,
): readonly (Subject & Described)[] {
  if ('queue' in change) return [describeQueueChange(change)];
  if ('reason' in change) return [describeSkip(change)];
  const run = summaries.get(change.runId);
  // The run was deleted meanwhile, with all that is known of it.
  if (run === undefined) return [];
  const { dagName, dagRunId, attempt } = run;
  return describeChange(change, run).map((described) => ({ dagName, dagRunId, attempt, ...described }));
}

/** A change of a queue is about no run. */
function describeQueueChange({ queue, kind, by }: QueueChange): Subject & Described {
  const noRun = { dagName: '', dagRunId: '', attempt: 0, status: null };
  return { ...noRun, kind: 'queue', type: `queue.${kind}`, userId: by, data: { queue } };
}

function describeSkip({
  dagName,
  workspace,
  reason,
  first,
  last,
  count,
  error,
}: OccurrencesSkipped): Subject & Described {
  const data = {
    reason,
    first: first.toISOString(),
    last: last.toISOString(),
    count,
    ...(workspace === null ? {} : { workspace }),
    ...(error === undefined ? {} : { error }),
  };
  return {
    dagName,
    dagRunId: '',
    attempt: 0,
    status: null,
    userId: null,
    kind: 'schedule',
    type: 'schedule.skipped',
    data,
  };
}

const decisionTypes = {
  approved: 'step.approved',
  rejected: 'step.rejected',
  pushed_back: 'step.pushed_back',
  task_completed: 'step.completed',
} as const satisfies Record<NonNullable<RunChange['decision']>['kind'], string>;

/** A decision comes before the status that follows from it. */
function describeChange({ status, decision }: RunChange, run: DagRunSummary): readonly Described[] {
  const { triggerType, workspace, parentId } = run;
  const common = {
    ...(workspace === null ? {} : { workspace }),
    ...(parentId === null ? {} : { isChildRun: true }),
  };
  const described: Described[] = [];
  if (decision !== undefined) {
    const { kind, by, step } = decision;
    described.push({
      kind: 'decision',
      type: decisionTypes[kind],
      userId: by,
      status: null,
      data: { ...common, step },
    });
  }
  if (status !== undefined) {
    const error = run.status === status && run.error !== null ? { error: run.error } : {};
    const data = { ...common, triggerType, ...error };
    described.push({ kind: 'dag_run', type: `dag.run.${status}`, userId: null, status, data });
  }
  return described;
}
