import { isAppError, type AppError } from '@weir/errors';
import type { Settings } from '../settings';
import type { Workflow } from '../workflow';
import { exchangeHints } from './exchange-hints';
import { failureTexts } from './failure-texts';
import { readJobFacts, type JobFacts } from './job-facts';
import { permissionHints, secretHints } from './permission-hints';
import { roleHints } from './role-hints';
import { claimsOf } from './token-claims';

export interface FailureContext {
  readonly env: Workflow['env'];
  /** `undefined` where the inputs themselves are wrong. */
  readonly settings: Settings | undefined;
  /** The one that was exchanged last, if any. */
  readonly oidcToken: string | undefined;
}

/** What failed, the likely cause and the next step, as one text of several lines. Never holds a secret. */
export function describeFailure(error: unknown, context: FailureContext): string {
  if (!isAppError(error)) {
    return 'The action failed in a way that it does not know.\nNext step: run the job again with debug logging, and report it.';
  }
  const text = failureTexts.get(error.reason ?? '');
  const facts = readJobFacts(context.env);
  return [
    error.message,
    ...(text === undefined ? [] : [`Likely cause: ${text.cause}`, `Next step: ${text.mend}`]),
    ...hintsOf(error, context, facts),
    ...clockHints(error.details),
  ].join('\n');
}

function hintsOf(error: AppError, { settings, oidcToken }: FailureContext, facts: JobFacts): readonly string[] {
  if (error.reason === 'id_token_permission_missing') return permissionHints(facts);
  if (error.reason === 'sts_refused') return exchangeHints(claimsOf(oidcToken), { ...error.details });
  if (error.reason === 'iam_refused' && settings !== undefined) return roleHints(settings, facts, claimsOf(oidcToken));
  // Inputs that are empty because secrets are: only then are there no settings.
  return settings === undefined ? secretHints(facts) : [];
}

function clockHints(details: AppError['details']): readonly string[] {
  const skew = details?.clockSkewSeconds;
  if (typeof skew !== 'number') return [];
  const direction = skew > 0 ? 'ahead of' : 'behind';
  return [`The clock of the runner is ${Math.abs(skew)} seconds ${direction} the service's: set it right.`];
}
