import type { Principal } from '../../auth';
import { stepNotFound } from '../dag-run-errors';
import type { RunAddress, RunAddresses } from '../run-addresses';
import type { DagRunRepository } from '../storage/dag-run-repository';

export interface LogSelection {
  /** The step whose output is meant, or else the handler of this name. Left out, the log of the run. */
  readonly stepName?: string | undefined;
  /** Default: `stdout`. */
  readonly stream?: 'stdout' | 'stderr' | undefined;
}

export interface RunLog {
  /** Absolute path; empty before the step started. */
  readonly file: string;
  /** Under which it is saved. */
  readonly downloadName: string;
}

export type RunLogs = ReturnType<typeof createRunLogs>;

/** Finds the log that a request names. Throws `dag_run_not_found` or `step_not_found`. */
export function createRunLogs({
  runs,
  addresses,
}: {
  readonly runs: Pick<DagRunRepository, 'listAllSteps'>;
  readonly addresses: Pick<RunAddresses, 'toRead'>;
}) {
  return {
    async find(address: RunAddress, selection: LogSelection, principal: Principal): Promise<RunLog> {
      const run = await addresses.toRead(address, principal);
      const { stepName, stream = 'stdout' } = selection;
      const base =
        address.subDAGRunId === undefined
          ? `${run.dagName}-${run.dagRunId}`
          : `${address.name}-${address.dagRunId}-sub-${run.dagRunId}`;
      if (stepName === undefined) return { file: run.logFile, downloadName: toFileName(`${base}-scheduler.log`) };
      const named = (await runs.listAllSteps(run.id)).filter(({ name }) => name === stepName);
      const step = named.find(({ scope }) => scope === '') ?? named.find(({ scope }) => scope.startsWith('on/'));
      if (step === undefined) throw stepNotFound(stepName);
      return {
        file: stream === 'stderr' ? step.stderrFile : step.stdoutFile,
        downloadName: toFileName(`${base}-${stepName}-${stream}.log`),
      };
    },
  };
}

function toFileName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
}
