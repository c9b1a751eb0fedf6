export {
  nodeKey,
  triggerTypes,
  type RunTrigger,
  type DagRun,
  type DagRunStep,
  type DagRunSummary,
  type Lease,
  type PushBack,
  type RunEnd,
  type StepGate,
  type StepPatch,
  type StepScope,
  type StoredRun,
} from './dag-run';
export {
  presentMissingRun,
  presentMissingRunDetails,
  presentRunDetails,
  presentRunSummary,
  type RunWithSteps,
} from './dag-run-presenter';
export { dagNotRunnable, dagRunNotFound } from './dag-run-errors';
export { runsWithArtifacts } from './has-artifacts';
export { loadParamSchema } from './load-param-schema';
export type { DagRunRepository, GateSettlement, Requeue, RunScan } from './dag-run-repository';
export { bindDagRunRoutes } from './dag-run-routes';
export { bindDecisionRoutes } from './decision-routes';
export { createDecisionService, type DecisionService } from './decision-service';
export { bindFamilyRoutes } from './family-routes';
export { createRunAddresses, type RunAddress, type RunAddresses } from './run-addresses';
export { createDagRunService, type DagRunService } from './dag-run-service';
export { createInMemoryRunStore, type InMemoryRunStore } from './in-memory-queue-driver';
export { createInMemoryDagRunRepository } from './in-memory-dag-run-repository';
export { parseLabelFilter, type LabelFilter } from './label-filter';
export { createPrismaDagRunRepository } from './prisma-dag-run-repository';
export { rfc3339 } from './rfc3339';
export {
  createRunStarter,
  type BeginAtOnce,
  handlerScope,
  newStep,
  type RunSource,
  type StartOptions,
  type StartRun,
} from './run-starter';
export { createRunGates, type CompletedTask, type Decision, type OpenGate, type RunGates } from './run-gates';
export { createRunRetrier, unbegun, type RetryRequest, type RunRetrier } from './run-retrier';
export { createRunStopper, type RunStopper } from './run-stopper';
export { parseStored } from './stored-dag';
export { presentCondition, presentStep } from './step-presenter';
