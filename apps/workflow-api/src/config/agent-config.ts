import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import { duration } from './config-values';

/** Settings for sessions of people with the agent. */
export const agentVariables = {
  WEIR_AGENT_SESSIONS: {
    schema: z.coerce.number().int().min(1).max(10_000).default(100),
    defaultText: '`100`',
    description: 'How many sessions with the agent one person has; older ones are deleted: 1 to 10000.',
  },
  WEIR_AGENT_TIMEOUT: {
    schema: duration.refine((seconds) => seconds >= 1 && seconds <= 3600, 'must be from 1s to 1h').default(300),
    defaultText: '`5m`',
    description: 'How long the agent waits for one reply of a model: 1s to 1h.',
  },
} as const satisfies Variables;

export interface AgentConfig {
  readonly agent: { readonly maxAgentSessions: number; readonly agentTimeoutMs: number };
}

export function readAgentConfig(values: VariableValues<typeof agentVariables>): AgentConfig {
  return { agent: { maxAgentSessions: values.WEIR_AGENT_SESSIONS, agentTimeoutMs: values.WEIR_AGENT_TIMEOUT * 1000 } };
}
