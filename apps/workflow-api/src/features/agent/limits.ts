import type { AgentLimits } from '../agent-settings';

export interface Used {
  readonly steps: number;
  readonly tokens: number;
  readonly cost: number;
}

/** Explains why the model is not asked again; undefined while it may be. */
export function reachedLimit({ steps, tokens, cost }: Used, limits: AgentLimits): string | undefined {
  if (steps >= limits.maxSteps)
    return `The limit of ${limits.maxSteps} steps for one message is reached. Write again to go on.`;
  if (tokens >= limits.maxTokens)
    return `The session has used ${tokens} tokens; its limit is ${limits.maxTokens}. Start a new one.`;
  if (cost >= limits.maxCost) {
    return `The session has cost ${cost.toFixed(2)} US dollars; its limit is ${limits.maxCost}. Start a new one.`;
  }
  return undefined;
}
