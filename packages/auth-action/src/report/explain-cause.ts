import type { AppError } from '@weir/foundation';
import { listCloudFixes } from './cloud-fix-lines';
import { exchangeHints } from './exchange-hints';
import type { FailureContext, FailureExplanation } from './failure-explanation';
import { failureTexts } from './failure-texts';
import { listFixes } from './fix-lines';
import { readJobInfo, type JobInfo } from './job-info';
import { permissionHints } from './permission-hints';
import { roleHints } from './role-hints';
import { decodeClaims } from './token-claims';

/** The likely cause of a failure that is not about an input, and what fixes it. */
export function explainCause(error: AppError, context: FailureContext): FailureExplanation {
  const text = failureTexts.get(error.reason ?? '');
  const job = readJobInfo(context.env);
  const { settings, clouds, oidcToken } = context;
  const claims = decodeClaims(oidcToken);
  return {
    message: error.message,
    cause: text?.cause,
    nextStep: text?.nextStep,
    hints: [...listHints(error, context, job), ...clockHints(error.details)],
    fixes: [...listFixes(error, { settings, job, claims }), ...listCloudFixes(error, clouds, claims)],
  };
}

function listHints(error: AppError, { settings, oidcToken }: FailureContext, job: JobInfo): readonly string[] {
  if (error.reason === 'id_token_permission_missing') return permissionHints(job);
  if (['aws_refused', 'azure_refused'].includes(error.reason ?? '')) return exchangeHints(decodeClaims(oidcToken), {});
  if (error.reason === 'sts_refused') return exchangeHints(decodeClaims(oidcToken), { ...error.details });
  if (error.reason === 'iam_refused' && settings !== undefined)
    return roleHints(settings, job, decodeClaims(oidcToken));
  return [];
}

function clockHints(details: AppError['details']): readonly string[] {
  const skew = details?.clockSkewSeconds;
  if (typeof skew !== 'number') return [];
  const direction = skew > 0 ? 'ahead of' : 'behind';
  return [
    `The clock of the runner is ${Math.abs(skew)} seconds ${direction} the clock of the service: synchronize it.`,
  ];
}
