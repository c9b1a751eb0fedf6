import type { JsonObject } from '@weir/workflow-spec';
import { outputBytes } from '../../model/run-model/step-outputs';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { actionFailed } from '../../model/steps/action-errors';

/** A success that publishes the values by their names. Throws when they are larger than a step may publish. */
export function publishValues(values: JsonObject, maxBytes: number): StepOutcome {
  const outputs = { fields: [], declared: Object.entries(values).map(([name, value]) => ({ name, value })) };
  if (outputBytes(outputs) > maxBytes) throw outputsTooLarge(maxBytes);
  return { status: 'succeeded', outputs };
}

export function outputsTooLarge(maxBytes: number) {
  return actionFailed(`The outputs of the step are larger than ${maxBytes} bytes.`);
}
