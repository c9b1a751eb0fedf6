import type { ActionExecutor } from '../action-executor';
import { publishValues } from '../publish-values';

/** Publishes what the settings name; nothing is printed, because a value may be one that logs should not hold. */
export const outputsWrite: ActionExecutor<'outputs.write'> = ({ call, settings }) =>
  Promise.resolve(publishValues(settings.values, call.maxOutputBytes));
