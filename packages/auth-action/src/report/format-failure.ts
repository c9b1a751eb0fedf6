import type { FailureExplanation } from './failure-explanation';

/** The failure, its likely cause and the next step in several lines. */
export function formatFailure({ message, cause, nextStep, hints }: FailureExplanation): string {
  return [
    message,
    ...(cause === undefined ? [] : [`Likely cause: ${cause}`, `Next step: ${String(nextStep)}`]),
    ...hints,
  ].join('\n');
}
