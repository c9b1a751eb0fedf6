import type { AppError } from '@weir/errors';
import { inputReasons } from '../inputs/parsed-input';
import { loadPart } from '../load-part';
import type { FailureContext, FailureExplanation } from './failure-explanation';
import { readJobInfo } from './job-info';
import { secretHints } from './permission-hints';

const reasonsOfInputs: ReadonlySet<string | undefined> = new Set(inputReasons);

/** Fails with reason `action_file_missing` if the bundle of causes is missing. */
export async function explainFailure(error: AppError, context: FailureContext): Promise<FailureExplanation> {
  const { message, reason } = error;
  if (reasonsOfInputs.has(reason)) {
    // The message says it all, unless the inputs are invalid because secrets are empty.
    const hints = context.settings === undefined ? secretHints(readJobInfo(context.env)) : [];
    return { message, cause: undefined, nextStep: undefined, hints, fixes: [] };
  }
  const { explainCause } = await loadPart(() => import('../causes.js'));
  return explainCause(error, context);
}
