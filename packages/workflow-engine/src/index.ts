export type { Clock } from './ports/clock';
export { captureOutput, type CaptureCommand, type Captured, type CaptureOptions } from './local-command/capture-output';
export {
  maxStateEntries,
  type StateChange,
  type StateDeleted,
  type StateEntry,
  type StateOwner,
  type StateKeyspace,
  type StateSet,
  type StateStore,
  type StateValue,
} from './actions/state/state-store';
export { confinedPath, type ConfinedPath, type ConfinedPathOptions } from './artifacts/confined-path';
export type { JsResult, JsCall, JsCallContext, JsPrinted, RunJs } from './actions/js/run-js';
export type { Pause } from './actions/pause';
export {
  createContainerExecutor,
  openRunContainer,
  type ContainerSource,
  type ContainerStep,
  type ContainerStepExecutor,
  type RunContainer,
} from './container/container-executor';
export { usesContainers } from './container/container-parts';
export { removeRunContainers, type RunOfContainers } from './container/remove-run-containers';
export { createLocalCommandExecutor } from './local-command/local-command-executor';
export { createSpawner, type Spawner } from './local-command/spawner/spawner';
export { readLogTail } from './local-command/log-files';
export { endOrphan, type OrphanEnd } from './local-command/end-orphan';
export { processIdentity } from './local-command/process-identity';
export type {
  CommandContext,
  CommandOutcome,
  LocalCommandExecutor,
  LocalCommandOptions,
  StepCommand,
} from './local-command/step-command';
export {
  dagFolderName,
  runFolderName,
  runLogLayout,
  stepLogLayout,
  stepOutputFile,
  type RunLogLayout,
  type RunLogOptions,
  type StepLogFiles,
} from './logs/log-layout';
export {
  composeRunMail,
  composeStepMail,
  type RunMailDetails,
  type RunMailStep,
  type RunMailText,
} from './mail/compose-run-mail';
export type { Mail, MailAttachment, SendMail } from './mail/mail';
export { resolveMailServer } from './mail/mail-server-access';
export { runMailKind } from './mail/run-mail-kind';
export { createMailSender, type MailTimes } from './mail/send-mail';
export { createMasker, type Masker } from './masking/masker';
export { maskCheck, maskOutcome, withMaskedChanges } from './masking/mask-outcome';
export type { MaskingStream } from './masking/masking-stream';
export { minSecretLength } from './masking/secret-forms';
export { collectOutputs, type OutputCollection, type OutputContext } from './outputs/collect-outputs';
export { evaluateOutputs, type OutputResult, type OutputRequest, type SelectJson } from './outputs/evaluate-outputs';
export { collectsOutputs, outputBytes, type NamedOutput, type StepOutputs } from './outputs/step-outputs';
export { outputStreams, streamCopies } from './outputs/stream-copies';
export { findUpstream } from './outputs/upstream';
export { planDag, type Plan } from './plan/plan';
export { isRunReleased, executeSteps } from './scope/execute-steps';
export type { StepLoopOptions, ScopeOutcome } from './scope/step-loop-options';
export { stepsToRetry, type RetryChoice } from './plan/retry-steps';
export { hasStarted, mayRestart, type StepSnapshot } from './scope/step-snapshot';
export { deriveRunStatus, type StatusTally, type StopReason } from './scope/status-tally';
export type { OwnerEvent, RunEvent, RunState } from './state-machine/run-event';
export type { RunTransition } from './state-machine/run-transition';
export { ownerTransition } from './state-machine/owner-transitions';
export { transition } from './state-machine/transition';
export { isRunId, newRunId, type RandomBytes, type RunIdSource } from './run-model/run-id';
export { createScopeState, type BlockedStep, type ScopeState } from './scope/scope-state';
export { nodeStatus, type NodeStatus } from './statuses/node-status';
export { runStatus, type RunStatus } from './statuses/run-status';
export { hostEnvironment, type HostPassthrough } from './environment/host-environment';
export { runVariables, type Environment, type RunInfo } from './environment/run-variables';
export { runEnvironment, stepEnvironment, type RunEnvironmentSources } from './environment/step-environment';
export type { CheckContext, CheckResult, RetryLimits, StepChecks } from './scope/step-checks';
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
  StepIterationEnded,
  StepWaiting,
} from './scope/step-ports';
export { chooseShell, type StepShell } from './environment/step-shell';
export { withinTimeLimit } from './steps/time-limit';
export { computeDelayMs } from './scope/attempt-delay';
export { systemTimer, type Timer } from './ports/timer';
export { unsupportedParts } from './plan/unsupported-parts';
export {
  nodeKey,
  parseNodeKey,
  triggerTypes,
  type DagRun,
  type DagRunStep,
  type DagRunSummary,
  type Lease,
  type PushBack,
  type RunEnd,
  type RunTrigger,
  type StepDecisions,
  type StepPatch,
  type StepScope,
  type StoredRun,
} from './run-model/dag-run';
export { handlerScope, newStep, pendingStep } from './run-model/new-step';
export { type ChildRuns } from './children/child-runs';
export { createPermits, type Permits } from './concurrency/permits';
export { executeRun } from './run/execute-run';
export type { RunPorts } from './run/run-ports';
export { endOrphans, type EndOrphansPorts } from './run/end-orphans';
export { isLeaseLost } from './run/lease-lost';
export { dagNotRunnable } from './plan/unsupported-parts';
export type { RunStore } from './ports/run-store';
