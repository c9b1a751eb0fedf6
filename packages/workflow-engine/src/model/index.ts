/** The rules of runs without anything that executes: the same for a server, a worker and a command. */

export { nodeStatus } from './statuses/node-status';
export { runStatus, type RunStatus } from './statuses/run-status';

export {
  maxRunDepth,
  nodeKey,
  parseNodeKey,
  triggerTypes,
  type DagRun,
  type DagRunStep,
  type DagRunSummary,
  type StepDecisions,
  type StepPatch,
  type StoredRun,
} from './run-model/dag-run';
export {
  attemptCauses,
  exitCodeOf,
  type AttemptBegin,
  type AttemptEnd,
  type RunAttempt,
} from './run-model/run-attempt';
export type { ProfileLayer } from './run-model/profile-layer';
export { createRun, type RunSource } from './run-model/create-run';
export { isRunId } from './run-model/run-id';
export { actorKinds, type RunActor } from './run-model/run-actor';
export { outputBytes, type StepOutputs } from './run-model/step-outputs';
export { buildDecisions } from './run-model/build-decision';
export {
  readAgentMemo,
  settleTasks,
  type AgentChoice,
  type AgentDecision,
  type AgentMemo,
} from './run-model/agent-memo';
export { addUpModelUse, costOf, type ModelPrices, type ModelUse } from './run-model/model-use';
export { ownFolderOf, runFolder } from './run-model/log-layout';
export {
  matchesSelector,
  runSelector,
  selectorLabels,
  selectorText,
  type WorkerLabels,
} from './run-model/worker-selector';

export { transition } from './state-machine/transition';
export { ownerTransition } from './state-machine/owner-transitions';
export type { RunEvent } from './state-machine/run-event';
export type { RunTransition } from './state-machine/run-transition';

export { planDag } from './plan/plan';
export { unsupportedParts } from './plan/unsupported-parts';
export { stepsToRetry } from './plan/retry-steps';
export { planReuse, type ReusePlan } from './plan/reuse-plan';
export { isLeftOut, withOnlySteps, withReusedSteps } from './run-model/reuse-steps';

export type { Clock } from './ports/clock';
export { systemTimer, type Timer } from './ports/timer';
export { loadRun, type RunStore } from './ports/run-store';
export type { LogLimits } from './ports/log-limits';
