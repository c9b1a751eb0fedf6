import type { Node } from '@weir/workflow-contract/schemas';
import type { ModelUse } from '@weir/workflow-engine/model';

/** What a model costs in US dollars, as the settings of the agent have it. */
export interface ModelPrice {
  readonly provider: string;
  readonly model: string;
  /** Null for the usual address of the provider. */
  readonly baseUrl: string | null;
  readonly facts: { readonly inputCostPer1M?: number; readonly outputCostPer1M?: number };
}

export function presentModelUse(
  uses: readonly ModelUse[],
  prices: readonly ModelPrice[],
): NonNullable<Node['modelUse']> {
  return uses.map(({ hasOwnAddress, ...use }) => {
    const cost = costOf({ hasOwnAddress, ...use }, prices);
    return cost === undefined ? use : { ...use, cost };
  });
}

/** Tokens from a cache cost as much as others: the settings have one price. */
function costOf(use: ModelUse, prices: readonly ModelPrice[]): number | undefined {
  const found = prices.find(
    ({ provider, model, baseUrl }) =>
      provider === use.provider && model === use.model && (baseUrl !== null) === use.hasOwnAddress,
  );
  const { inputCostPer1M: input, outputCostPer1M: output } = found?.facts ?? {};
  if (input === undefined && output === undefined) return undefined;
  return (use.inputTokens * (input ?? 0) + use.outputTokens * (output ?? 0)) / 1_000_000;
}
