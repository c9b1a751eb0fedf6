import type { Bind } from '../../bind';
import { createListeners } from '../../adapters/listeners';
import { createActingClients, type ActingClientPorts } from './acting-client';
import { bindSessionRoutes } from './session-routes';
import { createSessionService, type SessionServicePorts } from './session-service';
import { createTurns, type TurnsPorts } from './turns';

export type AgentPorts = Omit<TurnsPorts, 'onChange'> &
  ActingClientPorts &
  Pick<SessionServicePorts, 'maxAgentSessions'>;

/** Sessions of people with a model that uses tools. */
export interface Agent {
  bindRoutes(bind: Bind): void;
  /** Calls the listener with the id of each session that this process changes. */
  onSessionChange(listener: (sessionId: string) => void): () => void;
  /** Ends the work on sessions; what is stored of them stays. */
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
