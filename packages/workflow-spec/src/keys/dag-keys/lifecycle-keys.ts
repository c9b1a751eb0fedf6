import type { Part } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import { conditions } from '../policies/conditions';
import { handlerSources } from './handlers';
import { seconds } from '../policies/intervals';
import { dagRetry } from '../policies/retry';
import { stepDefaults } from '../policies/step-defaults';
import { keySpec } from '../../shapes/object-kind';
import { count } from '../../shapes/shapes';
import type { Fields } from '../../shapes/read-object';

export const lifecycleKeys = {
  max_active_steps: keySpec('Maximum number of steps of one run that run concurrently; 0 is no limit', count),
  timeout_sec: keySpec('Seconds for a whole run; 0 is no limit', seconds),
  delay_sec: keySpec('Seconds between step starts', seconds),
  restart_wait_sec: keySpec('Seconds between the end of a run and its restart', seconds),
  max_clean_up_time_sec: keySpec('Seconds that a stopped step has to end; default 5', seconds, {
    aliases: ['MaxCleanUpTimeSec'],
  }),
  retry_policy: keySpec('Retries of the whole run after a failure', dagRetry),
  preconditions: keySpec('Conditions that must hold, or the run does not start', conditions, {
    aliases: ['precondition'],
  }),
  defaults: keySpec('Default settings of all steps', stepDefaults),
  handler_on: keySpec('Lifecycle steps of a run', handlerSources),
} as const;

/** Omits `defaults` and `handler_on`, which need the steps to be known. */
export function readLifecycleSettings(fields: Fields<typeof lifecycleKeys>): Part<DagSettings> {
  return {
    maxActiveSteps: fields.max_active_steps?.value,
    timeoutSec: fields.timeout_sec?.value,
    delaySec: fields.delay_sec?.value,
    restartWaitSec: fields.restart_wait_sec?.value,
    maxCleanUpTimeSec: fields.max_clean_up_time_sec?.value,
    retryPolicy: fields.retry_policy?.value,
    preconditions: fields.preconditions?.value,
  };
}
