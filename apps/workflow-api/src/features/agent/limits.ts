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

export interface Prices {
  /** US dollars for a million tokens. */
  readonly inputCostPer1M?: number | undefined;
  readonly outputCostPer1M?: number | undefined;
}

/** Returns the cost in US dollars; 0 where prices are not known. */
export function costOf(
  { promptTokens, completionTokens }: { readonly promptTokens: number; readonly completionTokens: number },
  { inputCostPer1M = 0, outputCostPer1M = 0 }: Prices,
): number {
  return (promptTokens * inputCostPer1M + completionTokens * outputCostPer1M) / 1_000_000;
}
