import type { DagRunDiffResponse, DagRunEnvironmentResponse } from '@weir/workflow-contract';
import type { DagRun } from '@weir/workflow-engine';
import type { DagParser } from '../../dag-parser';
import { visibleWorkspaces, type Principal } from '../auth';
import {
  noEarlierRun,
  parseStored,
  presentOutputs,
  type DagRunRepository,
  type RunAddress,
  type RunAddresses,
} from '../dag-runs';
import { compareRuns, type RunSide } from './compare-runs';
import { listFailures, type FailuresQuery } from './list-failures';
import { listEnvironment, type EnvironmentSources } from './run-environment';

export interface RunInsightDependencies extends Pick<EnvironmentSources, 'hostEnvironment' | 'passthrough'> {
  readonly runs: Pick<DagRunRepository, 'scan' | 'listSteps' | 'listFailedSteps' | 'readOutputs'>;
  readonly addresses: Pick<RunAddresses, 'toRead'>;
  readonly parser: DagParser;
}

export interface OtherRun {
  /** Default: the run before. */
  readonly dagRunId: string | undefined;
  /** Default: that of the run. */
  readonly name: string | undefined;
}

export type RunInsightService = ReturnType<typeof createRunInsightService>;

/** What else is known of stored runs. Every operation throws `dag_run_not_found`. */
export function createRunInsightService(dependencies: RunInsightDependencies) {
  const { runs, addresses, parser } = dependencies;

  const readEnvironment = async (run: DagRun) => {
    const [{ dag }, { dag: ownDag }] = await Promise.all([
      parseStored(parser, run),
      parseStored(parser, { ...run, baseTexts: [] }),
    ]);
    return { dag, variables: listEnvironment({ ...dependencies, run, dag, ownDag }) };
  };

  const readSide = async (run: DagRun): Promise<RunSide> => {
    const [steps, published, { variables }] = await Promise.all([
      runs.listSteps(run.id),
      runs.readOutputs(run.id),
      readEnvironment(run),
    ]);
    const environment = variables.filter(({ source, isReplaced }) => source !== 'host' && !isReplaced);
    return { run, steps, environment, outputs: presentOutputs(run, published).outputs };
  };

  const findOther = async (run: DagRun, { dagRunId, name }: OtherRun, principal: Principal): Promise<DagRun> => {
    if (dagRunId !== undefined) return addresses.toRead({ name: name ?? run.dagName, dagRunId }, principal);
    const workspaces = visibleWorkspaces(principal, { kind: 'all' });
    const [before] = await runs.scan({ dagName: name ?? run.dagName, workspaces, after: run, limit: 1 });
    if (before === undefined) throw noEarlierRun(run.dagRunId);
    return addresses.toRead({ name: before.dagName, dagRunId: before.dagRunId }, principal);
  };

  return {
    async compare(address: RunAddress, other: OtherRun, principal: Principal): Promise<DagRunDiffResponse> {
      const to = await addresses.toRead(address, principal);
      const from = await findOther(to, other, principal);
      return compareRuns(await readSide(from), await readSide(to));
    },

    failures: (query: FailuresQuery, principal: Principal) => listFailures(runs, query, principal),

    async environment(address: RunAddress, principal: Principal): Promise<DagRunEnvironmentResponse> {
      const { dag, variables } = await readEnvironment(await addresses.toRead(address, principal));
      return { variables, files: [...(dag.dotenv ?? ['.env'])] };
    },
  };
}
