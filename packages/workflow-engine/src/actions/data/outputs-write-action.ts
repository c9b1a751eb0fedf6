import { actionFailed } from '../action-errors';
import { asObject } from '../action-settings';
import { defineExecutor } from '../define-executor';
import { outputBytes } from '../../outputs/step-outputs';

/** Publishes what the settings name; nothing is printed, because a value may be one that logs should not hold. */
export const outputsWrite = defineExecutor(({ call, settings }) => {
  const values = Object.entries(asObject(settings.value('values')) ?? {});
  const outputs = { fields: [], declared: values.map(([name, value]) => ({ name, value })) };
  if (outputBytes(outputs) > call.maxOutputBytes) {
    throw actionFailed(`The outputs of the step are larger than ${call.maxOutputBytes} bytes.`);
  }
  return Promise.resolve({ status: 'succeeded', outputs });
});
