import { isScalar } from 'yaml';
import type { Entry } from './auth-steps';

/** The text of a value; `undefined` for an expression, whose value only a run knows. */
export function literalOf({ value }: Entry): string | undefined {
  const text = isScalar(value) ? (value.source ?? '') : undefined;
  return text === undefined || text.includes('${{') ? undefined : text;
}
