import type { ExplanationCause } from '@weir/workflow-contract/schemas';
import {
  matchesSelector,
  runStatus,
  selectorLabels,
  type DagRunSummary,
  type WorkerLabels,
} from '@weir/workflow-engine/model';
import type { QueueEntry } from '../queue/store';
import type { ExplanationFacts, QueueFacts, ClaimingWorker } from './explanation-facts';

/** Explains why no worker executes the run; empty while one does, and while the run waits for a person. */
export function explainExecution(facts: ExplanationFacts): readonly ExplanationCause[] {
  const { run, entry } = facts;
  if (runStatus.isTerminal(run.status)) return [explainEnd(run), ...explainRetry(facts)];
  if (entry === undefined) return explainStop(run);
  const held = entry.claimedBy === null ? explainQueue(facts) : explainOwner(facts, entry.claimedBy);
  return [...explainStop(run), ...held];
}

export function presentHolder({ dagName, dagRunId, status }: DagRunSummary) {
  return { name: dagName, dagRunId, statusLabel: status };
}

function explainEnd({ status, finishedAt, error }: DagRunSummary): ExplanationCause {
  return {
    kind: 'ended',
    message: `The run has ended: ${status}.`,
    ...(finishedAt === null ? {} : { at: finishedAt.toISOString() }),
    ...(error === null ? {} : { error }),
  };
}

function explainRetry({ at, run, retry }: ExplanationFacts): readonly ExplanationCause[] {
  if (run.retryAt === null || retry === undefined) return [];
  const verb = run.retryAt > at ? 'is' : 'was';
  return [
    {
      kind: 'retry_due',
      message: `Its automatic retry ${run.autoRetryCount + 1} of ${run.autoRetryLimit ?? 0} ${verb} due at this time.`,
      at: run.retryAt.toISOString(),
    },
    ...(retry.isSuspended ? [suspended] : []),
    ...(retry.isSchedulerAlive ? [] : [noScheduler]),
  ];
}

function explainStop({ stopRequestedAt }: DagRunSummary): readonly ExplanationCause[] {
  if (stopRequestedAt === null) return [];
  return [{ kind: 'stop_requested', message: 'The run is being stopped.', at: stopRequestedAt.toISOString() }];
}

function explainOwner(facts: ExplanationFacts, owner: string): readonly ExplanationCause[] {
  if (facts.workers.alive.includes(owner)) return [];
  const message = 'The worker that executed the run has no live heartbeat; another one is to claim the run.';
  return [{ kind: 'owner_lost', message, owner }, ...explainWorkers(facts)];
}

function explainQueue(facts: ExplanationFacts): readonly ExplanationCause[] {
  const { at, entry, queue } = facts;
  if (entry === undefined || queue === undefined) return [];
  return [
    ...(entry.availableAt > at ? [notBefore(entry.availableAt)] : []),
    ...explainPause(queue, entry),
    explainPosition(queue, entry),
    ...explainWorkers(facts),
  ];
}

function explainPause({ pause }: QueueFacts, { queueName, isUnlimited }: QueueEntry): readonly ExplanationCause[] {
  if (pause === undefined || isUnlimited) return [];
  const message = `The queue "${queueName}" was paused by ${pause.pausedBy}; its runs wait until it is resumed.`;
  return [{ kind: 'queue_paused', message, at: pause.pausedAt.toISOString() }];
}

function explainPosition(
  { slots, slotsInUse, before, holders, pause }: QueueFacts,
  { queueName, isUnlimited }: { readonly queueName: string; readonly isUnlimited: boolean },
): ExplanationCause {
  const queue = { name: queueName, slots, slotsInUse, position: before + 1 };
  if (isUnlimited || slotsInUse < slots) {
    const claims =
      pause === undefined ? 'a worker is to claim its runs in order' : 'runs are claimed once it is resumed';
    const message = isUnlimited
      ? 'The run needs no slot of its queue: a worker is to claim it.'
      : `The queue "${queueName}" has a free slot: ${claims}.`;
    return { kind: 'queued', message, queue };
  }
  return {
    kind: 'queue_full',
    message: `All slots of the queue "${queueName}" are in use.`,
    queue,
    runs: holders.map(presentHolder),
    otherRuns: Math.max(0, slotsInUse - holders.length),
  };
}

function explainWorkers({ run, workers: { claiming } }: ExplanationFacts): readonly ExplanationCause[] {
  const { workerSelector } = run;
  if (claiming.some(({ labels }) => matchesSelector(workerSelector, labels))) return [];
  if (claiming.length === 0)
    return [{ kind: 'no_worker', message: 'No server with the role worker has a live heartbeat.' }];
  const selector = { ...selectorLabels(workerSelector) };
  const nearest = findNearest(selector, claiming);
  const message =
    `No live worker has the labels ${formatLabels(selector)}.` +
    (nearest === undefined ? '' : ` The nearest one, ${nearest.worker.host}, lacks ${formatLabels(nearest.missing)}.`);
  return [{ kind: 'no_worker', message, selector, ...(nearest && { nearest: presentNearest(nearest) }) }];
}

function notBefore(availableAt: Date): ExplanationCause {
  const message = 'Its last execution could not begin; it is not claimed again before this time.';
  return { kind: 'not_before', message, at: availableAt.toISOString() };
}

const suspended: ExplanationCause = {
  kind: 'dag_suspended',
  message: 'The DAG is suspended: its failed runs are not retried automatically.',
};
const noScheduler: ExplanationCause = {
  kind: 'no_scheduler',
  message: 'No server with the role scheduler is active; one is needed for automatic retries.',
};

interface NearestWorker {
  readonly worker: ClaimingWorker;
  /** The labels of the selector that the worker lacks. */
  readonly missing: WorkerLabels;
}

/** Finds the worker that lacks the fewest labels of the selector; the first one of several. */
function findNearest(selector: WorkerLabels, workers: readonly ClaimingWorker[]): NearestWorker | undefined {
  const candidates = workers.map((worker) => ({ worker, missing: findMissing(selector, worker) }));
  const [nearest] = candidates.toSorted((one, other) => count(one.missing) - count(other.missing));
  return nearest;
}

function presentNearest({ worker, missing }: NearestWorker): NonNullable<ExplanationCause['nearest']> {
  return { id: worker.id, host: worker.host, labels: { ...worker.labels }, missing: { ...missing } };
}

/** Formats labels as `gpu=a100, region=eu`. */
function formatLabels(labels: WorkerLabels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

function findMissing(selector: WorkerLabels, { labels }: ClaimingWorker): WorkerLabels {
  return Object.fromEntries(Object.entries(selector).filter(([name, value]) => labels[name] !== value));
}

function count(labels: WorkerLabels): number {
  return Object.keys(labels).length;
}
