import { isAbortedRun, isSuccessfulRun, isTerminalRun, isWaitingRun, type RunStatus } from '../statuses';

/** Which of the mails about a run a state asks for: none for a run that somebody stopped, or that is still at work. */
export function runMailKind(status: RunStatus): 'success' | 'failure' | 'wait' | undefined {
  if (isWaitingRun(status)) return 'wait';
  if (isSuccessfulRun(status)) return 'success';
  return isTerminalRun(status) && !isAbortedRun(status) ? 'failure' : undefined;
}
