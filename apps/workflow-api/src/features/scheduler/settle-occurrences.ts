import { isAppError } from '@weir/foundation';
import type { ExcludedTime } from '@weir/workflow-spec/schedule';
import type { RunSource } from '@weir/workflow-engine/model';
import { readSource, type DagSourceDependencies } from './dag-source';
import { before, dueActions, later, type DueSpan, type DueStart } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';
import type { DueDag } from './due-index';
import type { OccurrenceCounts } from './occurrence-counts';
import { isTransient } from './occurrence-outcome';
import { findLastOccurrence, startForOccurrence, type StartOccurrenceDependencies } from './start-occurrence';
import { stopForOccurrence, type StopOccurrenceDependencies } from './stop-occurrence';

export interface SettleDependencies extends StartOccurrenceDependencies, DagSourceDependencies {
  readonly runs: StartOccurrenceDependencies['runs'] & StopOccurrenceDependencies['runs'];
  readonly stopper: StartOccurrenceDependencies['stopper'] & StopOccurrenceDependencies['stopper'];
  readonly counts: OccurrenceCounts;
  /** Starts a restart without waiting for its end. */
  readonly startRestart: (dag: ScheduledDag, occurrence: Date) => void;
  readonly signal: AbortSignal;
}

/**
 * Settles what is due for a DAG. Returns the time up to which it is settled; after a transient failure, that is
 * before the end of the span.
 */
export async function settleOccurrences(
  dependencies: SettleDependencies,
  { dag, settledUntil }: DueDag,
  { to, lateMs }: Omit<DueSpan, 'after'>,
): Promise<Date> {
  const { runs, times, counts, stopper, startRestart } = dependencies;
  const isBehind = before(to, lateMs) > settledUntil && dag.catchupMs > 0;
  const after = isBehind ? later(settledUntil, await findLastOccurrence({ runs }, dag.name, to)) : settledUntil;
  const due = dueActions(dag, { after, to, lateMs }, times);
  if (due.missed.length > 0) counts.add('missed', dag, { occurrences: due.missed });
  countExcluded(counts, dag, due.excluded);
  if (due.stop !== undefined) {
    const stopped = await stopForOccurrence({ runs, stopper }, dag.name, due.stop);
    if (stopped.length > 0) counts.add('stopped', dag, { occurrences: [due.stop], count: stopped.length });
  }
  if (due.restart !== undefined) startRestart(dag, due.restart);
  return due.starts.length === 0 ? to : startAll(dependencies, dag, due.starts, to);
}

/** Consecutive occurrences with the same reason count together. */
function countExcluded(counts: OccurrenceCounts, dag: ScheduledDag, excluded: readonly ExcludedTime[]): void {
  let group: ExcludedTime[] = [];
  for (const [index, each] of excluded.entries()) {
    group.push(each);
    if (excluded[index + 1]?.reason === each.reason) continue;
    const outcome = each.isUnknownCalendar ? 'refused' : 'calendar';
    counts.add(outcome, dag, { occurrences: group.map(({ at }) => at), error: each.reason });
    group = [];
  }
}

async function startAll(
  dependencies: SettleDependencies,
  dag: ScheduledDag,
  starts: readonly DueStart[],
  to: Date,
): Promise<Date> {
  const { counts, logger, signal } = dependencies;
  const occurrences = starts.map(({ occurrence }) => occurrence);
  let source: RunSource | undefined;
  try {
    source = await readSource(dependencies, dag);
  } catch (error) {
    if (!isAppError(error) || isTransient(error)) throw error;
    logger.warn({ dagName: dag.name, error }, 'scheduled run was refused');
    counts.add('refused', dag, { occurrences, error: error.message });
    return to;
  }
  if (source === undefined) {
    counts.add('gone', dag, { occurrences });
    return to;
  }
  for (const start of starts) {
    if (signal.aborted) return before(start.occurrence, 1);
    try {
      const { outcome, error } = await startForOccurrence(dependencies, { dag, start, source });
      counts.add(outcome, dag, { occurrences: [start.occurrence], error });
    } catch (error) {
      logger.error(
        { dagName: dag.name, occurrence: start.occurrence, error },
        'occurrence could not be settled and will be retried',
      );
      return before(start.occurrence, 1);
    }
  }
  return to;
}
