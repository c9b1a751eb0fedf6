import { isAppError } from '@weir/foundation';
import { decodeClaimsUnverified, matchClaims, type OidcClaims } from '@weir/oidc-claims';
import type { CheckJobTokenResponse, JobTokenCheck } from '@weir/workflow-contract/schemas';
import type { Principal } from '../../access/principal';
import { presentRule } from './present-rule';
import type { TrustedIssuer, TrustRule } from './trust-rules';

export type CheckedToken = CheckJobTokenResponse;

interface Expectations {
  readonly audience: string | readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface VerifyingIssuer extends TrustedIssuer {
  /** Verifies the token as a sign-in does. */
  readonly verify: (expected: Expectations) => Promise<OidcClaims>;
  readonly now: () => number;
  readonly authenticate: (token: string) => Promise<Principal | undefined>;
}

interface CheckedBy {
  readonly token: string;
  /** What the token says its issuer is. */
  readonly issuer: string | undefined;
  /** Missing where nobody trusts the issuer. */
  readonly trusted: VerifyingIssuer | undefined;
}

type Finding = Omit<JobTokenCheck, 'name'>;

const names = ['issuer', 'signature', 'claims', 'audience', 'expiry', 'rules'] as const;
const passed = (message: string): Finding => ({ result: 'passed', message });
const failed = (message: string): Finding => ({ result: 'failed', message });

/**
 * Verifies the token several times, each time as a sign-in does, but as if all but one expectation were met. Claims are
 * shown only of a token whose signature is genuine.
 */
export async function checkJobToken({ token, issuer, trusted }: CheckedBy): Promise<CheckedToken> {
  if (trusted === undefined) {
    const message =
      issuer === undefined ? 'The text is no OIDC token of a job.' : 'The issuer of the token is not trusted here.';
    return present(issuer, { issuer: failed(message) });
  }
  const found = { issuer: passed('The issuer is trusted.') };
  const { audience, now, verify } = trusted;
  const own = ownExpectations(token, trusted);
  const genuine = await attempt(() => verify(own));
  const signature = passed('The token is signed with a key of the issuer.');
  if ('problem' in genuine) {
    const { problem, isSigned } = genuine;
    return present(issuer, {
      ...found,
      ...(isSigned ? { signature, claims: failed(problem) } : { signature: failed(problem) }),
    });
  }

  const forAudience = await attempt(() => verify({ ...own, audience }));
  const forTime = await attempt(() => verify({ ...own, now }));
  const rules = trusted.rules.map((rule) => compare(rule, genuine.claims));
  const first = rules.findIndex(({ matches }) => matches);
  const isAccepted = (await trusted.authenticate(token)) !== undefined;
  return present(
    issuer,
    {
      ...found,
      signature,
      claims: passed('The token has the claims that every token needs.'),
      audience: 'problem' in forAudience ? failed(forAudience.problem) : passed('The token is meant for this server.'),
      expiry: 'problem' in forTime ? failed(forTime.problem) : passed('The token is valid now.'),
      rules: first === -1 ? failed('The token meets no rule.') : passed(`Rule ${first + 1} counts.`),
    },
    { rules, isAccepted },
  );
}

/** What the token itself expects: its audiences, and a time at which it is valid. Its signature is verified with them. */
function ownExpectations(token: string, { audience, now }: VerifyingIssuer): Expectations {
  const { aud, iat, nbf } = decodeClaimsUnverified(token).claims;
  const audiences = [aud].flat().filter((name) => typeof name === 'string' && name !== '') as string[];
  const times = [iat, nbf].filter((time) => typeof time === 'number');
  return {
    audience: audiences.length === 0 ? audience : audiences,
    now: times.length === 0 ? now : () => Math.max(...times) * 1000,
  };
}

/** Claims are looked at only after the signature. */
const afterSignature: ReadonlySet<string> = new Set([
  ...['claim_missing', 'claim_invalid', 'claims_not_object', 'issuer_mismatch', 'audience_mismatch'],
  ...['token_expired', 'token_not_yet_valid', 'token_issued_in_future'],
]);

async function attempt(
  verify: () => Promise<OidcClaims>,
): Promise<{ readonly claims: OidcClaims } | { readonly problem: string; readonly isSigned: boolean }> {
  try {
    return { claims: await verify() };
  } catch (error) {
    if (isAppError(error) && ['unauthenticated', 'upstream_failed', 'upstream_timeout'].includes(error.code))
      return { problem: error.message, isSigned: afterSignature.has(error.reason ?? '') };
    throw error;
  }
}

function compare(rule: TrustRule, claims: OidcClaims): CheckedToken['rules'][number] {
  const { matched, mismatches } = matchClaims(rule.claims, claims);
  const { claims: conditions, role, workspaces } = presentRule(rule);
  return {
    matches: matched,
    claims: conditions.map(({ claim, accepted }) => ({
      claim,
      accepted,
      actual: textsOf(claims[claim]),
      matches: !mismatches.some((mismatch) => mismatch.claim === claim),
    })),
    role,
    workspaces,
  };
}

function textsOf(value: unknown): string[] {
  return value === undefined ? [] : [value].flat().map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
}

function present(
  issuer: string | undefined,
  findings: Partial<Record<JobTokenCheck['name'], Finding>>,
  { rules, isAccepted }: { readonly rules: CheckedToken['rules']; readonly isAccepted: boolean } = {
    rules: [],
    isAccepted: false,
  },
): CheckedToken {
  const skipped: Finding = { result: 'skipped', message: 'Not looked at, because an earlier check failed.' };
  return {
    accepted: isAccepted,
    issuer: issuer ?? null,
    checks: names.map((name) => ({ name, ...(findings[name] ?? skipped) })),
    rules,
  };
}
