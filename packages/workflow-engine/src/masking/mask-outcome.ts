import type { NamedOutput, StepOutputs } from '../outputs/step-outputs';
import type { CheckResult } from '../scope/step-checks';
import type { RunRecorder, StepChange, StepOutcome } from '../scope/step-ports';
import type { Masker } from './masker';

/**
 * A recorder that is told of nothing secret: errors and outputs are masked before they are stored, and before anybody
 * builds on what was stored. To be put around everything that takes changes in.
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

/** The answer to a condition, whose problem may show what a command wrote. */
export function maskCheck(result: CheckResult, masker: Masker | undefined): CheckResult {
  if (masker === undefined || result.kind === 'met') return result;
  return result.kind === 'failed'
    ? { kind: 'failed', error: masker.text(result.error) }
    : { kind: 'not_met', reason: masker.text(result.reason) };
}

/** The outcome of an attempt, its error and its outputs. */
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
