import { runStatus } from '../statuses/run-status';
import type { DequeueRequested, RunState, StopRequested } from './run-event';
import { createTransition, noSteps, type RunTransition } from './run-transition';

/** Aborts a queued or waiting run; the owner of a running one ends it. Nothing for a run that has ended. */
export function stopRun(run: RunState, event: StopRequested): RunTransition | undefined {
  if (runStatus.isFailed(run.status) && run.retryAt !== null) {
    return createTransition(run, { patch: { status: 'aborted', retryAt: null } });
  }
  if (!runStatus.isActive(run.status)) return undefined;
  if (!runStatus.isRunning(run.status)) return abortRun(run, event);
  return createTransition(run, { patch: { stopRequestedAt: run.stopRequestedAt ?? event.at } });
}

/** Changes nothing for a run that is not queued. */
export function dequeueRun(run: RunState, event: DequeueRequested): RunTransition | undefined {
  return runStatus.isQueued(run.status) ? abortRun(run, event) : undefined;
}

function abortRun(run: RunState, { at, error }: StopRequested | DequeueRequested): RunTransition {
  return createTransition(run, {
    patch: { status: 'aborted', finishedAt: at, error: null },
    steps: { ...noSteps, every: { status: 'aborted', finishedAt: at, error } },
    effects: [
      { kind: 'leave_queue' },
      { kind: 'wake_parent', at },
      { kind: 'notify_queue' },
      { kind: 'notify_waiters' },
    ],
  });
}
