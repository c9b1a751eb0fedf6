import type { OverlapPolicy, Schedule } from '@weir/workflow-spec';
import type { DagEntry } from '../dags';

export interface ScheduledDag {
  readonly fileName: string;
  readonly name: string;
  readonly workspace: string | null;
  readonly start: readonly Schedule[];
  readonly stop: readonly Schedule[];
  readonly restart: readonly Schedule[];
  /** The time for which missed occurrences are caught up; 0 for no catch-up. */
  readonly catchupMs: number;
  readonly overlap: OverlapPolicy;
  readonly isSkippedAfterSuccess: boolean;
  readonly restartWaitMs: number;
}

/** Returns `undefined` for a DAG without schedules and for a file with errors. */
export function toScheduledDag({ fileName, dag, errors }: DagEntry): ScheduledDag | undefined {
  if (errors.length > 0) return undefined;
  const { schedule: start, stopSchedule: stop = [], restartSchedule: restart = [] } = dag;
  if (start.length + stop.length + restart.length === 0) return undefined;
  return {
    fileName,
    name: dag.name,
    workspace: dag.workspace ?? null,
    start,
    stop,
    restart,
    catchupMs: (dag.catchupWindowSec ?? 0) * 1000,
    overlap: dag.overlapPolicy ?? 'skip',
    isSkippedAfterSuccess: dag.skipIfSuccessful ?? false,
    restartWaitMs: (dag.restartWaitSec ?? 0) * 1000,
  };
}
