import type { NamedOutput, StepOutputs } from '../../model/run-model/step-outputs';
import type { CheckResult } from '../../model/steps/check-result';
import type { RunRecorder, StepChange } from '../../model/steps/step-change';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { Masker } from './masker';

/**
 * Wraps a recorder so that errors and outputs are masked before they are stored or used. Must be the outermost wrapper of
 * everything that receives changes.
 */
export function withMaskedChanges(recorder: RunRecorder, masker: Masker | undefined): RunRecorder {
  if (masker === undefined) return recorder;
  return {
    stepsChanged: (changes, end) =>
      recorder.stepsChanged(
        changes.map((change) => maskedChange(change, masker)),
        end,
      ),
  };
}

function maskedChange(change: StepChange, masker: Masker): StepChange {
  if ('outcome' in change) return { ...change, outcome: maskOutcome(change.outcome, masker) };
  return 'error' in change ? { ...change, error: masker.text(change.error) } : change;
}

/** Masks the result of a condition, which may quote the output of a command. */
export function maskCheck(result: CheckResult, masker: Masker | undefined): CheckResult {
  if (masker === undefined || result.kind === 'met') return result;
  return result.kind === 'failed'
    ? { kind: 'failed', error: masker.text(result.error) }
    : { kind: 'not_met', reason: masker.text(result.reason) };
}

/** Masks the error and the outputs of an attempt. */
export function maskOutcome(outcome: StepOutcome, masker: Masker): StepOutcome {
  const { error, outputs } = outcome;
  return {
    ...outcome,
    ...(error === undefined ? {} : { error: masker.text(error) }),
    ...(outputs === undefined ? {} : { outputs: maskOutputs(outputs, masker) }),
  };
}

function maskOutputs({ variable, fields, declared }: StepOutputs, masker: Masker): StepOutputs {
  const mask = ({ name, value }: NamedOutput): NamedOutput => ({ name, value: masker.json(value) });
  return {
    ...(variable === undefined ? {} : { variable: { name: variable.name, value: masker.text(variable.value) } }),
    fields: fields.map(mask),
    declared: declared.map(mask),
  };
}
