import type { ActionExecutor } from '../call/action-executor';
import { publishValues } from '../call/publish-values';

/** Publishes the values of the settings without printing them, because logs may not hold some of them. */
export const outputsWrite: ActionExecutor<'outputs.write'> = ({ call, settings }) =>
  Promise.resolve(publishValues(settings.values, call.maxOutputBytes));
