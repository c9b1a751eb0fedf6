import type { DagRunSummary } from '@weir/workflow-engine/model';
import type { DagRunRepository } from '../runs';
import { listOccurrenceRunIds } from '../scheduler';

/** Returns the runs of occurrences of a DAG, started in any way, by the time of the occurrence. */
export async function findOccurrenceRuns(
  runs: Pick<DagRunRepository, 'listByRunIds'>,
  dagName: string,
  occurrences: readonly Date[],
): Promise<ReadonlyMap<number, DagRunSummary>> {
  const ids = new Map(
    occurrences.flatMap((at) => listOccurrenceRunIds(dagName, at).map((id) => [id, at.getTime()] as const)),
  );
  const found = await runs.listByRunIds(dagName, [...ids.keys()]);
  return new Map([...found].map(([id, run]) => [ids.get(id) ?? 0, run]));
}
