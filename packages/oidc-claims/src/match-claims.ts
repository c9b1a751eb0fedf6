import { matchesGlob } from './glob';
import { oidcFailure } from './oidc-errors';

/**
 * Required claims: the name of a claim and one accepted text, or a list in which one must match. In a text with `*`,
 * the `*` matches any characters, including `/` and `:`; a text without it must be equal. Case-sensitive.
 */
export type ClaimConditions = Readonly<Record<string, string | readonly string[]>>;

/** A condition that is not met. */
export interface ClaimMismatch {
  readonly claim: string;
  /** `claim_not_comparable`: the claim is an object, null, or a list without text. */
  readonly reason: 'claim_missing' | 'claim_not_comparable' | 'value_mismatch';
  /** The accepted texts and patterns. */
  readonly accepted: readonly string[];
  /** The compared texts of the claim. Empty unless the reason is `value_mismatch`. */
  readonly actual: readonly string[];
}

export interface ClaimMatch {
  /** True if there is at least one condition and all are met. */
  readonly matched: boolean;
  /** The conditions that are not met, in their order. */
  readonly mismatches: readonly ClaimMismatch[];
}

/** Bounds of {@link parseConditions}: conditions, accepted texts per condition, characters per text. */
export const conditionLimits = { conditions: 64, acceptedTexts: 256, textLength: 1024 } as const;

/**
 * Reads conditions from configuration or a request body. Refuses what would match everything or nothing by
 * accident: no conditions, an empty list, an empty text, a text over the limits.
 *
 * Fails with `invalid_request` and reason `conditions_invalid`.
 */
export function parseConditions(value: unknown): ClaimConditions {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('Conditions are not a map.');
  const entries = Object.entries(value);
  if (entries.length === 0) throw invalid('Conditions are empty.');
  if (entries.length > conditionLimits.conditions) throw invalid('There are too many conditions.');
  return Object.fromEntries(entries.map(([claim, accepted]) => [claim, parseAccepted(claim, accepted)]));
}

/**
 * Compares claims with conditions. All must be met; a missing claim never matches, and an empty set of conditions
 * matches nothing, so that a missing configuration admits no token. Numbers and booleans are compared as JSON text; one
 * element of a list (`aud`) must match. Takes time linear in conditions plus claims; never throws.
 */
export function matchClaims(conditions: ClaimConditions, claims: Readonly<Record<string, unknown>>): ClaimMatch {
  const entries = Object.entries(conditions);
  const mismatches = entries.flatMap(([claim, accepted]) => {
    const mismatch = compare(claim, typeof accepted === 'string' ? [accepted] : accepted, claims);
    return mismatch === undefined ? [] : [mismatch];
  });
  return { matched: entries.length > 0 && mismatches.length === 0, mismatches };
}

function compare(
  claim: string,
  accepted: readonly string[],
  claims: Readonly<Record<string, unknown>>,
): ClaimMismatch | undefined {
  if (!Object.hasOwn(claims, claim) || claims[claim] === undefined) {
    return { claim, reason: 'claim_missing', accepted, actual: [] };
  }
  const actual = comparableTexts(claims[claim]);
  if (actual.length === 0) return { claim, reason: 'claim_not_comparable', accepted, actual };
  const fits = actual.some((text) => accepted.some((pattern) => matchesGlob(pattern, text)));
  return fits ? undefined : { claim, reason: 'value_mismatch', accepted, actual };
}

function comparableTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (Array.isArray(value)) return value.filter((element): element is string => typeof element === 'string');
  return [];
}

function parseAccepted(claim: string, value: unknown): string | readonly string[] {
  if (claim === '') throw invalid('A condition has no claim name.');
  if (isAcceptedText(value)) return value;
  if (Array.isArray(value) && value.length > 0 && value.length <= conditionLimits.acceptedTexts) {
    if (value.every(isAcceptedText)) return [...value];
  }
  throw invalid(
    `The condition on "${claim.slice(0, 64)}" is neither a string of 1 to ${conditionLimits.textLength} characters nor a ` +
      `list of 1 to ${conditionLimits.acceptedTexts} of them.`,
  );
}

const isAcceptedText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= conditionLimits.textLength;

const invalid = (message: string) => oidcFailure('conditions_invalid', message);
