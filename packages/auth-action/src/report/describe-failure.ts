import { isAppError, type AppError } from '@weir/errors';
import type { Settings } from '../settings';
import type { ActionsRuntime } from '../actions-runtime';
import type { CloudSettings } from '../clouds/cloud-settings';
import { listCloudFixes } from './cloud-fix-lines';
import { exchangeHints } from './exchange-hints';
import type { FixBlock } from './fix-block';
import { listFixes } from './fix-lines';
import { failureTexts } from './failure-texts';
import { readJobInfo, type JobInfo } from './job-info';
import { permissionHints, secretHints } from './permission-hints';
import { roleHints } from './role-hints';
import { decodeClaims } from './token-claims';

export interface FailureContext {
  readonly env: ActionsRuntime['env'];
  /** `undefined` if the inputs are invalid. */
  readonly settings: Settings | undefined;
  readonly clouds?: CloudSettings | undefined;
  /** Of the last exchange, if any. */
  readonly oidcToken: string | undefined;
}

/** What is known about a failure, without secrets. */
export interface FailureExplanation {
  readonly message: string;
  readonly cause: string | undefined;
  readonly nextStep: string | undefined;
  readonly hints: readonly string[];
  readonly fixes: readonly FixBlock[];
}

export function explainFailure(error: AppError, context: FailureContext): FailureExplanation {
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

/** Describes the failure, its likely cause and the next step in several lines, without secrets. */
export function describeFailure(error: unknown, context: FailureContext): string {
  if (!isAppError(error)) {
    return 'The action failed with an unexpected error.\nNext step: run the job again with debug logging, and report the error.';
  }
  const { message, cause, nextStep, hints } = explainFailure(error, context);
  return [
    message,
    ...(cause === undefined ? [] : [`Likely cause: ${cause}`, `Next step: ${String(nextStep)}`]),
    ...hints,
  ].join('\n');
}

function listHints(error: AppError, { settings, oidcToken }: FailureContext, job: JobInfo): readonly string[] {
  if (error.reason === 'id_token_permission_missing') return permissionHints(job);
  if (['aws_refused', 'azure_refused'].includes(error.reason ?? '')) return exchangeHints(decodeClaims(oidcToken), {});
  if (error.reason === 'sts_refused') return exchangeHints(decodeClaims(oidcToken), { ...error.details });
  if (error.reason === 'iam_refused' && settings !== undefined)
    return roleHints(settings, job, decodeClaims(oidcToken));
  // Without settings the inputs are invalid, possibly because secrets are empty.
  return settings === undefined ? secretHints(job) : [];
}

function clockHints(details: AppError['details']): readonly string[] {
  const skew = details?.clockSkewSeconds;
  if (typeof skew !== 'number') return [];
  const direction = skew > 0 ? 'ahead of' : 'behind';
  return [
    `The clock of the runner is ${Math.abs(skew)} seconds ${direction} the clock of the service: synchronize it.`,
  ];
}
