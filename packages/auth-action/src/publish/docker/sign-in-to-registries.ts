import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { RegistrySignIn } from '../../clouds/cloud-sign-in';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { formatState, stateNames, type DockerState } from '../../runner/state';
import { addRegistries, readDockerConfig, writeDockerConfig } from './docker-config';

/** Signs Docker in to the registries, and returns what post undoes. Other entries of its configuration are kept. */
export function signInToRegistries(runtime: ActionsRuntime, registries: readonly RegistrySignIn[]): DockerState {
  for (const { auth } of registries) runtime.mask(auth);
  try {
    const file = findDockerConfig(runtime.env);
    const { config, added } = addRegistries(readDockerConfig(file), registries);
    const state: DockerState = { file, added };
    // Before the token is on disk, so that post knows of it in any case.
    runtime.saveState(stateNames.docker, formatState(state));
    writeDockerConfig(file, config);
    runtime.info(`Docker is signed in to ${registries.map(({ host }) => host).join(', ')}.`);
    return state;
  } catch (cause) {
    throw new AppError('internal', `Docker could not be signed in with its configuration: ${String(cause)}.`, {
      reason: 'docker_config_failed',
      cause,
    });
  }
}

/** `USERPROFILE` is the home folder on Windows. */
function findDockerConfig({ DOCKER_CONFIG: folder, HOME: home, USERPROFILE: profile }: ActionsRuntime['env']): string {
  if (isSet(folder)) return path.join(folder, 'config.json');
  const parent = [home, profile].find(isSet);
  if (parent === undefined) throw new Error('neither DOCKER_CONFIG nor HOME is set');
  return path.join(parent, '.docker', 'config.json');
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
