import { AppError, type ErrorCode } from '@weir/foundation';

/**
 * Every `reason` of this package with its code. `unauthenticated` means that the token is invalid, `upstream_*` that the
 * keys of the issuer are unavailable or invalid, `unavailable` that the caller cancelled, `invalid_request` and
 * `internal` that conditions or options are invalid.
 */
export const oidcFailures = {
  token_too_large: 'unauthenticated',
  token_malformed: 'unauthenticated',
  token_unsupported: 'unauthenticated',
  algorithm_not_allowed: 'unauthenticated',
  signature_invalid: 'unauthenticated',
  signing_key_unknown: 'unauthenticated',
  signing_key_ambiguous: 'unauthenticated',
  issuer_mismatch: 'unauthenticated',
  audience_mismatch: 'unauthenticated',
  token_expired: 'unauthenticated',
  token_not_yet_valid: 'unauthenticated',
  token_issued_in_future: 'unauthenticated',
  claim_missing: 'unauthenticated',
  claim_invalid: 'unauthenticated',
  claims_not_object: 'unauthenticated',
  jwks_unavailable: 'upstream_failed',
  jwks_invalid: 'upstream_failed',
  jwks_too_large: 'upstream_failed',
  jwks_timeout: 'upstream_timeout',
  verification_cancelled: 'unavailable',
  conditions_invalid: 'invalid_request',
  options_invalid: 'internal',
} as const satisfies Record<string, ErrorCode>;

/** The stable reasons of an {@link AppError} of this package. */
export type OidcFailureReason = keyof typeof oidcFailures;

interface FailureOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export function oidcFailure(reason: OidcFailureReason, message: string, options: FailureOptions = {}): AppError {
  return new AppError(oidcFailures[reason], message, { reason, ...options });
}

export function claimMissing(claim: string): AppError {
  return oidcFailure('claim_missing', `The token has no claim "${claim}".`, { details: { claim } });
}

export function claimInvalid(claim: string, expected: string): AppError {
  return oidcFailure('claim_invalid', `The claim "${claim}" is not ${expected}.`, { details: { claim, expected } });
}
