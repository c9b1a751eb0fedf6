export {
  AgentChatRequest,
  AgentMessage,
  AgentSessionDetailResponse,
  AgentUserPrompt,
  AgentUserPromptResponse,
  CreateAgentSessionRequest,
} from './agent-sessions/schemas';
export { AgentConfigResponse, AgentToolInfo, UpdateAgentConfigRequest } from './agent/config-schemas';
export {
  CreateModelConfigRequest,
  ModelConfigResponse,
  ModelPreset,
  ModelProvider,
  ThinkingEffort,
  UpdateModelConfigRequest,
} from './agent/model-schemas';
export { AgentAuthProviderStatus } from './agent/provider-schemas';
export { CreateSoulRequest, SoulResponse, UpdateSoulRequest } from './agent/soul-schemas';
export { ApiKey, apiSurfaces, CreateApiKeyRequest, UpdateApiKeyRequest, type ApiSurface } from './api-keys/schemas';
export { AuditEntry, type AuditProblem, AuditVerification } from './audit/schemas';
export type { CheckJobTokenResponse, JobRule, JobTokenCheck } from './auth/job-sign-in-endpoints';
export { connectionAccesses, type ClientConnection, type ConnectionAccess } from './auth/connection-schemas';
export type { OidcCheck, OidcTestResponse, OidcTestSettings } from './auth/oidc-test-endpoint';
export { LoginRequest, LoginResponse, SignInState } from './auth/schemas';
export { SecondFactor } from './auth/second-factor-schemas';
export { BulkEnd } from './common/bulk';
export { ErrorCode, ErrorResponse } from './common/errors';
export { Pagination } from './common/paging';
export { ArtifactPreviewResponse, ArtifactTreeNode } from './dag-runs/artifact-schemas';
export { RunAttempt, RunAttemptsResponse } from './dag-runs/attempt-schemas';
export { BulkRunItem } from './dag-runs/bulk-endpoint';
export type { DagRunCountsResponse } from './dag-runs/count-endpoint';
export type { EditRetryPreviewResponse } from './dag-runs/edit-retry-endpoints';
export { DagRunExplanation, ExplanationCause, type StartEstimate } from './dag-runs/explanation-schemas';
export { LogLine, LogLinesResponse, LogSearchResponse } from './dag-runs/log-line-schemas';
export type { OpenDecision, OpenDecisionsPageResponse } from './dag-runs/open-decision-endpoint';
export { ChangedValue, DagRunDiffResponse, DagRunEnvironmentResponse } from './dag-runs/run-insight-schemas';
export {
  DagRunDetails,
  DagRunNeighbours,
  DagRunOutputs,
  DagRunSummary,
  Log,
  Node,
  RecentRun,
  SubDagRunDetail,
} from './dag-runs/schemas';
export { Backfill, BackfillPreviewResponse } from './dags/backfill-schemas';
export {
  DagExplanation,
  type DagExplanationCause,
  type SkippedOccurrences,
  type TriggerFile,
} from './dags/dag-explanation-schemas';
export type { DagGridItem } from './dags/history-endpoints';
export { DagRevision } from './dags/revision-schema';
export { Dag, DagDetails, DagEditorHints, DagFile } from './dags/schemas';
export { DocMetadataResponse, DocResponse, DocTreeNodeResponse } from './docs/schemas';
export { CloudEvent, maxEvents, type EventOutcome, type EventsResponse } from './events/cloud-events-endpoint';
export type { EventLogsResponse } from './events/event-log-endpoints';
export type { TopicError } from './events/stream-endpoints';
export {
  CreateEventSubscriptionRequest,
  DeliveryType,
  EventSubscription,
  EventType,
  UpdateEventSubscriptionRequest,
} from './notifications/schemas';
export {
  DeadLettersResponse,
  MoveQueueItemRequest,
  Queue,
  QueuedDagRunsPageResponse,
  QueuePositionResponse,
  QueuesResponse,
  RedriveRequest,
  RedriveResponse,
} from './queues/schemas';
export {
  CalendarRequest,
  CalendarResponse,
  type Holiday,
  maxICalendarBytes,
  ReadICalendarRequest,
  ReadICalendarResponse,
  type Weekday,
  weekdays,
} from './calendars/schemas';
export {
  CreateRemoteNodeRequest,
  remoteNodeAddress,
  type RemoteNodeAuthType,
  remoteNodeAuthTypes,
  type RemoteNodeHealth,
  remoteNodeName,
  RemoteNodeResponse,
  UpdateRemoteNodeRequest,
} from './remote-nodes/schemas';
export { ExecutorConfig, Step } from './run-inputs/step-schemas';
export { RunMatch, SearchMatchItem } from './search/schemas';
export {
  CreateProfileRequest,
  type ProfileDefaultsResponse,
  type ProfileResponse,
  UpdateProfileDefaultsRequest,
  UpdateProfileRequest,
} from './profiles/schemas';
export { CreateSecretRequest, ListedSecret, SecretResponse, UpdateSecretRequest } from './secrets/schemas';
export {
  SyncConfigResponse,
  SyncConfigUpdateRequest,
  SyncItem,
  SyncItemDiffResponse,
  SyncItemKind,
  SyncResultResponse,
  SyncStatus,
  SyncStatusResponse,
} from './sync/schemas';
export { Worker, WorkersListResponse } from './system/schemas';
export { AuthProvider, CreateUserRequest, UpdateUserRequest, User, UserResponse } from './users/schemas';
export type { Session } from './users/session-schemas';
export { WebhookDetails, WebhookRequest, WebhookSettings, WebhookVerification } from './webhooks/schemas';
export { CreateWorkerTokenRequest, WorkerToken } from './worker-tokens/schemas';
export { WorkspaceResponse } from './workspaces/endpoints';
