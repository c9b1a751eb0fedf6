/** Executes runs on this machine. The rules of runs are the entrance `@weir/workflow-engine/model`. */

export { executeRun, type ClaimedRun } from './run/execute-run';
export { endOrphans } from './run/end-orphans';
export type { RunPorts } from './run/context/run-ports';
export type { ChildRuns } from './run/context/child-runs';
export { dagInOtherWorkspace, mayCall } from './run/children/call-rule';
export { toLocalSource } from './run/children/child-source';
export type { StepCallAnswer, StepCallRequest } from './run/children/step-calls';
export type { RunJs } from './actions/call/run-js';
export { maxStateEntries, type StateStore } from './actions/call/state-store';

export { createLocalHost, type LocalHost, type LocalHostOptions, type PackageSource } from './run/local-host';
export { closeFolders } from './host/namespaces/closed-folders';
export { checkIsolation } from './host/isolation/check-isolation';
export type { IsolationTools } from './host/namespaces/isolation-tools';
export { createSpawner, type Spawner } from './host/spawner/spawner';
export { createPermits } from './host/concurrency/permits';
export { processIdentity } from './host/local-command/process-identity';
export { confinedPath } from './host/artifacts/confined-path';
export { logTimesFile, openLogTimes, parseLogMoments, type LogMoment } from './host/logs/log-times';
export { createMailSender } from './host/mail/send-mail';
export type { SendMail } from './host/mail/mail';
export { askModel } from './host/models/ask-model';
export type { ModelAccess, ModelMessage, OfferedTool, ToolCall } from './host/models/conversation';
export { findObjects, type FoundObject } from './actions/s3/find-objects';
export { prepareGitAccess } from './actions/git/git-access';
export { gitEnvironment } from './host/packages/git-environment';

export { createSecretReaders, type SecretStores } from './host/secrets/create-secret-readers';
export type { ReadProfileSecret } from './host/secrets/resolve-profile-secrets';
export { resolveSecrets } from './host/secrets/resolve-secrets';
export type { ReadSecret } from './host/secrets/secret-fields';
export type { ReadStoredSecret, SecretProviders } from './host/secrets/secret-source';
export { minSecretLength } from './values/masking/secret-forms';

export { evaluateOutputs } from './values/outputs/evaluate-outputs';
export { runStatusOfEnds } from './scope/loop/status-tally';
export { hostEnvironment } from './values/environment/host-environment';
export { seenEnvironment, withheld, type SeenStep } from './values/run-values/seen-environment';
