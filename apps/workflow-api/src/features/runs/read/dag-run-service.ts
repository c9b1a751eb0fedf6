import {
  readAgentMemo,
  type StepOutputs,
  type DagRun,
  type DagRunSummary,
  type Clock,
} from '@weir/workflow-engine/model';
import { findAgent } from '@weir/workflow-spec';
import type { Requester } from '../../../access/audited-operation';
import type { DagParser } from '../../../dag-parser';
import { canSee } from '../../../access/access-rules';
import type { Principal } from '../../../access/principal';
import { listDagRuns, type RunListQuery, type RunPage } from './dag-run-list';
import type { ModelPrice } from './model-prices';
import type { RunWithSteps } from './dag-run-presenter';
import type { DagRunRepository } from '../store/dag-run-repository';
import { countDagRuns, type RunCountsQuery } from './run-counts';
import type { RunFiles } from '../../../run-files';
import { hasArtifacts } from './has-artifacts';
import type { RunAddress, RunAddresses } from './run-addresses';
import type { RunStopper } from '../stop/run-stopper';
import { findLatestVisible } from './visible-runs';
import { readStoredDag } from '../store/stored-spec';

export interface DagRunServiceDependencies {
  readonly runs: DagRunRepository;
  readonly addresses: RunAddresses;
  readonly parser: DagParser;
  readonly clock: Clock;
  readonly stopper: RunStopper;
  readonly runFiles: Pick<RunFiles, 'view'>;
  /** Whether the DAGs folder has a file of this name. */
  readonly hasDagFile: (fileName: string) => Promise<boolean>;
  readonly listModelPrices: () => Promise<readonly ModelPrice[]>;
}

export type DagRunService = ReturnType<typeof createDagRunService>;

/** Every operation on one run throws `dag_run_not_found`. */
export function createDagRunService(dependencies: DagRunServiceDependencies) {
  const { runs, addresses, clock, stopper } = dependencies;
  return {
    list: (query: RunListQuery, principal: Principal): Promise<RunPage> =>
      listDagRuns({ runs, clock }, query, principal),

    count: (query: RunCountsQuery, principal: Principal) => countDagRuns({ runs, clock }, query, principal),

    details: async (address: RunAddress, principal: Principal): Promise<RunWithSteps> =>
      withSteps(dependencies, await addresses.toRead(address, principal), principal),

    /** Returns the latest run that the principal may see, with its steps. */
    async findLatest(dagName: string, principal: Principal): Promise<RunWithSteps | undefined> {
      const run = await findLatestVisible(runs, dagName, principal);
      return run === undefined ? undefined : withSteps(dependencies, run, principal);
    },

    /** Lists the child runs that the principal may see, oldest first. */
    async children(address: RunAddress, principal: Principal): Promise<readonly DagRunSummary[]> {
      return visibleChildren(runs, await addresses.toRead(address, principal), principal);
    },

    async outputs(address: RunAddress, principal: Principal) {
      const run = await addresses.toRead(address, principal);
      const published: ReadonlyMap<number, StepOutputs> = await runs.readOutputs(run.id);
      return { run, published };
    },

    /** Also throws `role_missing` or `not_running`. */
    async stop(address: RunAddress, { principal, audit }: Requester): Promise<void> {
      await stopper.stop(await addresses.toChange(address, principal), audit);
    },

    /** Also throws `role_missing` or `not_queued`. */
    async dequeue(address: RunAddress, { principal, audit }: Requester): Promise<void> {
      await stopper.dequeue(await addresses.toChange(address, principal), audit);
    },

    spec: async (address: RunAddress, principal: Principal): Promise<string> =>
      (await addresses.toRead(address, principal)).specText,
  };
}

/** A run without a workspace may have child runs in workspaces. */
async function visibleChildren(
  runs: Pick<DagRunRepository, 'listChildren'>,
  { id }: Pick<DagRun, 'id'>,
  principal: Principal,
): Promise<readonly DagRunSummary[]> {
  return (await runs.listChildren(id)).filter(({ workspace }) => canSee(principal, workspace ?? undefined));
}

async function withSteps(
  { runs, parser, runFiles, hasDagFile, listModelPrices }: DagRunServiceDependencies,
  run: DagRun,
  principal: Principal,
): Promise<RunWithSteps> {
  const { id, rootId, parentId, fileName } = run;
  const [nodes, children, root, parent, hasSourceFile, artifactsAvailable] = await Promise.all([
    runs.listAllSteps(id),
    visibleChildren(runs, run, principal),
    rootId === null ? undefined : runs.findById(rootId),
    parentId === null ? undefined : runs.findById(parentId),
    fileName === null ? false : hasDagFile(fileName),
    hasArtifacts(runFiles, run),
  ]);
  const dag = await readStoredDag({ parser, runs }, run);
  const prices = nodes.some(({ modelUse }) => modelUse !== null) ? await listModelPrices() : [];
  const agent = findAgent(dag) && readAgentMemo((await runs.readMemos(id)).get(0));
  return { run, nodes, dag, hasSourceFile, artifactsAvailable, root, parent, children, prices, agent };
}
