export type { Clock } from './clock';
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
export {
  hostEnvironment,
  runVariables,
  stepEnvironment,
  type Environment,
  type StepEnvironmentOptions,
  type StepRunFacts,
} from './step-environment';
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
