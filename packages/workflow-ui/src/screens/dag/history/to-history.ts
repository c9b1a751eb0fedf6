import type { StatusKind } from '@weir/ui-kit';
import type { Schemas } from '../../../api/client';

type Run = Schemas['DAGRunDetails'];

export interface StepHistory {
  readonly name: string;
  /** The cells in the order of the runs; undefined where the step was not in the run, or did not start. */
  readonly cells: readonly (StatusKind | undefined)[];
}

export interface History {
  /** The runs as they are drawn, oldest first. */
  readonly runs: readonly Run[];
  readonly steps: readonly StepHistory[];
}

/** The labels of the statuses of a step; the index of each is its number in the API. */
const stepStatuses: readonly StatusKind[] = [
  'not_started',
  'running',
  'failed',
  'aborted',
  'succeeded',
  'skipped',
  'partially_succeeded',
  'waiting',
  'rejected',
  'retrying',
];

/** Converts the answer of the server to a grid with the newest run at the end. */
export function toHistory({ dagRuns, gridData }: Schemas['GetDAGRunHistoryResponse']): History {
  return {
    runs: [...dagRuns].reverse(),
    steps: gridData.map(({ name, history }) => ({
      name,
      cells: [...history].reverse().map((status) => (status === 0 ? undefined : stepStatuses[status])),
    })),
  };
}
