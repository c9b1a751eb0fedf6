export { ApiKey, CreateApiKeyRequest, UpdateApiKeyRequest } from './api-keys/schemas';
export { readMemoryLines } from './agent/memory-schemas';
export type { AgentConfigResponse, AgentToolInfo, UpdateAgentConfigRequest } from './agent/config-schemas';
export type {
  CreateModelConfigRequest,
  ModelConfigResponse,
  ModelPreset,
  ModelProvider,
  ThinkingEffort,
  UpdateModelConfigRequest,
} from './agent/model-schemas';
export type { AgentAuthProviderStatus } from './agent/provider-schemas';
export type { CreateSoulRequest, SoulResponse, UpdateSoulRequest } from './agent/soul-schemas';
export {
  AgentMessage,
  AgentUserPrompt,
  type AgentChatRequest,
  AgentSessionDetailResponse,
  type AgentUserPromptResponse,
  type CreateAgentSessionRequest,
} from './agent-sessions/schemas';
export { AuditEntry, type AuditProblem, type AuditVerification } from './audit/schemas';
export {
  maxWebhookPayloadBytes,
  WebhookRequest,
  WebhookVerification,
  type WebhookDetails,
  type WebhookSettings,
} from './webhooks/schemas';
export { BulkEnd } from './common/bulk';
export { LoginRequest, LoginResponse, type SignInState } from './auth/schemas';
export type { OidcCheck, OidcTestResponse, OidcTestSettings } from './auth/oidc-test-endpoint';
export type { SecondFactor } from './auth/second-factor-schemas';
export type { Session } from './users/session-schemas';
export { ErrorCode, ErrorResponse } from './common/errors';
export { maxPerPage, pageRequest, paginate, Pagination, type PageRequest } from './common/paging';
export { workspaceSelection, type WorkspaceQuery, type WorkspaceSelection } from './common/parameters';
export { areas, type Area } from './common/areas';
export { roleIncludes, roles, UserRole } from './common/roles';
export { everyWorkspace, WorkspaceAccess, workspaceAccessProblem } from './common/workspace-access';
export type { WorkspaceResponse } from './workspaces/endpoints';
export {
  maxSecretBytes,
  type CreateSecretRequest,
  type SecretResponse,
  type UpdateSecretRequest,
} from './secrets/schemas';
export type {
  SyncConfigResponse,
  SyncConfigUpdateRequest,
  SyncItem,
  SyncItemDiffResponse,
  SyncItemKind,
  SyncResultResponse,
  SyncStatus,
  SyncStatusResponse,
} from './sync/schemas';
export { workflowContract } from './contract';
export { takesRemoteNode } from './common/takes-remote-node';
export {
  remoteNodeAddress,
  remoteNodeAuthTypes,
  remoteNodeName,
  type CreateRemoteNodeRequest,
  type RemoteNodeAuthType,
  type RemoteNodeHealth,
  type RemoteNodeResponse,
  type UpdateRemoteNodeRequest,
} from './remote-nodes/schemas';
export { objectRoles } from './common/object-roles';
export { ArtifactPreviewResponse, ArtifactTreeNode } from './dag-runs/artifact-schemas';
export { BulkRunItem } from './dag-runs/bulk-endpoint';
export type { DagRunCountsResponse } from './dag-runs/count-endpoint';
export type { RunAttempt, RunAttemptsResponse } from './dag-runs/attempt-schemas';
export type { DagExplanation, DagExplanationCause, SkippedOccurrences } from './dags/dag-explanation-schemas';
export type { DagRunExplanation, ExplanationCause, StartEstimate } from './dag-runs/explanation-schemas';
export type { EditRetryPreviewResponse } from './dag-runs/edit-retry-endpoints';
export type { OpenDecision, OpenDecisionsPageResponse } from './dag-runs/open-decision-endpoint';
export { ChangedValue, DagRunDiffResponse, DagRunEnvironmentResponse } from './dag-runs/run-insight-schemas';
export { LogLine, LogLinesResponse, LogSearchResponse } from './dag-runs/log-line-schemas';
export type { DagGridItem } from './dags/history-endpoints';
export type { SearchMatchItem } from './search/schemas';
export type { EventLogsResponse } from './events/event-log-endpoints';
export type { TopicError } from './events/stream-endpoints';
export type {
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
  DagRunDetails,
  DagRunNeighbours,
  DagRunOutputs,
  DagRunSummary,
  Log,
  Node,
  RecentRun,
  SubDagRunDetail,
} from './dag-runs/schemas';
export type { DagRevision } from './dags/revision-schema';
export { Dag, DagDetails, DagEditorHints, DagFile } from './dags/schemas';
export type { DocMetadataResponse, DocResponse, DocTreeNodeResponse } from './docs/schemas';
export { readHumanTask, type HumanTask } from './dags/human-task';
export { type ExecutorConfig, Step } from './run-inputs/step-schemas';
export { boundedDagSchemaEndpoint, dagSchemaEndpoint } from './system/dag-schema-endpoint';
export { Worker, WorkersListResponse } from './system/schemas';
export {
  AuthProvider,
  CreateUserRequest,
  maxPasswordLength,
  minPasswordLength,
  UpdateUserRequest,
  User,
  UserResponse,
} from './users/schemas';
export { Backfill, BackfillPreviewResponse } from './dags/backfill-schemas';
export {
  type CreateEventSubscriptionRequest,
  type EventSubscription,
  type DeliveryType,
  type EventType,
  type UpdateEventSubscriptionRequest,
} from './notifications/schemas';
