import { decodeClaimsUnverified, maxSubjectBytes, subjectByteLength } from '@weir/oidc-claims';

const shown = ['aud', 'repository', 'ref', 'job_workflow_ref', 'event_name', 'environment'] as const;
const maxLength = 300;

export type Claims = Readonly<Record<string, unknown>>;

/** Empty where there is no token, or it is not one. */
export function claimsOf(token: string | undefined): Claims {
  if (token === undefined) return {};
  try {
    return decodeClaimsUnverified(token).claims;
  } catch {
    return {};
  }
}

/** When the token ends by its own word; undefined where it is none, or does not say. */
export function expiryClaimOf(token: string): Date | undefined {
  const { exp } = claimsOf(token);
  const date = new Date(typeof exp === 'number' ? exp * 1000 : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** What the token says, a line for each claim that conditions and mappings are mostly about. */
export function claimLines(claims: Claims): readonly string[] {
  const { iss, sub } = claims;
  const length = typeof sub === 'string' ? ` (${subjectByteLength(sub)} bytes of at most ${maxSubjectBytes})` : '';
  return [
    `  iss: ${show(iss)}`,
    `  sub: ${show(sub)}${length}`,
    ...shown.map((name) => `  ${name}: ${show(claims[name])}`),
  ];
}

// One line and bounded, whatever is in it.
function show(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value).slice(0, maxLength);
}
