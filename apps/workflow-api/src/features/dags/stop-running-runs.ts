import { isAppError } from '@weir/foundation';
import { runStatus, type DagRunSummary } from '@weir/workflow-engine';
import type { Audited } from '../../access/audited-operation';
import type { DagRunRepository, RunStopper } from '../runs';

export interface StopRunningDependencies extends Audited {
  readonly runs: Pick<DagRunRepository, 'scan'>;
  readonly stopper: Pick<RunStopper, 'stop'>;
}

const pageSize = 500;

/** Requests the running runs of a DAG in the allowed workspaces to end. Returns a sentence for each that could not be stopped. */
export async function stopRunningRuns(
  { runs, stopper, audit }: StopRunningDependencies,
  dagName: string,
  mayStopIn: (workspace: string | undefined) => boolean,
): Promise<readonly string[]> {
  const scan = {
    dagName,
    statuses: runStatus.all.filter(runStatus.isRunning),
    workspaces: { unassigned: true, named: 'all' },
    limit: pageSize,
  } as const;
  const errors: string[] = [];
  for (let after: DagRunSummary | undefined; ;) {
    const page = await runs.scan({ ...scan, after });
    for (const run of page) {
      if (!mayStopIn(run.workspace ?? undefined)) continue;
      // A run that has ended meanwhile needs no stop.
      await stopper.stop(run, audit).catch((error: unknown) => {
        if (!isAppError(error)) throw error;
        if (error.reason !== 'not_running') errors.push(error.message);
      });
    }
    after = page.at(-1);
    if (page.length < pageSize) return errors;
  }
}
