import type { JsonObject } from '@weir/workflow-spec';
import { checkSettings, type SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';

/** A container of a step, of a DAG or of `docker.run`: all have the same keys. */
export type ContainerSettings = SettingsFor<'docker.run'>;

/** Settings of a container to be created. */
export type NewContainerSettings = ContainerSettings & { readonly image: string };

/** Checks the settings of a container once their references are replaced. */
export function readContainerSettings(settings: JsonObject): ContainerSettings {
  const checked = checkSettings('docker.run', settings);
  if ('problems' in checked) throw actionFailed(`container: ${checked.problems.join('; ')}.`);
  return checked.settings;
}

/** The shape of the settings requires an image unless they name an existing container. */
export function requireImage(settings: ContainerSettings): NewContainerSettings {
  const { image } = settings;
  if (image === undefined) throw actionFailed('image or exec is required.');
  return { ...settings, image };
}
