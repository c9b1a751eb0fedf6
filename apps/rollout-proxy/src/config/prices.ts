import { z } from 'zod';

/** What calls of some models cost, in any one currency, for a million tokens each. */
export interface Price {
  /** A name, in which `*` stands for any text. */
  readonly models: string;
  readonly input: number;
  /** Of tokens that the engine read from its cache. */
  readonly cachedInput: number;
  readonly output: number;
}

/** The first one that has the name of a model counts. */
export type Prices = readonly Price[];

const maxPrices = 256;
const amount = z.number().min(0).max(1_000_000_000);
const PriceTable = z.record(
  z.string().min(1).max(512),
  z.strictObject({ input: amount, cached_input: amount.optional(), output: amount }),
);

/** A JSON object from names of models to prices. */
export const priceTable = z.string().transform((text, context): Prices => {
  const { data } = PriceTable.safeParse(parseJson(text));
  const entries = Object.entries(data ?? {});
  if (data === undefined || entries.length > maxPrices) {
    context.addIssue({
      code: 'custom',
      message: `must be JSON like {"qwen3-*":{"input":0.2,"cached_input":0.02,"output":0.8}} with at most ${maxPrices} models and amounts from 0`,
    });
    return z.NEVER;
  }
  return entries.map(([models, { input, cached_input: cachedInput = input, output }]) => ({
    models,
    input,
    cachedInput,
    output,
  }));
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function findPrice(prices: Prices, model: string): Price | undefined {
  return prices.find(({ models }) => matchesName(models, model));
}

/** Linear in both: an agent chooses the name. */
function matchesName(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
