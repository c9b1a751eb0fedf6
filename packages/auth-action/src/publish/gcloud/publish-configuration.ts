import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { formatState, stateNames } from '../../runner/state';
import { findOwner, formatConfiguration, type ConfigurationFields } from './configuration';

/** Writes the configuration `name` of gcloud, and sets the output with its name. */
export function publishConfiguration(runtime: ActionsRuntime, name: string, fields: ConfigurationFields): void {
  try {
    const file = path.join(findFolder(runtime.env), 'configurations', `config_${name}`);
    if (findOwner(file) === 'user') {
      runtime.warning(`There already is a gcloud configuration ${name}, which was not changed.`);
      return;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    // Before the file exists, so that post knows of it in any case.
    runtime.saveState(stateNames.gcloud, formatState({ configuration: file }));
    writeFileSync(file, formatConfiguration(fields), { mode: 0o600 });
  } catch (cause) {
    throw new AppError('internal', `The gcloud configuration could not be written: ${String(cause)}.`, {
      reason: 'gcloud_configuration_failed',
      cause,
    });
  }
  runtime.setOutput('gcloud_configuration', name);
  runtime.info(`Created the gcloud configuration ${name}.`);
  if (isSet(runtime.env.CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE)) {
    runtime.notice(
      'CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE of an earlier step takes precedence over every gcloud configuration. Set the input identity there too.',
    );
  }
}

/** Finds the folder in the same way as gcloud. */
function findFolder({ CLOUDSDK_CONFIG: folder, APPDATA: data, HOME: home }: ActionsRuntime['env']): string {
  if (isSet(folder)) return folder;
  if (isSet(data)) return path.join(data, 'gcloud');
  if (isSet(home)) return path.join(home, '.config', 'gcloud');
  throw new Error('neither CLOUDSDK_CONFIG nor HOME is set');
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
