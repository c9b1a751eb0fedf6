import { maxSubjectBytes, subjectByteLength } from '@weir/oidc-claims';
import { claimLines, type Claims } from './token-claims';

type Details = Readonly<Record<string, unknown>>;

// The exchange tells its refusals apart in the sentence alone.
const sentences: readonly (readonly [RegExp, string])[] = [
  [
    /attribute condition/i,
    "The provider's attribute condition refuses these claims. Compare every claim it names with the list above: case counts, and repository is owner/name.",
  ],
  [
    /mapped attribute|attribute mapping|google\.subject/i,
    'The attribute mapping gives no usable subject. Map google.subject to a claim of the list above that is there and short enough.',
  ],
  [
    /audience/i,
    "The audience is not one that the provider allows. Name it in the provider's allowed audiences, or leave the input audience empty.",
  ],
  [
    /issuer/i,
    "The provider expects another issuer. Set its issuer URI to the iss above; servers of one's own have their own.",
  ],
  [
    /invalid_target|not found|does not exist|disabled/i,
    'Check that the provider and its pool exist, are enabled, and that workload_identity_provider has the number of their project.',
  ],
  [/expired|stale|in the future|not yet valid/i, 'The times in the token do not fit: check the clock of the runner.'],
];

/** What the refused token says, and what may be wrong with it. */
export function exchangeHints(claims: Claims, details: Details): readonly string[] {
  const answer = `${String(details.googleReason)} ${String(details.description)}`;
  const [, sentence] = sentences.find(([pattern]) => pattern.test(answer)) ?? [];
  const hints = [sentence, longSubjectHint(claims), calledWorkflowHint(claims)].filter((hint) => hint !== undefined);
  const hasClaims = Object.keys(claims).length > 0;
  return hasClaims ? ['The token of this job says:', ...claimLines(claims), ...hints] : hints;
}

function longSubjectHint({ sub }: Claims): string | undefined {
  if (typeof sub !== 'string' || subjectByteLength(sub) <= maxSubjectBytes) return undefined;
  return `The subject is longer than the ${maxSubjectBytes} bytes that google.subject may have. Map google.subject to something shorter, such as assertion.repository_id + ":" + assertion.ref.`;
}

function calledWorkflowHint({ workflow_ref: started, job_workflow_ref: own }: Claims): string | undefined {
  if (typeof started !== 'string' || typeof own !== 'string' || started === own) return undefined;
  return 'The job is part of a called workflow: a condition on job_workflow_ref has to name that one, not the one that was started.';
}
