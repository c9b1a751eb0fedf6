import { actionFailed } from '../../model/steps/action-errors';
import { actionPath, type PathCall } from '../files/action-paths';
import { readVariables } from '../files/read-variables';
import type { ContainerSettings } from './container-settings';

/** The settings with the variables of their files in `env`, where later entries win: later files, then `env` itself. */
export async function withEnvFiles(settings: ContainerSettings, call: PathCall): Promise<ContainerSettings> {
  const { env_file: files = [], env = [], ...others } = settings;
  if (files.length === 0) return settings;
  const read: string[] = [];
  for (const file of files) {
    const found = await readVariables(actionPath(call, file));
    if (found === undefined) throw actionFailed('env_file was not found.');
    if ('problem' in found) throw actionFailed(`env_file cannot be used: ${found.problem}.`, found.cause);
    read.push(...Object.entries(found.env).map(([name, value]) => `${name}=${value}`));
  }
  return { ...others, env: [...read, ...env] };
}
