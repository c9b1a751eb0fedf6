export { createContractClient, type ContractClient } from './create-contract-client';
export { endProcessesOf } from './end-processes-of';
export { freePort } from './free-port';
export { createManualClock, type ManualClock } from './manual-clock';
export {
  createRecordingLogger,
  type LogEntry,
  type LogLevel,
  type RecordingLogger,
  type StructuralLogger,
} from './recording-logger';
export { createSeededIds } from './seeded-ids';
export { createSeededRandom } from './seeded-random';
export { startHostedProgram, type HostedProgramOptions } from './program-host';
export {
  compiledCode,
  spawnProcess,
  type ProcessExit,
  type SpawnedProcess,
  type SpawnProcessOptions,
  type StopOptions,
} from './spawn-process';
export { mailServerCertificate } from './mail-server-certificate';
export { signInAtProvider } from './sign-in-at-provider';
export { startIdentityProvider, type IdentityProvider, type IdentityProviderOptions } from './start-identity-provider';
export { startImapServer, type ImapServerOptions, type StoredMail, type TestImapServer } from './start-imap-server';
export { startMailServer, type MailServerOptions, type ReceivedMail, type TestMailServer } from './start-mail-server';
export { startGitHost, type GitHost, type GitHostOptions } from './start-git-host';
export { missingForDockerEngine, startDockerEngine, type TestDockerEngine } from './start-docker-engine';
export { missingSshd, startSshHost, type SshHost } from './start-ssh-host';
export { startModelServer, type ModelCall, type ModelServer, type ScriptedReply } from './start-model-server';
export { startPostgres, type StartPostgresOptions, type TestDatabase, type TestPostgres } from './start-postgres';
export {
  startTraceCollector,
  type ReceivedSpan,
  type TestTraceCollector,
  type TraceCollectorOptions,
} from './start-trace-collector';
export { startSecretStores, type SecretStores } from './start-secret-stores';
export { findObjectStore, startObjectStore, type ObjectStore } from './start-object-store';
export { startClusterDouble, type ClusterDouble, type FakeJob } from './start-cluster-double';
export { temporaryFolder, type TemporaryFolder } from './temporary-folder';
export { waitFor, type WaitForOptions } from './wait-for';
export { openEvents, type OpenedEvents, type ReceivedEvent } from './open-events';
export { hostileModelRequests } from './hostile-requests';
export type { HostileRequest } from './hostile-requests/hostile-request';
export { readShellBlocks, runPage, type PageResult, type RunPageOptions } from './run-page';
export { describeUnless } from './describe-unless';
export { enclosedProgram, missingForEnclosedProgram } from './network-enclosure';
export { createResponseHolds, type ResponseHolds } from './response-holds';
export { watchdog, type Watchdog } from './watchdog';
