import { correctStep } from './correction-transition';
import { approveStep, completeTask, pushBackStep, rejectStep, wakeStep } from './decision-transitions';
import { applyOwnerEvent, claimRun, suspendRun } from './owner-transitions';
import { retryRun } from './retry-transition';
import type { RunEvent, RunState } from './run-event';
import type { RunTransition } from './run-transition';
import { dequeueRun, stopRun } from './stop-transitions';

/**
 * What an event changes of a run: the patch to store and the effects to perform. Pure. Nothing for an event that comes
 * too late, such as a write under an expired lease or an approval of a step that no longer waits.
 */
export function transition(run: RunState, event: RunEvent): RunTransition | undefined {
  switch (event.kind) {
    case 'claimed':
      return claimRun(run, event);
    case 'released':
    case 'steps_changed':
    case 'steps_added':
    case 'params_resolved':
    case 'ended':
      return applyOwnerEvent(run, event);
    case 'suspended':
      return suspendRun(run, event);
    case 'stop_requested':
      return stopRun(run, event);
    case 'dequeue_requested':
      return dequeueRun(run, event);
    case 'retried':
      return retryRun(run, event);
    case 'approved':
      return approveStep(run, event);
    case 'rejected':
      return rejectStep(run, event);
    case 'pushed_back':
      return pushBackStep(run, event);
    case 'task_completed':
      return completeTask(run, event);
    case 'step_corrected':
      return correctStep(run, event);
    case 'child_ended':
      return wakeStep(run, event);
  }
}
