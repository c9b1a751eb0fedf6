import type Docker from 'dockerode';
import type { NewContainerSettings } from './container-settings';
import { engineFailed, isNotThere } from './engine-errors';
import { withDeadline } from './with-deadline';
import { registrySignIn, type RegistryAuths } from './registry-sign-in';

/** Enough for large images over slow connections; a step can set a shorter limit. */
const pullWithinMs = 3_600_000;

export interface ImageOptions {
  readonly registryAuths?: RegistryAuths | undefined;
  readonly signal: AbortSignal;
}

/** Pulls the image according to `pull_policy`. */
export async function bringImage(docker: Docker, settings: NewContainerSettings, options: ImageOptions): Promise<void> {
  const image = settings.image;
  const policy = settings.pull_policy ?? 'missing';
  if (policy === 'never' || policy === 'missing') {
    if (await isThere(docker, image)) return;
    if (policy === 'never') throw engineFailed('missing');
    return pull(docker, settings, options);
  }
  try {
    await pull(docker, settings, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (policy !== 'fallback' || !(await isThere(docker, image))) throw error;
  }
}

async function isThere(docker: Docker, image: string): Promise<boolean> {
  const found = docker
    .getImage(image)
    .inspect()
    .then(
      () => true,
      (error: unknown) => (isNotThere(error) ? false : Promise.reject(engineFailed('lost', error))),
    );
  return withDeadline(found, 'lost');
}

async function pull(
  docker: Docker,
  settings: NewContainerSettings,
  { registryAuths, signal }: ImageOptions,
): Promise<void> {
  const image = settings.image;
  const platform = settings.platform;
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(pullWithinMs)]);
  try {
    const authconfig = registrySignIn(registryAuths, image);
    const stream = await docker.pull(withTag(image), {
      abortSignal,
      ...(platform === undefined ? {} : { platform }),
      ...(authconfig === undefined ? {} : { authconfig }),
    });
    await new Promise<void>((resolve, reject) => {
      docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    signal.throwIfAborted();
    throw engineFailed('pull', error);
  }
}

// Without a tag the engine would pull every tag.
function withTag(image: string): string {
  return /[:@][^/]*$/.test(image) ? image : `${image}:latest`;
}
