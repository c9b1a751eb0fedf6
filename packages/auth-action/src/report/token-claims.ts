import { decodeClaimsUnverified, maxSubjectBytes, subjectByteLength } from '@weir/oidc-claims';

const shown = [
  'aud',
  'repository',
  'repository_id',
  'repository_owner_id',
  'ref',
  'job_workflow_ref',
  'event_name',
  'environment',
] as const;
const maxLength = 300;

export type Claims = Readonly<Record<string, unknown>>;

/** Empty without a token or if the text is not a token. */
export function decodeClaims(token: string | undefined): Claims {
  if (token === undefined) return {};
  try {
    return decodeClaimsUnverified(token).claims;
  } catch {
    return {};
  }
}

/** The `exp` claim of a token; `undefined` if the text is not a token or has no such claim. */
export function readExpiryClaim(token: string): Date | undefined {
  const { exp } = decodeClaims(token);
  const date = new Date(typeof exp === 'number' ? exp * 1000 : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** From `iat` to `exp`; `undefined` if a claim is missing. */
export function readLifetimeSeconds(token: string): number | undefined {
  const { iat, exp } = decodeClaims(token);
  return typeof iat === 'number' && typeof exp === 'number' ? exp - iat : undefined;
}

/** One line for each claim that attribute conditions and mappings typically use. */
export function formatClaims(claims: Claims): readonly string[] {
  const { iss, sub } = claims;
  const length = typeof sub === 'string' ? ` (${subjectByteLength(sub)} bytes of at most ${maxSubjectBytes})` : '';
  return [
    `  iss: ${formatClaim(iss)}`,
    `  sub: ${formatClaim(sub)}${length}`,
    ...shown.map((name) => `  ${name}: ${formatClaim(claims[name])}`),
  ];
}

// JSON keeps any value on one line.
function formatClaim(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value).slice(0, maxLength);
}
