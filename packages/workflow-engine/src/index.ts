export type { RunJs } from './actions/call/run-js';
export type { SendMail } from './host/mail/mail';
export { createMailSender } from './host/mail/send-mail';
export { maxStateEntries, type StateStore } from './actions/call/state-store';
export { buildDecisions } from './model/run-model/build-decision';
export { createFileBuildCache } from './run/build/file-build-cache';
export { createInstalledTools } from './host/tools/installed-tools';
export type { ToolInstaller } from './host/tools/tool-installer';
export { prepareGitAccess } from './actions/git/git-access';
export { gitEnvironment } from './host/packages/git-environment';
export { createGitProgram } from './host/packages/git-program';
export { createPackageCache } from './host/packages/package-cache';
export type { PackageStore } from './host/packages/package-store';
export { createNpmDriver } from './host/tools/npm-driver';
export { createPackageProgram } from './host/tools/package-program';
export { createPipDriver } from './host/tools/pip-driver';
export { installFromUrl } from './host/tools/url-driver';
export { createFileLocks, type FileLocks } from './host/file-locks/file-locks';
export { confinedPath } from './host/artifacts/confined-path';
export type { ChildRuns } from './run/context/child-runs';
export { createPermits } from './host/concurrency/permits';
export { checkIsolation } from './host/isolation/check-isolation';
export type { IsolationTools } from './host/namespaces/isolation-tools';
export { createNamespaceIsolation } from './host/isolation/namespace-isolation';
export { createLocalCommandExecutor } from './host/local-command/local-command-executor';
export type { LogLimits } from './model/ports/log-limits';
export { logTimesFile, openLogTimes, parseLogMoments, type LogMoment } from './host/logs/log-times';
export { createSpawner, type Spawner } from './host/spawner/spawner';
export { processIdentity } from './host/local-command/process-identity';
export { ownFolderOf, runFolder } from './model/run-model/log-layout';
export { evaluateOutputs } from './values/outputs/evaluate-outputs';
export { outputBytes, type StepOutputs } from './model/run-model/step-outputs';
export { planDag } from './model/plan/plan';
export { stepsToRetry } from './model/plan/retry-steps';
export { planReuse, type ReusePlan } from './model/plan/reuse-plan';
export { unsupportedParts } from './model/plan/unsupported-parts';
export type { Clock } from './model/ports/clock';
export { loadRun, type RunStore } from './model/ports/run-store';
export { systemTimer, type Timer } from './model/ports/timer';
export { minSecretLength } from './values/masking/secret-forms';
export { createSecretReaders, type SecretStores } from './host/secrets/create-secret-readers';
export type { ReadStoredSecret, SecretProviders } from './host/secrets/secret-source';
export type { ReadSecret } from './host/secrets/secret-fields';
export { endOrphans } from './run/end-orphans';
export { executeRun, type ClaimedRun } from './run/execute-run';
export type { RunPorts } from './run/context/run-ports';
export {
  matchesSelector,
  runSelector,
  selectorLabels,
  selectorText,
  type WorkerLabels,
} from './model/run-model/worker-selector';
export { createRun, type RunSource } from './model/run-model/create-run';
export { actorKinds, type RunActor } from './model/run-model/run-actor';
export {
  nodeKey,
  parseNodeKey,
  triggerTypes,
  type DagRun,
  type DagRunStep,
  type DagRunSummary,
  type StepPatch,
  type StoredRun,
} from './model/run-model/dag-run';
export {
  attemptCauses,
  exitCodeOf,
  type AttemptBegin,
  type AttemptEnd,
  type RunAttempt,
} from './model/run-model/run-attempt';
export { runStatusOfEnds } from './scope/loop/status-tally';
export { withReusedSteps } from './model/run-model/reuse-steps';
export { isRunId } from './model/run-model/run-id';
export { ownerTransition } from './model/state-machine/owner-transitions';
export type { RunEvent } from './model/state-machine/run-event';
export type { RunTransition } from './model/state-machine/run-transition';
export { transition } from './model/state-machine/transition';
export { nodeStatus } from './model/statuses/node-status';
export { runStatus, type RunStatus } from './model/statuses/run-status';
export { hostEnvironment } from './values/environment/host-environment';
export { seenEnvironment, withheld, type SeenStep } from './values/run-values/seen-environment';
export { askModel } from './host/models/ask-model';
export type { ModelAccess, ModelMessage, OfferedTool, ToolCall } from './host/models/conversation';
export { maxRunDepth } from './run/children/start-child';
