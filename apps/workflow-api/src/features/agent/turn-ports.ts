import type { Logger } from '@weir/service-kit';
import type { WorkflowClient } from '@weir/workflow-client';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { AgentSettings } from '../agent-settings';
import type { SessionRepository } from './session-repository';

/** Everything that the work on a session uses. */
export interface TurnPorts {
  readonly agentSessions: SessionRepository;
  readonly agentSettings: AgentSettings;
  /** Limits the time of one reply of a model. */
  readonly agentTimeoutMs: number;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly logger: Logger;
}

/** One claim of a session. */
export interface Turn {
  readonly sessionId: string;
  readonly fence: number;
  /** Calls the API with the rights that the person has at the time of the call. */
  readonly client: WorkflowClient;
  /** Aborted when the session is cancelled or lost, and when the server stops. */
  readonly signal: AbortSignal;
}
