export type { RunJs } from './actions/js/run-js';
export type { SendMail } from './mail/mail';
export { createMailSender } from './mail/send-mail';
export { maxStateEntries, type StateStore } from './actions/state/state-store';
export { buildDecisions, type BuildDecision } from './run-model/build-decision';
export type { BuildCache } from './build/build-cache';
export { createFileBuildCache } from './build/file-build-cache';
export { createInstalledTools } from './tools/installed-tools';
export type { ToolInstaller } from './tools/tool-installer';
export { prepareGitAccess, webOrigin, type GitAccess } from './actions/git/git-access';
export { gitEnvironment } from './actions/git/git-environment';
export { createGitProgram } from './packages/git-program';
export { createPackageCache } from './packages/package-cache';
export type { PackageStore } from './packages/package-store';
export { createNpmDriver } from './tools/npm-driver';
export { createPackageProgram } from './tools/package-program';
export { createPipDriver } from './tools/pip-driver';
export { installFromUrl } from './tools/url-driver';
export { createFileLocks, type FileLocks } from './file-locks/file-locks';
export { confinedPath } from './artifacts/confined-path';
export type { ChildRuns } from './children/child-runs';
export { createPermits } from './concurrency/permits';
export { checkIsolation } from './isolation/check-isolation';
export type { IsolationTools } from './isolation/isolation-tools';
export { createNamespaceIsolation } from './isolation/namespace-isolation';
export type { StepIsolation } from './isolation/step-isolation';
export { createLocalCommandExecutor } from './local-command/local-command-executor';
export type { LogLimits } from './ports/log-limits';
export { logTimesFile, openLogTimes, parseLogMoments, type LogMoment } from './logs/log-times';
export { createSpawner, type Spawner } from './local-command/spawner/spawner';
export { processIdentity } from './local-command/process-identity';
export { ownFolderOf, runFolder } from './logs/log-layout';
export { evaluateOutputs } from './outputs/evaluate-outputs';
export { outputBytes, type StepOutputs } from './outputs/step-outputs';
export { planDag } from './plan/plan';
export { stepsToRetry } from './plan/retry-steps';
export { planReuse, type EarlierSteps, type ReusePlan } from './plan/reuse-plan';
export { unsupportedParts } from './plan/unsupported-parts';
export type { Clock } from './ports/clock';
export type { RunStore } from './ports/run-store';
export { systemTimer, type Timer } from './ports/timer';
export { minSecretLength } from './masking/secret-forms';
export { createAwsSecretReader, type AwsSecretsAccess } from './secrets/aws-secret';
export { createAzureSecretReader, type AzureSecretsAccess } from './secrets/azure-secret';
export { createGcpSecretReader, type GcpSecretsAccess } from './secrets/gcp-secret';
export { createKubernetesSecretReader, type KubernetesSecretsAccess } from './secrets/kubernetes-secret';
export type { ReadStoredSecret, SecretProviders, SecretReader } from './secrets/secret-source';
export type { ReadSecret } from './secrets/secret-fields';
export { createVaultSecretReader, type VaultAccess } from './secrets/vault-secret';
export { endOrphans } from './run/end-orphans';
export { executeRun, type ClaimedRun } from './run/execute-run';
export type { RunPorts } from './run/run-ports';
export {
  anyWorker,
  matchesSelector,
  runSelector,
  selectorLabels,
  selectorText,
  type WorkerLabels,
} from './run-model/worker-selector';
export { createRun, type RunSource } from './run-model/create-run';
export { actorKinds, type RunActor } from './run-model/run-actor';
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
export {
  attemptCauses,
  exitCodeOf,
  type AttemptBegin,
  type AttemptCause,
  type AttemptEnd,
  type RunAttempt,
} from './run-model/run-attempt';
export { runStatusOfEnds } from './scope/status-tally';
export { withReusedSteps } from './run-model/reuse-steps';
export { isRunId } from './run-model/run-id';
export { ownerTransition } from './state-machine/owner-transitions';
export type { RunTransition } from './state-machine/run-transition';
export { transition } from './state-machine/transition';
export { nodeStatus } from './statuses/node-status';
export { runStatus, type RunStatus } from './statuses/run-status';
export { hostEnvironment, type HostPassthrough } from './environment/host-environment';
export { seenEnvironment, withheld, type SeenEnvironment, type SeenStep } from './environment/seen-environment';
export { askModel } from './models/ask-model';
export type { ModelAccess, ModelMessage, ModelReply, OfferedTool, ToolCall } from './models/conversation';
export { maxRunDepth } from './children/start-child';
