import type { PublishCloudsOptions } from './clouds/publish-clouds';
import type { CloudSignIn, RegistrySignIn } from '../clouds/cloud-sign-in';
import { exportVariables } from './export-variables';
import type { IssuedTokens } from '../cloud/issue-tokens';
import { loadPart } from '../runner/load-part';
import { publishCredentials } from './publish-credentials';
import { publishSummary } from '../runner/publish-summary';
import type { Settings } from '../inputs/settings';

export interface GoogleCredentials {
  readonly settings: Settings;
  readonly issued: IssuedTokens;
  readonly registries: readonly RegistrySignIn[];
}

export interface PublishAllOptions extends PublishCloudsOptions {
  /** `undefined` for jobs that sign in to other clouds only. */
  readonly google: GoogleCredentials | undefined;
  readonly clouds: readonly CloudSignIn[];
  /** The token of the exchange with Google Cloud. */
  readonly oidcToken: string | undefined;
}

/** Provides the credentials of every cloud to later steps. A failure leaves none of them behind. */
export async function publishAll({ google, clouds, oidcToken, ...options }: PublishAllOptions): Promise<void> {
  const { runtime, step } = options;
  const others = clouds.length === 0 ? undefined : await loadPart(() => import('./clouds/index.js'));
  const published = await others?.publishClouds(clouds, options);
  const variables = published?.variables ?? [];
  const registries = [...(google?.registries ?? []), ...clouds.flatMap((cloud) => cloud.registries)];
  let signOut: (() => void) | undefined;
  try {
    if (registries.length > 0) {
      const { signInToRegistries, signOutOfRegistries } = await loadPart(() => import('./docker/index.js'));
      const state = signInToRegistries(runtime, registries);
      signOut = () => void signOutOfRegistries(state);
    }
    if (google === undefined) exportVariables(runtime, step, variables);
    else await publishCredentials({ ...options, ...google, oidcToken, otherVariables: variables });
    if (step.writesSummary && others !== undefined) {
      publishSummary(runtime, others.formatCloudSummary(clouds, variables));
    }
  } catch (error) {
    signOut?.();
    await published?.undo();
    throw error;
  }
}
