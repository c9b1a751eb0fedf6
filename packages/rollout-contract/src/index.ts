export { type AdaptersResponse, type AdapterSummary, SessionAdapter } from './adapters/schemas';
export { keyKinds, type KeyKind } from './common/access';
export { CapacityResponse } from './capacity/endpoints';
export { ErrorResponse } from './common/errors';
export { ignoredFields } from './common/ignored';
export { rolloutContract } from './contract';
export { Model, UpdateWeightsRequest } from './system/endpoints';
export {
  BrowserSession,
  ModelUsage,
  SearchMatch,
  SearchResponse,
  ServiceStatus,
  SessionChanges,
  TaskSummary,
  TasksResponse,
} from './reading/overview-schemas';
export { ConversationMessage } from './reading/conversation-schemas';
export { ForestNode, ForestResponse, RowsResponse, TrainingRow } from './reading/forest-schemas';
export {
  AlternativesResponse,
  InteractionDetail,
  PathSegment,
  TokenAlternatives,
  TokensResponse,
} from './reading/interaction-schemas';
export { metricsEndpoint } from './system/metrics-endpoint';
export {
  InteractionSummary,
  ModelTokens,
  Recording,
  SessionDetail,
  SessionState,
  SessionsListResponse,
  SessionSummary,
  SetLossWeightRequest,
  SetRewardRequest,
  StartSessionRequest,
} from './sessions/schemas';
export { ScoreSessionResponse } from './scoring/endpoints';
export {
  discountRules,
  exportFormats,
  ExportedInteraction,
  ExportRequest,
  ExportResponse,
  exportStyles,
  WireTensor,
} from './trajectories/schemas';
