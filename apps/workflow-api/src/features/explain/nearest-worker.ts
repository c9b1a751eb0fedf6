import type { ExplanationCause } from '@weir/workflow-contract/schemas';
import type { WorkerLabels } from '@weir/workflow-engine';
import type { ClaimingWorker } from './explanation-facts';

interface NearestWorker {
  readonly worker: ClaimingWorker;
  /** The labels of the selector that the worker lacks. */
  readonly missing: WorkerLabels;
}

/** Finds the worker that lacks the fewest labels of the selector; the first one of several. */
export function findNearest(selector: WorkerLabels, workers: readonly ClaimingWorker[]): NearestWorker | undefined {
  const candidates = workers.map((worker) => ({ worker, missing: findMissing(selector, worker) }));
  const [nearest] = candidates.toSorted((one, other) => count(one.missing) - count(other.missing));
  return nearest;
}

export function presentNearest({ worker, missing }: NearestWorker): NonNullable<ExplanationCause['nearest']> {
  return { id: worker.id, host: worker.host, labels: { ...worker.labels }, missing: { ...missing } };
}

/** Formats labels as `gpu=a100, region=eu`. */
export function formatLabels(labels: WorkerLabels): string {
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
