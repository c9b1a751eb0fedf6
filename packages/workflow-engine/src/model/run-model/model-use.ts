/** What was asked of one model. */
export interface ModelUse {
  readonly provider: string;
  readonly model: string;
  /** Whether it was asked at an address of the step, not at the usual one of the provider. */
  readonly hasOwnAddress: boolean;
  /** With those that were read from the cache of the provider. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** One entry for each model, in the order of their first use. */
export function addUpModelUse(uses: readonly ModelUse[]): readonly ModelUse[] {
  const sums = new Map<string, ModelUse>();
  for (const use of uses) {
    const key = JSON.stringify([use.provider, use.model, use.hasOwnAddress]);
    const { inputTokens = 0, outputTokens = 0, cachedTokens = 0 } = sums.get(key) ?? {};
    sums.set(key, {
      ...use,
      inputTokens: inputTokens + toCount(use.inputTokens),
      outputTokens: outputTokens + toCount(use.outputTokens),
      cachedTokens: cachedTokens + toCount(use.cachedTokens),
    });
  }
  return [...sums.values()];
}

/** US dollars for a million tokens. */
export interface ModelPrices {
  readonly inputCostPer1M?: number | undefined;
  /** As much as other input where it is missing. */
  readonly cachedInputCostPer1M?: number | undefined;
  readonly outputCostPer1M?: number | undefined;
}

/** Returns the cost in US dollars; 0 where prices are not known. */
export function costOf(
  { inputTokens, outputTokens, cachedTokens }: Pick<ModelUse, 'inputTokens' | 'outputTokens' | 'cachedTokens'>,
  { inputCostPer1M = 0, cachedInputCostPer1M = inputCostPer1M, outputCostPer1M = 0 }: ModelPrices,
): number {
  const cached = Math.min(cachedTokens, inputTokens);
  const input = (inputTokens - cached) * inputCostPer1M + cached * cachedInputCostPer1M;
  return (input + outputTokens * outputCostPer1M) / 1_000_000;
}

/** Servers may say anything. */
function toCount(tokens: number): number {
  return Number.isInteger(tokens) && tokens >= 0 && tokens <= maxTokens ? tokens : 0;
}

const maxTokens = 1_000_000_000;
