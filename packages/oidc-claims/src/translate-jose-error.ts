import { isAppError, type AppError } from '@weir/foundation';
import { errors } from 'jose';
import { claimInvalid, claimMissing, oidcFailure, type OidcFailureReason } from './oidc-errors';

const byCode: Readonly<Record<string, readonly [OidcFailureReason, string]>> = {
  ERR_JWT_EXPIRED: ['token_expired', 'The token has expired.'],
  ERR_JWT_INVALID: ['token_malformed', 'The token does not hold a JSON object of claims.'],
  ERR_JWS_INVALID: ['token_malformed', 'The string is not a signed JSON web token.'],
  ERR_JOSE_ALG_NOT_ALLOWED: ['algorithm_not_allowed', 'The signature algorithm of the token is not allowed.'],
  ERR_JOSE_NOT_SUPPORTED: ['token_unsupported', 'The token asks for a feature that is not supported.'],
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: ['signature_invalid', "The signature of the token is not the issuer's."],
  ERR_JWKS_NO_MATCHING_KEY: ['signing_key_unknown', 'The issuer has no key that fits the token.'],
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: ['signing_key_ambiguous', 'Several keys of the issuer fit the token.'],
  ERR_JWKS_TIMEOUT: ['jwks_timeout', 'The issuer did not send its keys in time.'],
  ERR_JWKS_INVALID: ['jwks_invalid', "The issuer's key set is malformed."],
};

const byClaim: Readonly<Record<string, readonly [OidcFailureReason, string]>> = {
  iss: ['issuer_mismatch', 'The token comes from another issuer.'],
  aud: ['audience_mismatch', 'The token is meant for another audience.'],
  nbf: ['token_not_yet_valid', 'The token is not valid yet.'],
};

/** Turns what `jwtVerify` or its key source threw into this package's failures. */
export function translateJoseError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (error instanceof errors.JWTClaimValidationFailed) return translateClaimFailure(error);
  const known = error instanceof errors.JOSEError ? byCode[error.code] : undefined;
  if (known !== undefined) return oidcFailure(known[0], known[1], { cause: error });
  // The remaining errors come from the key set: an answer that is not JSON, or a key too weak or broken to be imported.
  return oidcFailure('jwks_invalid', "The issuer's key set cannot be used.", { cause: error });
}

function translateClaimFailure(error: errors.JWTClaimValidationFailed): AppError {
  if (error.reason === 'missing') return claimMissing(error.claim);
  const known = error.reason === 'check_failed' ? byClaim[error.claim] : undefined;
  if (known === undefined) return claimInvalid(error.claim, 'of the type it must have');
  return oidcFailure(known[0], known[1], { details: { claim: error.claim }, cause: error });
}
