import type { OidcClaims } from './claims-schema';
import { claimInvalid, claimMissing, oidcFailure } from './oidc-errors';

type Check = readonly [expected: string, holds: (value: unknown) => boolean];

const isText = (value: unknown): value is string => typeof value === 'string';
const text: Check = ['a string', isText];
const requiredText: Check = ['a string that is not empty', (value) => isText(value) && value !== ''];
const numericText: Check = ['a number written as a string', (value) => isText(value) && /^[0-9]{1,20}$/.test(value)];
const time: Check = [
  'a number of seconds since 1970',
  (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
];
const audience: Check = [
  'a string or a list of strings',
  (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
];

const required = ['iss', 'sub', 'aud', 'exp', 'iat'] as const;

const checks: Readonly<Record<string, Check>> = {
  iss: requiredText,
  sub: requiredText,
  aud: audience,
  exp: time,
  iat: time,
  nbf: time,
  jti: text,
  ref: text,
  ref_type: text,
  ref_protected: text,
  sha: text,
  repository: text,
  repository_id: numericText,
  repository_owner: text,
  repository_owner_id: numericText,
  repository_visibility: text,
  run_id: numericText,
  run_number: numericText,
  run_attempt: numericText,
  actor: text,
  actor_id: numericText,
  workflow: text,
  workflow_ref: text,
  workflow_sha: text,
  job_workflow_ref: text,
  job_workflow_sha: text,
  head_ref: text,
  base_ref: text,
  event_name: text,
  environment: text,
  runner_environment: text,
};

/**
 * Parses the decoded payload of an OIDC token of a CI job. `iss`, `sub`, `aud`, `exp` and `iat` are required, known
 * claims must have their type, and unknown claims are unchanged. It does not verify the token: use `verifyOidcToken`.
 *
 * Fails with `unauthenticated` and reason `claims_not_object`, `claim_missing` or `claim_invalid` (details name the
 * claim, never its value).
 */
export function parseClaims(payload: unknown): OidcClaims {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw oidcFailure('claims_not_object', 'The token claims are not a JSON object.');
  }
  for (const claim of required) if (!Object.hasOwn(payload, claim)) throw claimMissing(claim);
  for (const [claim, value] of Object.entries(payload)) {
    const check = Object.hasOwn(checks, claim) ? checks[claim] : undefined;
    if (check !== undefined && !check[1](value)) throw claimInvalid(claim, check[0]);
  }
  // Every property that the type promises was checked above; the compiler cannot follow a table.
  return { ...payload } as OidcClaims;
}
