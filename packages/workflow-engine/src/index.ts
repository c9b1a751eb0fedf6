export type { RunJs } from './actions/js/run-js';
export { maxStateEntries, type StateStore } from './actions/state/state-store';
export { confinedPath } from './artifacts/confined-path';
export type { ChildRuns } from './children/child-runs';
export { createPermits } from './concurrency/permits';
export { createLocalCommandExecutor } from './local-command/local-command-executor';
export type { LogLimit } from './logs/log-limit';
export { createSpawner, type Spawner } from './local-command/spawner/spawner';
export { processIdentity } from './local-command/process-identity';
export { runFolder } from './logs/log-layout';
export { evaluateOutputs } from './outputs/evaluate-outputs';
export { outputBytes, type StepOutputs } from './outputs/step-outputs';
export { planDag } from './plan/plan';
export { stepsToRetry } from './plan/retry-steps';
export { unsupportedParts } from './plan/unsupported-parts';
export type { Clock } from './ports/clock';
export type { RunStore } from './ports/run-store';
export { systemTimer, type Timer } from './ports/timer';
export { endOrphans } from './run/end-orphans';
export { executeRun } from './run/execute-run';
export type { RunPorts } from './run/run-ports';
export { createRun, type RunSource } from './run-model/create-run';
export {
  nodeKey,
  parseNodeKey,
  triggerTypes,
  type DagRun,
  type DagRunStep,
  type DagRunSummary,
  type StepPatch,
  type StoredRun,
} from './run-model/dag-run';
export { runStatusOfEnds } from './scope/status-tally';
export { isRunId } from './run-model/run-id';
export { ownerTransition } from './state-machine/owner-transitions';
export type { RunTransition } from './state-machine/run-transition';
export { transition } from './state-machine/transition';
export { nodeStatus } from './statuses/node-status';
export { runStatus, type RunStatus } from './statuses/run-status';
