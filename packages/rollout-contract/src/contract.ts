import * as adapters from './adapters/endpoints';
import { grantCapacity } from './capacity/endpoints';
import * as browserSessions from './reading/browser-session-endpoints';
import * as reading from './reading/endpoints';
import * as sessions from './sessions/endpoints';
import {
  continueGeneration,
  getHealth,
  getModel,
  getOpenApiJson,
  getReady,
  getVersion,
  listModels,
  pauseGeneration,
  setVersion,
  settleReplica,
  updateWeights,
} from './system/endpoints';
import { scoreSession } from './scoring/endpoints';
import * as trajectories from './trajectories/endpoints';

/** Every control operation of the rollout proxy, by name. The model protocols are specified by their vendors. */
export const rolloutContract = {
  grantCapacity,
  ...sessions,
  ...trajectories,
  scoreSession,
  ...reading,
  ...browserSessions,
  pauseGeneration,
  continueGeneration,
  setVersion,
  updateWeights,
  settleReplica,
  ...adapters,
  getVersion,
  listModels,
  getModel,
  getHealth,
  getReady,
  getOpenApiJson,
} as const;
