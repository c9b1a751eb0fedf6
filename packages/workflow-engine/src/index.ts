export type { Clock } from './clock';
export {
  captureOutput,
  type CaptureCommand,
  type Captured,
  type CaptureOptions,
} from './executors/local-command/capture-output';
export { createLocalCommandExecutor } from './executors/local-command/local-command-executor';
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
export { planDag, type Plan } from './plan';
export { runDag, type RunDagOptions, type RunOutcome } from './run-dag';
export { isRunId, newRunId, type RandomBytes, type RunIdSource } from './run-id';
export { createRunState, type RunState } from './run-state';
export {
  canMoveNode,
  canMoveRun,
  dependencyGate,
  isActiveNode,
  isActiveRun,
  isFineNode,
  isNodeStatus,
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
  type NodeStatus,
  type NodeStatusNumber,
  type RunStatus,
  type RunStatusNumber,
  type StepEnd,
} from './statuses';
export { hostEnvironment, type HostPassthrough } from './host-environment';
export { runVariables, type Environment, type RunFacts } from './run-variables';
export { runEnvironment, stepEnvironment, type RunEnvironmentSources } from './step-environment';
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
  StepStarting,
} from './step-ports';
export { chooseShell, type StepShell } from './step-shell';
export { unrunnableParts } from './unrunnable';
