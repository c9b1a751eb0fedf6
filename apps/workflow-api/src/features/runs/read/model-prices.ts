import type { Node } from '@weir/workflow-contract/schemas';
import { costOf, type ModelPrices, type ModelUse } from '@weir/workflow-engine/model';

/** What a model costs in US dollars, as the settings of the agent have it. */
export interface ModelPrice {
  readonly provider: string;
  readonly model: string;
  /** Null for the usual address of the provider. */
  readonly baseUrl: string | null;
  readonly facts: ModelPrices;
}

export function presentModelUse(
  uses: readonly ModelUse[],
  prices: readonly ModelPrice[],
): NonNullable<Node['modelUse']> {
  return uses.map(({ hasOwnAddress, ...use }) => {
    const found = prices.find(
      ({ provider, model, baseUrl }) =>
        provider === use.provider && model === use.model && (baseUrl !== null) === hasOwnAddress,
    );
    const { inputCostPer1M, outputCostPer1M } = found?.facts ?? {};
    if (found === undefined || (inputCostPer1M ?? outputCostPer1M) === undefined) return use;
    return { ...use, cost: costOf(use, found.facts) };
  });
}
