import { nodeStatus } from '../statuses/node-status';
import { runStatus } from '../statuses/run-status';
import type { RunState, StepCorrected } from './run-event';
import { patchesOnly, type RunTransition } from './run-transition';

/**
 * Nothing for a run that is active, and for one that was retried or corrected since its steps were read. The table of run statuses does not apply, because
 * the run does not move: what is stored about its end was wrong.
 */
export function correctStep(run: RunState, event: StepCorrected): RunTransition | undefined {
  const { attempt, step, status, at } = event;
  const { scope, position, finishedAt, error } = step;
  const { fencingToken } = run;
  if (!runStatus.isTerminal(run.status) || !runStatus.isTerminal(event.runStatus)) return undefined;
  // `runStatus` of the event follows from steps that have changed since then.
  if (attempt !== run.attempt || event.fencingToken !== fencingToken) return undefined;
  return {
    expected: { status: run.status, fencingToken },
    patch: {
      status: event.runStatus,
      fencingToken: fencingToken + 1,
      ...(runStatus.isFailed(event.runStatus) ? {} : { error: null, retryAt: null }),
    },
    steps: patchesOnly([
      { scope, position, status, finishedAt: finishedAt ?? at, error: nodeStatus.isPassed(status) ? null : error },
    ]),
    effects: [{ kind: 'notify_waiters' }],
  };
}
