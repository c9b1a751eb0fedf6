export { createDagRuns, type DagRuns } from './create-dag-runs';
export {
  presentMissingRun,
  presentMissingRunDetails,
  presentRunDetails,
  presentRunSummary,
  type RunWithSteps,
} from './read/dag-run-presenter';
export { dagRunNotFound } from './dag-run-errors';
export { findRunsWithArtifacts } from './read/has-artifacts';
export { loadParamSchema } from './start/load-param-schema';
export type { DagRunRepository, RunScan } from './storage/dag-run-repository';
export { bindDagRunRoutes } from './read/dag-run-routes';
export { bindDecisionRoutes } from './decision-routes';
export { createDecisionService, type DecisionService } from './decision-service';
export { bindFamilyRoutes } from './read/family-routes';
export { createRunAddresses, type RunAddress, type RunAddresses } from './run-addresses';
export { createDagRunService, type DagRunService } from './read/dag-run-service';
export { createInMemoryRunStore, type InMemoryRunStore } from './storage/in-memory-queue-driver';
export { createInMemoryDagRunRepository } from './storage/in-memory-dag-run-repository';
export { parseLabelFilter, type LabelFilter } from './read/label-filter';
export { createPrismaDagRunRepository } from './storage/prisma-dag-run-repository';
export { rfc3339 } from './read/rfc3339';
export { createRunDispatch, type RunDispatch } from './run-dispatch';
export { createRunStarter, type LocalDispatch, type StartOptions, type StartRun } from './start/run-starter';
export {
  createApprovals,
  type TaskResult,
  type Decision,
  type OpenApproval,
  type Approvals,
} from './approvals/approvals';
export { createRunRetrier, type RetryRequest, type RunRetrier } from './retry/run-retrier';
export { createRunStopper, type RunStopper } from './stop/run-stopper';
export { createRunWaiter, type WaitForRun } from './wait-for-run';
export { parseStored } from './stored-spec';
export { presentCondition, presentStep } from './read/step-presenter';
