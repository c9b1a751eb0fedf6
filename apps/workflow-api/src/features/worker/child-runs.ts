import type { ChildRuns } from '@weir/workflow-engine';
import { hasErrors } from '@weir/workflow-spec';
import type { RunDispatch, RunRetrier, RunStopper, StartRun, WaitForRun } from '../dag-runs';
import { findRunTarget, specInvalid, type DagFiles } from '../dags';

export interface ChildRunPorts {
  readonly files: Pick<DagFiles, 'store' | 'serverSpecs'>;
  readonly startRun: StartRun;
  readonly waitForRun: WaitForRun;
  readonly dispatch: Pick<RunDispatch, 'executeStored'>;
  readonly retrier: RunRetrier;
  readonly stopper: RunStopper;
}

/** Runs that steps start, executed by the worker of the step. */
export function createChildRuns({ files, startRun, waitForRun, dispatch, retrier, stopper }: ChildRunPorts): ChildRuns {
  return {
    findDag: async (text, folder) => {
      const { store, serverSpecs: specs } = files;
      const target = await findRunTarget(text, { store, specs, workingDirectory: folder });
      if (hasErrors(target.findings)) throw specInvalid(target.findings);
      return target;
    },
    start: startRun,
    execute: ({ id }) => dispatch.executeStored(id),
    retry: async (run, ownerId) => {
      await retrier.retry(run, { ownerId });
      return { ended: dispatch.executeStored(run.id, run.fencingToken + 1) };
    },
    waitFor: waitForRun,
    stop: async (id) => {
      await stopper.requestStop(id);
    },
  };
}
