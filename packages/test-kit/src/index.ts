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
export {
  spawnProcess,
  type ProcessExit,
  type SpawnedProcess,
  type SpawnProcessOptions,
  type StopOptions,
} from './spawn-process';
export { mailServerCertificate } from './mail-server-certificate';
export { startMailServer, type MailServerOptions, type ReceivedMail, type TestMailServer } from './start-mail-server';
export { missingForDockerEngine, startDockerEngine, type TestDockerEngine } from './start-docker-engine';
export { startPostgres, type StartPostgresOptions, type TestDatabase, type TestPostgres } from './start-postgres';
export { temporaryFolder, type TemporaryFolder } from './temporary-folder';
export { waitFor, type WaitForOptions } from './wait-for';
export { startFakeEngine } from './fake-engine/start-fake-engine';
export type {
  FakeAnswer,
  FakeCall,
  FakeEngine,
  FakeEngineDialect,
  FakeEngineOptions,
  FakeEngineRequest,
  FakeFaults,
  FakeScript,
} from './fake-engine/fake-engine-types';
export { hostileModelRequests } from './hostile-requests';
export type { HostileRequest } from './hostile-requests/hostile-request';
export { leaks, runSteps } from './runner-driver';
export type {
  ActionStep,
  Annotation,
  Condition,
  InspectStep,
  JobView,
  Leak,
  LeakOptions,
  LeftoverFile,
  ProgramStep,
  RunnerEvent,
  RunnerResult,
  RunnerStep,
  RunStepsOptions,
  StepResult,
} from './runner-driver';
export { startFakeCloud } from './fake-cloud/start-fake-cloud';
export type {
  FakeAccount,
  FakeBase,
  FakeClaims,
  FakeCloud,
  FakeCloudOptions,
  FakeRequest,
  FakeSecret,
  FakeSecretKind,
  FakeService,
  FakeServiceAccountKey,
  FakeTokens,
} from './fake-cloud/fake-cloud-types';
export {
  seededFaultPlan,
  statuses,
  type Fault,
  type FaultPlans,
  type RetryAfter,
  type SeededFaultOptions,
} from './fake-cloud/fault-plans';
export { startConnectProxy, type ConnectProxy, type ConnectProxyOptions } from './fake-cloud/start-connect-proxy';
export { createTestAuthority, type TestAuthority } from './fake-cloud/test-authority';
export { describeUnless } from './describe-unless';
