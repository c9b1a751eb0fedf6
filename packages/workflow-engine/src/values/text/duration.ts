import { actionFailed } from '../../model/steps/action-errors';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Ten years, as everywhere in the language. */
const maxMs = 315_360_000_000;

/** A setting in milliseconds: seconds as a number, or units one after another such as `1h30m`. */
export function durationMs(setting: string, value: string | number | undefined, defaultMs: number): number {
  if (value === undefined) return defaultMs;
  const found = typeof value === 'number' ? value * 1_000 : parseUnits(value);
  if (found > maxMs) throw actionFailed(`${setting} is longer than ten years.`);
  return found;
}

function parseUnits(text: string): number {
  let total = 0;
  for (const [, amount = '0', unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (unitMs[unit] ?? 0);
  }
  return total;
}
