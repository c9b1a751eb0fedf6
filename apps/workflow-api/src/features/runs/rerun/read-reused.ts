import { AppError } from '@weir/foundation';
import { planReuse, type DagRun, type DagRunStep, type ReusePlan } from '@weir/workflow-engine/model';
import type { Dag } from '@weir/workflow-spec';
import type { DagParser } from '../../../dag-parser';
import { parseStored } from '../store/stored-spec';
import type { DagRunRepository } from '../store/dag-run-repository';
import type { ReusedSteps } from '../start/run-starter';

export interface ReuseDependencies {
  readonly runs: Pick<DagRunRepository, 'listSteps' | 'readOutputs' | 'findById'>;
  readonly parser: DagParser;
}

export interface Comparison extends ReusePlan {
  /** The steps of the run. */
  readonly rows: readonly DagRunStep[];
}

/** Finds what a new run of this DAG may keep of an earlier one. */
export async function compareWithRun(
  { runs, parser }: ReuseDependencies,
  run: DagRun,
  { steps }: Dag,
): Promise<Comparison> {
  const [{ dag: earlier }, rows] = await Promise.all([parseStored(parser, run), runs.listSteps(run.id)]);
  return { ...planReuse(steps, { steps: earlier.steps, rows }), rows };
}

/** Reads these steps of a run with their outputs. Throws `dag_run_active` when it was retried since it was read. */
export async function readReused(
  { runs }: ReuseDependencies,
  run: DagRun,
  steps: ReadonlyMap<number, DagRunStep>,
): Promise<ReusedSteps> {
  const outputs = await runs.readOutputs(run.id);
  if ((await runs.findById(run.id))?.attempt !== run.attempt) throw runActive(run);
  const kept = [...steps].flatMap(([index, { position }]) => {
    const found = outputs.get(position);
    return found === undefined ? [] : [[index, found] as const];
  });
  return { steps, outputs: new Map(kept) };
}

export function runActive({ dagRunId }: DagRun): AppError {
  return new AppError('conflict', `The run "${dagRunId}" is active.`, { reason: 'dag_run_active' });
}
