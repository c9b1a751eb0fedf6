export type { Clock } from './clock';
export {
  captureOutput,
  type CaptureCommand,
  type Captured,
  type CaptureOptions,
} from './executors/local-command/capture-output';
export type { ActionCall, ActionDependencies, ActionExecutor } from './executors/actions/action-executor';
export { createActionExecutors, processActions, runnableActions } from './executors/actions/action-executors';
export type { Pause } from './executors/actions/pause';
export { createLocalCommandExecutor } from './executors/local-command/local-command-executor';
export { readLogTail } from './executors/local-command/log-files';
export { endOrphan, type OrphanEnd } from './executors/local-command/end-orphan';
export { processIdentity } from './executors/local-command/process-identity';
export type {
  CommandContext,
  CommandOutcome,
  LocalCommandExecutor,
  LocalCommandOptions,
  StepCommand,
} from './executors/local-command/step-command';
export {
  folderNameOfDag,
  runFolderName,
  runLogLayout,
  stepOutputFile,
  type RunLogLayout,
  type RunLogOptions,
  type StepLogFiles,
} from './log-layout';
export { collectOutputs, type OutputCollection, type OutputPlaces } from './outputs/collect-outputs';
export { evaluateOutputs, type OutputAnswer, type OutputRequest, type SelectJson } from './outputs/evaluate-outputs';
export { collectsOutputs, outputBytes, type NamedOutput, type StepOutputs } from './outputs/step-outputs';
export { upstreamOf } from './outputs/upstream';
export { planDag, type Plan } from './plan';
export { runDag, type RunDagOptions, type RunOutcome } from './run-dag';
export { runOutcomeOf, type RunTally, type StopReason } from './run-tally';
export { isRunId, newRunId, type RandomBytes, type RunIdSource } from './run-id';
export { createRunState, type BlockedStep, type RunState } from './run-state';
export {
  canMoveNode,
  canMoveRun,
  dependencyGate,
  isAbortedRun,
  isActiveNode,
  isActiveRun,
  isDeclinedRun,
  isFineNode,
  isNodeStatus,
  isQueuedRun,
  isRunningNode,
  isRunningRun,
  isRunStatus,
  isSuccessfulNode,
  isSuccessfulRun,
  isTerminalNode,
  isTerminalRun,
  isUnstartedNode,
  nodeStatuses,
  nodeStatusNumber,
  nodeStatusOfNumber,
  runStatuses,
  runStatusNumber,
  runStatusOfNumber,
  type DependencyGate,
  type NodeEnd,
  type NodeStatus,
  type NodeStatusNumber,
  type RunStatus,
  type RunStatusNumber,
  type StepEnd,
} from './statuses';
export { hostEnvironment, type HostPassthrough } from './host-environment';
export { runVariables, type Environment, type RunFacts } from './run-variables';
export { runEnvironment, stepEnvironment, type RunEnvironmentSources } from './step-environment';
export type { CheckContext, CheckResult, RetryCounts, StepChecks } from './step-checks';
export type {
  ProcessIdentity,
  RunRecorder,
  StepChange,
  StepContext,
  StepEnded,
  StepExecutor,
  StepNotStarted,
  StepOutcome,
  StepProcessStarted,
  StepRetrying,
  StepStarting,
  StepTurnEnded,
} from './step-ports';
export { chooseShell, type StepShell } from './step-shell';
export { withinTimeLimit } from './time-limit';
export { systemTimer, type Timer } from './timer';
export { unrunnableParts } from './unrunnable';
