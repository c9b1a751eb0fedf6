import type { CloudSignIn } from '../clouds/cloud-sign-in';
import type { Settings } from '../inputs/settings';
import type { Variable } from '../report';
import type { ActionsRuntime } from '../runner/actions-runtime';
import { loadPart } from '../runner/load-part';
import { toSignIns } from './docker/issue-registry-token';
import { signInToRegistries } from './docker/sign-in-to-registries';
import { signOutOfRegistries } from './docker/sign-out-of-registries';
import type { PublishedPackages } from './packages/publish-packages';

export { issueRegistryToken } from './docker/issue-registry-token';

export interface RegistriesOptions {
  readonly runtime: ActionsRuntime;
  readonly randomBytes: (bytes: number) => Uint8Array;
  readonly google: GoogleRegistries | undefined;
  readonly clouds: readonly CloudSignIn[];
}

interface GoogleRegistries {
  readonly settings: Settings;
  readonly registryToken: string | undefined;
}

export interface PublishedRegistries {
  /** To be set. They contain no secret. */
  readonly variables: readonly Variable[];
  readonly undo: () => void;
}

/**
 * A separate bundle, which main loads only for jobs that sign in to registries. Signs in Docker and the clients of
 * packages; a failure leaves nobody signed in.
 */
export async function publishRegistries(options: RegistriesOptions): Promise<PublishedRegistries> {
  const { runtime, google, clouds } = options;
  const signIns = [
    ...toSignIns(google?.settings.registries ?? [], google?.registryToken ?? ''),
    ...clouds.flatMap(({ registries }) => registries),
  ];
  const docker = signIns.length === 0 ? undefined : signInToRegistries(runtime, signIns);
  const signOut = (): void => {
    if (docker !== undefined) signOutOfRegistries(docker);
  };
  try {
    const packages = await publishGooglePackages(options);
    const undo = (): void => {
      packages?.undo();
      signOut();
    };
    return { variables: packages?.variables ?? [], undo };
  } catch (error) {
    signOut();
    throw error;
  }
}

async function publishGooglePackages({
  runtime,
  randomBytes,
  google,
}: RegistriesOptions): Promise<PublishedPackages | undefined> {
  const { settings, registryToken: token } = google ?? {};
  if (settings?.packages === undefined || token === undefined) return undefined;
  const { publishPackages } = await loadPart(() => import('./packages/publish-packages.js'));
  return publishPackages({ runtime, step: settings, randomBytes, registries: settings.packages, token });
}
