import type { DagRun, RunSource } from '@weir/workflow-engine/model';
import type { Requester } from '../../../access/audited-operation';
import { canSee, requireRole } from '../../../access/access-rules';
import type { DagParser } from '../../../dag-parser';
import { dagRunNotFound } from '../store/dag-run-errors';
import type { RunAddress, RunAddresses } from '../read/run-addresses';
import type { StartOptions, StartRun } from '../start/run-starter';
import { startsAs } from '../start/start-rule';
import { parseStored } from '../store/stored-spec';
import { optionsOfRun } from './rerun-options';

export interface ReschedulerDependencies {
  readonly addresses: RunAddresses;
  readonly parser: DagParser;
  readonly startRun: StartRun;
  /** Reads the present DAG file. Throws `dag_not_found`, `dag_unreadable` or `spec_invalid`. */
  readonly readFile: (fileName: string) => Promise<RunSource>;
}

export interface RescheduleRequest extends Pick<StartOptions, 'dagRunId'> {
  readonly dagName?: string | undefined;
  readonly useCurrentDagFile: boolean;
}

export type Rescheduler = ReturnType<typeof createRescheduler>;

/** Queues new runs like existing ones. */
export function createRescheduler({ addresses, parser, startRun, readFile }: ReschedulerDependencies) {
  const readStored = async (run: DagRun): Promise<RunSource> => {
    const { specText, baseTexts, fileName, dagName } = run;
    return { dag: (await parseStored(parser, run)).dag, specText, baseTexts, fileName: fileName ?? dagName };
  };
  return {
    /** Returns the id of the new run. Throws `dag_run_not_found`, `role_missing`, and the errors of `readFile` and `StartRun`. */
    async reschedule(
      address: RunAddress,
      request: RescheduleRequest,
      { principal, audit }: Requester,
    ): Promise<string> {
      const run = await addresses.toRead(address, principal);
      requireRole(principal, run.workspace ?? undefined, 'operator');
      const { dagName, dagRunId, useCurrentDagFile } = request;
      const source = useCurrentDagFile ? await readFile(run.fileName ?? run.dagName) : await readStored(run);
      const { workspace } = source.dag;
      // The file may belong to another workspace now.
      if (!canSee(principal, workspace)) throw dagRunNotFound(address.name, address.dagRunId);
      requireRole(principal, workspace, 'operator');
      const dag = { ...source.dag, name: dagName ?? run.dagName };
      const options = { ...optionsOfRun(run), dagRunId, ...startsAs(principal), audit };
      const created = await startRun({ ...source, dag }, options);
      return created.dagRunId;
    },
  };
}
