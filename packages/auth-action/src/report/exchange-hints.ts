import { maxSubjectBytes, subjectByteLength, subjectForms } from '@weir/oidc-claims';
import { formatClaims, type Claims } from './token-claims';

type Details = Readonly<Record<string, unknown>>;

// The token service distinguishes its errors only in their texts.
const sentences: readonly (readonly [RegExp, string])[] = [
  [
    /attribute condition/i,
    'The attribute condition of the provider rejects these claims. Compare each claim in the condition with the list above: values are case-sensitive, and repository is owner/name.',
  ],
  [
    /mapped attribute|attribute mapping|google\.subject/i,
    'The attribute mapping results in no usable subject. Map google.subject to a claim of the list above that is present and short enough.',
  ],
  [
    /audience/i,
    'The provider does not allow this audience. Add it to the allowed audiences of the provider, or leave the input audience empty.',
  ],
  [
    /issuer/i,
    'The provider expects another issuer. Set its issuer URI to the iss above. GitHub Enterprise Server has an issuer of its own.',
  ],
  [
    /invalid_target|not found|does not exist|disabled/i,
    'Check that the provider and its pool exist and are enabled, and that workload_identity_provider contains the number of their project.',
  ],
  [
    /expired|stale|in the future|not yet valid/i,
    'The token is expired or not yet valid: check the clock of the runner.',
  ],
];

/** The claims of the rejected token, and which of them may be the cause. */
export function exchangeHints(claims: Claims, details: Details): readonly string[] {
  const answer = `${String(details.googleReason)} ${String(details.description)}`;
  const [, sentence] = sentences.find(([pattern]) => pattern.test(answer)) ?? [];
  const hints = [sentence, subjectFormHint(claims), longSubjectHint(claims), calledWorkflowHint(claims)].filter(
    (hint) => hint !== undefined,
  );
  const hasClaims = Object.keys(claims).length > 0;
  return hasClaims ? ['The OIDC token of this job contains:', ...formatClaims(claims), ...hints] : hints;
}

/** Conditions are copied from pages and from other repositories, whose subjects may have the other form. */
function subjectFormHint(claims: Claims): string | undefined {
  const { names, ids } = subjectForms(claims) ?? {};
  if (ids === undefined) return undefined;
  return claims.sub === ids
    ? `The subject has the ids of the repository, as in all that were created or renamed since July 2026. A condition for ${names} does not match it: write ${ids}.`
    : `The subject has no ids, as in repositories from before July 2026 that were not renamed since. A condition for ${ids} does not match it: write ${names} or, where the cloud allows it, a condition on repository_id.`;
}

function longSubjectHint({ sub }: Claims): string | undefined {
  if (typeof sub !== 'string' || subjectByteLength(sub) <= maxSubjectBytes) return undefined;
  return `The subject is longer than the ${maxSubjectBytes} bytes that google.subject allows. Map google.subject to a shorter value, such as assertion.repository_id + ":" + assertion.ref.`;
}

function calledWorkflowHint({ workflow_ref: started, job_workflow_ref: own }: Claims): string | undefined {
  if (typeof started !== 'string' || typeof own !== 'string' || started === own) return undefined;
  return 'The job belongs to a reusable workflow: a condition on job_workflow_ref must name that workflow, not the one that called it.';
}
