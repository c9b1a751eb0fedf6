import type { Step } from '../../model/step';
import type { StepDefaults } from '../../model/step-defaults';
import type { Part } from '../../model/compact';
import { keySpec } from '../../shapes/object-kind';
import type { Field, Fields } from '../../shapes/read-object';
import { boolean } from '../../shapes/shapes';
import { conditions } from './conditions';
import { continueOn } from './continue-on';
import { seconds } from './intervals';
import { repeatChoice } from './repeat';
import { stepRetry } from './retry';
import { stopSignal } from './stop-signal';

/** Keys that a step and `defaults` share. */
export const policyKeys = {
  preconditions: keySpec('Conditions that must hold, or the step is skipped', conditions, {
    aliases: ['precondition'],
  }),
  continue_on: keySpec('When downstream steps run although this step failed or was skipped', continueOn),
  retry_policy: keySpec('Retries after a failure', stepRetry),
  repeat_policy: keySpec('Repetition of the step', repeatChoice),
  timeout_sec: keySpec('Seconds for one attempt; 0 is no limit', seconds),
  signal_on_stop: keySpec('Signal that stops the step; default SIGTERM', stopSignal),
  idempotent: keySpec(
    'The step may be executed twice: it is started again when its server died during an attempt',
    boolean,
  ),
  mail_on_error: keySpec('Send error_mail when this step fails', boolean),
} as const;

export function readPolicies(fields: Fields<typeof policyKeys>, defaults: StepDefaults = {}): Part<Step> {
  const { repeat_policy: repeat } = fields;
  return {
    preconditions: joinLists(defaults.preconditions, fields.preconditions?.value),
    continueOn: ownOrDefault(fields.continue_on, defaults.continueOn),
    retryPolicy: ownOrDefault(fields.retry_policy, defaults.retryPolicy),
    repeatPolicy: repeat ? repeat.value?.policy : defaults.repeatPolicy,
    timeoutSec: ownOrDefault(fields.timeout_sec, defaults.timeoutSec),
    signalOnStop: ownOrDefault(fields.signal_on_stop, defaults.signalOnStop),
    idempotent: ownOrDefault(fields.idempotent, defaults.idempotent),
    mailOnError: ownOrDefault(fields.mail_on_error, defaults.mailOnError),
  };
}

/** Returns `undefined` when both are empty. */
export function joinLists<T>(first: readonly T[] = [], second: readonly T[] = []): readonly T[] | undefined {
  if (first.length === 0 || second.length === 0) return [first, second].find((list) => list.length > 0);
  return [...first, ...second];
}

// An unreadable key does not fall back to the default.
function ownOrDefault<T>(field: Field<T> | undefined, fallback: T | undefined): T | undefined {
  return field ? field.value : fallback;
}
