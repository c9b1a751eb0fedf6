import { readDockerConfig, removeRegistries, writeDockerConfig } from '../docker/docker-config';
import { describeError } from './describe-error';
import type { DockerState } from './state';

/** Removes the sign-ins from the configuration of Docker. Returns a warning on failure. */
export function signOutOfRegistries({ file, added }: DockerState): string | undefined {
  try {
    writeDockerConfig(file, removeRegistries(readDockerConfig(file), added));
    return undefined;
  } catch (error) {
    return `Docker was not signed out in ${file} (${describeError(error)}).`;
  }
}
