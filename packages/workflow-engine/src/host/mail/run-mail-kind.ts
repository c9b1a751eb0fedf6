import { runStatus, type RunStatus } from '../../model/statuses/run-status';

/** The kind of mail that a status calls for: none for a run that was stopped or is still active. */
export function runMailKind(status: RunStatus): 'success' | 'failure' | 'wait' | undefined {
  if (runStatus.isWaiting(status)) return 'wait';
  if (runStatus.isSuccessful(status)) return 'success';
  return runStatus.isTerminal(status) && !runStatus.isAborted(status) ? 'failure' : undefined;
}
