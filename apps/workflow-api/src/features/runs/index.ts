export { createDagRuns, type DagRuns } from './create-runs';
export {
  presentMissingRun,
  presentMissingRunDetails,
  presentRunDetails,
  presentRunSummary,
  type RunWithSteps,
} from './read/dag-run-presenter';
export { dagRunNotQueued, noEarlierRun, stepNotFound } from './store/dag-run-errors';
export { presentOutputs } from './read/outputs-presenter';
export { bindRerunRoutes } from './rerun/rerun-routes';
export { createRescheduler } from './rerun/rescheduler';
export { listLatestVisible, listRecentVisible } from './read/visible-runs';
export { presentRuns } from './read/present-runs';
export { findRunsWithArtifacts } from './read/has-artifacts';
export { loadParamSchema } from './start/load-param-schema';
export { planRun, type PlannedRun } from './start/plan-run';
export type { DagRunRepository, RunCount, RunPosition } from './store/dag-run-repository';
export type { RunAddress, RunAddresses } from './read/run-addresses';
export type { DagRunService } from './read/dag-run-service';
export { createInMemoryDagRunRepository } from './store/in-memory-dag-run-repository';
export { parseLabelFilter } from './read/label-filter';
export { createPrismaDagRunRepository } from './store/prisma-dag-run-repository';
export type { RunFilter } from './read/run-filter';
export { readCursor, writeCursor } from './read/run-cursor';
export { rfc3339 } from './read/rfc3339';
export { createStartRule, startsAs } from './start/start-rule';
export {
  createRunStarter,
  type ChooseProfile,
  type LocalWorker,
  type StartOptions,
  type ReusedSteps,
  type StartRun,
} from './start/run-starter';
export { createStartCheck, type StartCheck } from './start/check-start';
export { createRunRetrier, type RunRetrier } from './rerun/run-retrier';
export { createRunStopper, type RunStopper } from './stop/run-stopper';
export { createRunWaiter, type WaitForRun } from './wait/wait-for-run';
export { parseStored, readStoredDag } from './store/stored-spec';
export { presentAction, presentCondition, presentStep } from './read/step-presenter';
export { defaultRewind } from './decisions/waiting-step';
export { toRunActor } from './start/run-actor';
