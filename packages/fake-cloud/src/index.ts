export { startFakeCloud } from './start-fake-cloud';
export type {
  FakeAccount,
  FakeAwsRole,
  FakeAwsSession,
  FakeAwsUser,
  FakeAzureApp,
  FakeBase,
  FakeCloud,
  FakeCloudOptions,
  FakeRequest,
  FakeSecret,
  FakeSecretKind,
  FakeServiceAccountKey,
  FakeTokens,
} from './fake-cloud';
export type { FakeClaims, FakeService } from './fake-types';
export {
  seededFaultPlan,
  statuses,
  type Fault,
  type FaultPlans,
  type RetryAfter,
  type SeededFaultOptions,
} from './fault-plans';
export { startConnectProxy, type ConnectProxy, type ConnectProxyOptions } from './start-connect-proxy';
export { createTestAuthority, type TestAuthority } from './test-authority';
