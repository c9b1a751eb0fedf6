import { readDockerConfig, removeRegistries, writeDockerConfig } from './docker-config';
import { describeError } from '../../runner/describe-error';
import type { DockerState } from '../../runner/state';

/** Removes the sign-ins from the configuration of Docker. Returns a warning on failure. */
export function signOutOfRegistries({ file, added }: DockerState): string | undefined {
  try {
    writeDockerConfig(file, removeRegistries(readDockerConfig(file), added));
    return undefined;
  } catch (error) {
    return `Docker was not signed out in ${file} (${describeError(error)}).`;
  }
}
