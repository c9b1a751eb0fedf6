import { runStatus, type RunStatus } from '../statuses/run-status';

/** Which of the mails about a run a state asks for: none for a run that somebody stopped, or that is still at work. */
export function runMailKind(status: RunStatus): 'success' | 'failure' | 'wait' | undefined {
  if (runStatus.isWaiting(status)) return 'wait';
  if (runStatus.isSuccessful(status)) return 'success';
  return runStatus.isTerminal(status) && !runStatus.isAborted(status) ? 'failure' : undefined;
}
