export { createHttpClient, type HttpClient, type HttpClientOptions } from './client/http-client';
export {
  createRolloutClient,
  type Capacity,
  type RolloutClient,
  type RolloutClientOptions,
  type StartOptions,
  type WeightUpdate,
} from './client/rollout-client';
export { updateEngineWeights } from './client/update-engine-weights';
export {
  type ExportOptions,
  type LossWeightRange,
  type RolloutSession,
  type SessionInteraction,
} from './client/rollout-session';
export { agentModes, readRolloutConfig, type AgentMode, type RolloutConfig } from './config/rollout-config';
export { checkScheduler, schedulers, type Scheduler } from './config/scheduler';
export { createRollout, type Rollout, type RolloutOptions } from './create-rollout';
export {
  EpisodeError,
  rejectionReasons,
  type CompletedEpisode,
  type EpisodeOutcome,
  type GroupOutcome,
  type RejectedEpisode,
  type RejectionReason,
  type RolloutOutcome,
} from './episode/outcome';
export { createProxyWorkflow, type ProxyWorkflowOptions } from './episode/proxy-workflow';
export { createGroupedWorkflow, zeroVariance, type GroupFilter, type GroupOptions } from './group/grouped-workflow';
export { type Exported, type ExportedRows } from './load/exported';
export { load, loadRows, type LoadedBatch, type LoadedRow } from './load/load';
export { streamRows } from './load/stream-rows';
export { StalenessControl, type StalenessOptions } from './staleness/staleness-control';
export { createTrainingLog, type Recovered, type TrainingLog, type TrainingLogOptions } from './training/training-log';
export { importPath, type ImportModule, type ImportOptions } from './workflow/import-path';
export { resolveWorkflow, type ResolvedAgent, type ResolveOptions } from './workflow/resolve-workflow';
export { type Agent, type AgentKwargs, type EpisodeContext, type RolloutWorkflow } from './episode/workflow';
