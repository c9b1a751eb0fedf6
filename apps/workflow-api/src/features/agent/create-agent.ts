import type { Logger } from '@weir/service-kit';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { AgentSettings } from '../agent-settings';
import type { AuditTrail } from '../audit';
import type { SessionRepository } from './session-repository';
import type { Bind } from '../../access/bind';
import { createListeners } from '../../adapters/listeners';
import { createActingClients, type ActingClientPorts } from './acting-client';
import { bindSessionRoutes } from './session-routes';
import { createSessionService } from './session-service';
import { createTurns } from './turns';

export interface AgentPorts extends Pick<ActingClientPorts, 'loadApp'> {
  readonly agentSessions: SessionRepository;
  readonly agentSettings: AgentSettings;
  readonly agentTimeoutMs: number;
  readonly maxAgentSessions: number;
  readonly audit: AuditTrail;
  /** Binds the operations that the agent's tools call. */
  readonly bindRoutes: (bind: Bind) => void;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: RandomSource;
  readonly logger: Logger;
}

/** Sessions of people with a model that uses tools. */
export interface Agent {
  bindRoutes(bind: Bind): void;
  /** Calls the listener with the id of each session that this process changes. */
  onSessionChange(listener: (sessionId: string) => void): () => void;
  /** Ends the work on sessions; their stored messages stay. */
  stop(): Promise<void>;
}

export function createAgent(ports: AgentPorts): Agent {
  const changes = createListeners<string>();
  const onChange = (sessionId: string): void => changes.announce(sessionId);
  const turns = createTurns({ ...ports, onChange });
  const sessions = createSessionService({ ...ports, turns, onChange, createActingClient: createActingClients(ports) });
  return {
    bindRoutes: (bind) => bindSessionRoutes(bind, sessions, ports.clock),
    onSessionChange: (listener) => changes.subscribe(listener),
    stop: () => turns.stop(),
  };
}
