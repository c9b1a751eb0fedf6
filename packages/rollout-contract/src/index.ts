export { keyKinds, type KeyKind } from './common/access';
export { CapacityResponse } from './capacity/endpoints';
export { ErrorResponse } from './common/errors';
export { ignoredFields } from './common/ignored';
export { rolloutContract } from './contract';
export { Model, UpdateWeightsRequest } from './system/endpoints';
export { metricsEndpoint } from './system/metrics-endpoint';
export {
  InteractionSummary,
  SessionDetail,
  SessionState,
  SessionSummary,
  SetRewardRequest,
  StartSessionRequest,
} from './sessions/schemas';
export {
  discountRules,
  exportFormats,
  ExportedInteraction,
  ExportRequest,
  ExportResponse,
  exportStyles,
  WireTensor,
} from './trajectories/schemas';
