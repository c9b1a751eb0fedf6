import type { Bind } from '../bind';
import {
  bindDagRunRoutes,
  bindDecisionRoutes,
  bindFamilyRoutes,
  createDagRunService,
  createDecisionService,
  createRunAddresses,
  createApprovals,
  createRunRetrier,
  createRunStopper,
} from './dag-runs';
import type { RemoveRun } from './retention';
import type { Worker } from './worker';
import type { WorkflowFeaturesOptions, WorkflowStores } from './workflow-features';

export interface RunServiceParts {
  readonly worker: Pick<Worker, 'stopRun'>;
  readonly removeRun: RemoveRun;
  /** Whether the DAGs folder holds a file of this name. */
  readonly hasDagFile: (fileName: string) => Promise<boolean>;
}

/** What is done to runs that are stored, put together. */
export function createRunServices(
  { clock }: Pick<WorkflowFeaturesOptions, 'clock'>,
  { runs, parsers }: Pick<WorkflowStores, 'runs' | 'parsers'>,
  { worker, removeRun, hasDagFile }: RunServiceParts,
) {
  const parser = parsers.forRequests;
  const addresses = createRunAddresses(runs);
  const stopper = createRunStopper({ runs, clock, onRequested: (id) => worker.stopRun(id) });
  const retrier = createRunRetrier({ runs, parser: parsers.forServer, clock });
  const gates = createApprovals({ runs, parser, clock });
  const dagRuns = createDagRunService({ runs, addresses, parser, clock, stopper, hasDagFile });
  const decisions = createDecisionService({ addresses, gates, retrier, removeRun });
  return {
    addresses,
    stopper,
    retrier,
    gates,
    dagRuns,
    bindRunRoutes: (bind: Bind): void => {
      bindDagRunRoutes(bind, dagRuns);
      bindFamilyRoutes(bind, dagRuns);
      bindDecisionRoutes(bind, decisions);
    },
  };
}
