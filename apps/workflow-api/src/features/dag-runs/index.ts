export {
  basesOf,
  triggerTypes,
  type RunTrigger,
  type DagRun,
  type DagRunStep,
  type DagRunSummary,
  type RunEnd,
  type StepPatch,
} from './dag-run';
export {
  presentMissingRun,
  presentMissingRunDetails,
  presentRunDetails,
  presentRunSummary,
  type RunWithSteps,
} from './dag-run-presenter';
export { dagNotRunnable, dagRunNotFound } from './dag-run-errors';
export { loadParamSchema } from './load-param-schema';
export type { DagRunRepository, RunScan } from './dag-run-repository';
export { bindDagRunRoutes } from './dag-run-routes';
export { createDagRunService, type DagRunService } from './dag-run-service';
export { createInMemoryDagRunRepository } from './in-memory-dag-run-repository';
export { parseLabelFilter, type LabelFilter } from './label-filter';
export { createPrismaDagRunRepository } from './prisma-dag-run-repository';
export { rfc3339 } from './rfc3339';
export { createRunStarter, type RunSource, type StartOptions, type StartRun } from './run-starter';
export { createRunStopper, type RunStopper } from './run-stopper';
export { presentCondition, presentStep } from './step-presenter';
