import { hasErrors } from '@weir/workflow-spec';
import type { RunRetrier, RunStopper, StartRun, WaitForRun } from '../dag-runs';
import { findRunTarget, specInvalid, type DagFiles } from '../dags';
import type { StoredChildRuns } from './placed-children';

export interface ChildRunPorts {
  readonly files: Pick<DagFiles, 'store' | 'serverSpecs'>;
  readonly startRun: StartRun;
  readonly waitForRun: WaitForRun;
  readonly retrier: RunRetrier;
  readonly stopper: RunStopper;
}

/** Runs that steps start, as they are stored. */
export function createChildRuns({ files, startRun, waitForRun, retrier, stopper }: ChildRunPorts): StoredChildRuns {
  return {
    findDag: async (text, folder) => {
      const { store, serverSpecs: specs } = files;
      const target = await findRunTarget(text, { store, specs, workingDirectory: folder });
      if (hasErrors(target.findings)) throw specInvalid(target.findings);
      return target;
    },
    start: startRun,
    retry: async (run, ownerId) => {
      await retrier.retry(run, ownerId === undefined ? {} : { ownerId });
    },
    waitFor: waitForRun,
    stop: async (id) => {
      await stopper.requestStop(id);
    },
  };
}
