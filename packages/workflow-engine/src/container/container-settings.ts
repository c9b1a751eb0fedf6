import { checkSettings, type JsonObject, type SettingsFor } from '@weir/workflow-spec';
import { actionFailed } from '../actions/action-errors';

/** A container of a step, of a DAG or of `docker.run`: all have the same keys. */
export type ContainerSettings = SettingsFor<'docker.run'>;

/** Those of a container that is created, and not only used. */
export type NewContainerSettings = ContainerSettings & { readonly image: string };

/** The settings of a container whose references are replaced, checked by their table once more. */
export function readContainerSettings(settings: JsonObject): ContainerSettings {
  const checked = checkSettings('docker.run', settings);
  if ('problems' in checked) throw actionFailed(`container: ${checked.problems.join('; ')}.`);
  return checked.settings;
}

/** For a container that is created. The table of the settings asks for an image unless an existing one is named. */
export function requireImage(settings: ContainerSettings): NewContainerSettings {
  const { image } = settings;
  if (image === undefined) throw actionFailed('image or exec is required.');
  return { ...settings, image };
}
