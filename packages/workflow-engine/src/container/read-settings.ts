import { checkActionInput, type JsonObject } from '@weir/workflow-spec';
import { actionFailed } from '../actions/action-errors';
import { actionSettings, type ActionSettings } from '../actions/action-settings';

/** The settings of a container once their references are replaced, checked by their table once more. */
export function readContainerSettings(settings: JsonObject): ActionSettings {
  const { with: input, problems } = checkActionInput('docker.run', settings);
  if (problems.length > 0) throw actionFailed(`container: ${problems.join('; ')}.`);
  return actionSettings(input);
}
